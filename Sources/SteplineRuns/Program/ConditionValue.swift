import Foundation
import SteplineJSON
import SteplineSupport
import SteplineWorkflow

/// The value that a condition of a workflow is fulfilled with, as it is kept.
enum ConditionValue {
    /// The bytes for what is given on a command line; throws if the condition isn't one, or takes no such value.
    static func data(_ word: String?, for condition: String, in workflow: Workflow) throws -> Data? {
        let graph = RunGraph(workflow)
        guard let place = graph.places[condition].map(Int.init), graph.steps[place].isCondition else {
            let known = graph.steps.indices.filter { graph.steps[$0].isCondition }.map { graph.names[$0] }
            throw RunsError(
                "\(workflow.name) has no condition \(condition)"
                    + (known.isEmpty ? "" : "; it has \(known.joined(separator: ", "))"), isUsage: true)
        }
        let step = graph.steps[place]
        let type = graph.parts[Int(step.part)].workflow.journalTask(Int(step.number)).resultType
        let codec = graph.facts(place).codec
        guard let word else {
            guard let type, codec?.isNothing != true else { return nil }
            throw RunsError("\(condition) takes a value, a \(type)", isUsage: true)
        }
        guard let type, let codec, !codec.isNothing else {
            throw RunsError("\(condition) takes no value", isUsage: true)
        }
        do {
            let data = try data(word, type)
            _ = try codec.decode(data)
            return data
        } catch {
            throw RunsError("\(condition) takes a \(type): \(ErrorText.line(error))", isUsage: true)
        }
    }

    private static func data(_ word: String, _ type: any Sendable.Type) throws -> Data {
        // A text need not be in quotes.
        if type == String.self { return Data(((try? JSON(parsing: word))?.string ?? word).utf8) }
        let json = try JSON(parsing: word)
        guard type == Data.self else { return json.data() }
        guard let data = json.string.flatMap({ Data(base64Encoded: $0) }) else {
            throw RunsError("bytes are given as a text in Base64")
        }
        return data
    }
}
