import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite("Workflow files: the subject of failures", .timeLimit(.minutes(5)))
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

    private static let tasks = ["element", "file", "files", "map", "task"]

    @Test("a failure names its task once on stderr, in JSON and for a last task")
    func once() async throws {
        let words = ["run", "flow.json5", "--allow-run", "sleep", "--keep-going"]
        let plain = try await Command.run(words, in: flow.folder.url)
        let failures = try plain.complaints.sorted().map { line in
            try #require(line.wholeMatch(of: /stepline: (\w+) failed: (.*)/), "\(line)").output
        }
        #expect(failures.map { String($0.1) } == Self.tasks)
        // An element has the name of its map and its number.
        for (_, task, cause) in failures {
            let subject = task == "element" ? "element[1]: " : ""
            #expect(cause.hasPrefix(subject) && !cause.dropFirst(subject.count).contains(task), "\(cause)")
        }
        let logged = try await Command.run(words + ["--log-format", "json"], in: flow.folder.url)
        let events = try logged.complaints.map { try JSON(parsing: $0) }.filter {
            $0["event"]?.string == "failed"
        }
        let failed = Set(events.compactMap { $0["task"]?.string })
        #expect(failed.isSuperset(of: Self.tasks), "\(failed)")
        for event in events {
            let (task, error) = (event["task"]?.string ?? "", event["error"]?.string ?? "")
            #expect(!error.hasPrefix("\(task): "), "\(event)")
        }
        for failure in try JSON(parsing: try flow.folder.text("failures.json")).elements {
            let (task, cause) = (failure["task"]?.string ?? "", failure["cause"]?.string ?? "")
            #expect(!cause.isEmpty && !cause.hasPrefix("\(task): "), "\(failure)")
        }
    }
}
