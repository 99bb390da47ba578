import Foundation
import SteplineJSON
import SteplineSupport
import SteplineWorkflow

/// The encoded value of a condition's signal.
enum ConditionValue {
    /// Encodes a command-line argument as the value of a condition.
    ///
    /// - Parameters:
    ///   - word: The argument; nil if none was given.
    ///   - condition: The name of the condition.
    ///   - workflow: The workflow.
    /// - Returns: The encoded value; nil for a condition without a value.
    /// - Throws: A `RunsError` if the condition is missing or expects another value.
    static func data(_ word: String?, for condition: String, in workflow: Workflow) throws -> Data? {
        let graph = RunGraph(workflow)
        guard let place = place(of: condition, in: graph) else {
            throw RunsError(unknown(condition, in: graph, of: workflow.name), isUsage: true)
        }
        let step = graph.steps[place]
        let type = graph.parts[Int(step.part)].workflow.journalTask(Int(step.number)).resultType
        let codec = graph.facts(place).codec
        guard let word else {
            // A condition of type Void takes no value either.
            guard let type, codec?.isNothing != true else { return nil }
            throw RunsError("\(condition) takes a value, a \(type)", isUsage: true)
        }
        guard let type, let codec, !codec.isNothing else {
            throw RunsError("\(condition) takes no value", isUsage: true)
        }
        do {
            let data = try data(word, type)
            // Decode once, so that a wrong value is reported to the sender and not in the run.
            _ = try codec.decode(data)
            return data
        } catch {
            throw RunsError("\(condition) takes a \(type): \(ErrorText.line(error))", isUsage: true)
        }
    }

    /// Throws an error if the workflow has no such condition, or the condition expects another value.
    static func check(_ data: Data?, for condition: String, in graph: RunGraph, of workflow: String) throws {
        guard let place = place(of: condition, in: graph) else {
            throw DurableRunError(
                .invalidSignal, condition, unknown(condition, in: graph, of: workflow))
        }
        guard let codec = graph.facts(place).codec, !codec.isNothing else {
            if data == nil { return }
            throw DurableRunError(.invalidSignal, condition, "the condition takes no value")
        }
        guard let data else {
            throw DurableRunError(
                .invalidSignal, condition, "the condition expects \(codec.typeName), got no value")
        }
        do { _ = try codec.decode(data) } catch {
            // The value may be large: quote its beginning.
            let text = String(decoding: data.prefix(80), as: UTF8.self)
            throw DurableRunError(
                .invalidSignal, condition,
                "the condition expects \(codec.typeName), got \(text); `runs signal … --withdraw` removes it",
                underlying: error)
        }
    }

    static func place(of condition: String, in graph: RunGraph) -> Int? {
        graph.places[condition].map(Int.init).flatMap { graph.steps[$0].isCondition ? $0 : nil }
    }

    private static func unknown(_ condition: String, in graph: RunGraph, of workflow: String) -> String {
        let known = graph.steps.indices.filter { graph.steps[$0].isCondition }.map { graph.names[$0] }
        return "\(workflow) has no condition \(condition)"
            + (known.isEmpty ? "" : "; it has \(known.joined(separator: ", "))")
    }

    private static func data(_ word: String, _ type: any Sendable.Type) throws -> Data {
        // A string may be given without quotes.
        if type == String.self { return Data(((try? JSON(parsing: word))?.string ?? word).utf8) }
        let json = try JSON(parsing: word)
        guard type == Data.self else { return json.data() }
        guard let data = json.string.flatMap({ Data(base64Encoded: $0) }) else {
            throw RunsError("bytes must be a Base64 text")
        }
        return data
    }
}
