import Foundation
import SteplineJSON
import Testing

/// How failures are told: who has failed is said once.
@Suite("Workflow files: the words of failures", .timeLimit(.minutes(5)))
struct FailureWordsTests {
    private let flow: FlowCommandRun

    init() throws {
        let step = #"steps: [ { run: ["sleep", "60"] } ]"#
        flow = try FlowCommandRun(
            """
            { tasks: {
              task: { deadline: "100ms", \(step) },
              map: { map: [1], deadline: "100ms", \(step) },
              element: { map: [1], timeout: "100ms", \(step) },
              file: { flow: "inner.json5", deadline: "100ms" },
              files: { map: [1], flow: "inner.json5", deadline: "100ms" },
              last: { runs: "always", steps: [ { value: "${run.failures}" }, { save: "failures.json" } ] },
            } }
            """)
        try flow.write("{ tasks: { x: { \(step) } } }", to: "inner.json5")
    }

    private static let words = [
        "element": "element[1]: timed out after 0.1 seconds", "file": "timed out after 0.1 seconds",
        "files": "timed out after 0.1 seconds", "map": "timed out after 0.1 seconds",
        "task": "timed out after 0.1 seconds",
    ]

    @Test("a name stands in front of a failure once, on stderr, in JSON and in what a last task gets")
    func once() async throws {
        let words = ["run", "flow.json5", "--allow-run", "sleep", "--keep-going"]
        let plain = try await BuiltCommand.run(words, in: flow.folder.url)
        #expect(
            plain.complaints.sorted() == Self.words.map { "stepline: \($0) failed: \($1)" }.sorted())
        let logged = try await BuiltCommand.run(words + ["--json"], in: flow.folder.url)
        for line in logged.complaints {
            let event = try JSON(parsing: line)
            guard event["event"]?.string == "failed", let task = event["task"]?.string,
                let error = event["error"]?.string
            else { continue }
            #expect(!error.hasPrefix("\(task): "), "\(line)")
        }
        for failure in try JSON(parsing: try flow.folder.text("failures.json")).elements {
            let (task, cause) = (failure["task"]?.string ?? "", failure["cause"]?.string ?? "")
            #expect(cause == "timed out after 0.1 seconds" || cause == Self.words[task], "\(failure)")
        }
    }
}
