import Foundation
import SteplineJSON
import SteplineRuns
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Values of stored runs", .timeLimit(.minutes(5)))
struct StoredResultTests {
    private static let tasks = """
        text: { steps: [ { value: 'hello' } ] },
        list: { map: ['a', 'b'], steps: [ { value: 'x${item}' } ] },
        no: { when: '1 > 2', steps: [ { value: 1 } ] },
        all: { after: ['text', 'list'], steps: [ { value: { text: '${tasks.text}', list: '${tasks.list}' } } ] },
        """

    private func run(_ rest: String = "") async throws -> FlowCommandRun {
        let flow = try FlowCommandRun("{ tasks: { \(Self.tasks) }\(rest) }")
        let result = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(result.status == 0, "\(result.errors)")
        return flow
    }

    @Test("show KEY STEP tells one step; with --value its value, a text as it is")
    func show() async throws {
        let flow = try await run()
        func show(_ step: String, _ more: String...) async throws -> CommandResult {
            try await Command.run(
                ["runs", "show", "k", step, "--store", "runs.db"] + more, in: flow.folder.url)
        }
        let one = try await show("text")
        #expect(one.output.contains("text") && !one.output.contains("list"), "\(one.output)")
        let values = [
            "text": "hello", "list[a]": "xa", "list": #"["xa","xb"]"#,
            "all": #"{"text":"hello","list":["xa","xb"]}"#,
        ]
        for (step, value) in values {
            #expect(try await show(step, "--value").output == value + "\n", "\(step)")
        }
        let skipped = try await show("no", "--value")
        #expect(skipped.status == 1 && skipped.errors.contains("step \"no\" was skipped"), "\(skipped)")
        for words in [[], ["--value"]] {
            let unknown = try await Command.run(
                ["runs", "show", "k", "none", "--store", "runs.db"] + words, in: flow.folder.url)
            #expect(unknown.status == 1 && unknown.errors.contains("has no step \"none\""), "\(unknown)")
        }
        let noStep = try await flow("runs", "show", "k", "--value", "--store", "runs.db")
        #expect(noStep.status == 2 && noStep.errors.contains("--value requires KEY and STEP"))
    }

    @Test("result KEY is what run has printed: the file's result, or the value of the only last task")
    func result() async throws {
        let flow = try await run(", result: '${length(tasks.list)} ${tasks.text}'")
        #expect(try await flow("runs", "result", "k", "--store", "runs.db").output == "2 hello\n")
        #expect(try await flow("runs", "result", "k", "text", "--store", "runs.db").output == "hello\n")
        let again = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(again.status == 0 && again.output == "2 hello\n")
        let ends = try await run()
        let several = try await ends("runs", "result", "k", "--store", "runs.db")
        #expect(several.output == #"{"all":{"text":"hello","list":["xa","xb"]}}"# + "\n", "\(several)")
        try FileManager.default.removeItem(at: ends.folder.url.appending(path: "flow.json5"))
        let gone = try await ends("runs", "result", "k", "--store", "runs.db")
        #expect(gone.status == 2 && gone.errors.contains("its workflow file is missing"))
    }

    @Test("the result of a failed run is refused with its state")
    func failed() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { steps: [ { value: 1 }, { transform: 'it.x' } ] } } }")
        let failed = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k", "--json")
        #expect(failed.status == 1)
        #expect(try JSON(parsing: failed.data)["key"] == "k")
        let result = try await flow("runs", "result", "k", "--store", "runs.db")
        #expect(result.status == 1 && result.errors.contains("has not finished: it is failed"), "\(result)")
    }
}
