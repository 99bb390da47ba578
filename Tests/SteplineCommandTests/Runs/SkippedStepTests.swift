import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline runs: skipped tasks", .timeLimit(.minutes(5)))
struct SkippedStepTests {
    private static let file = """
        { parameters: { publish: false }, tasks: {
          list: { steps: [ { value: [1, 2] } ] },
          send: { after: "list", when: "publish", steps: [ { value: "sent" } ] },
          told: { after: "send", steps: [ { transform: "it + '!'" } ] },
        } }
        """
    private static let reason = "it takes the result of \"send\", which is skipped"

    private func begun() async throws -> FlowCommandRun {
        let flow = try FlowCommandRun(Self.file)
        let run = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(run.status == 0, "\(run.errors)")
        return flow
    }

    /// Returns the line about a step, with single blanks between its columns.
    private func line(_ step: String, in output: String) -> String? {
        output.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }.first { $0.hasPrefix(step + " ") || $0.contains(" \(step) ") }
    }

    @Test(
        "show, report and log list skipped steps with reasons and count them apart, show also without the file"
    )
    func shown() async throws {
        let flow = try await begun()
        let shown = try await flow("runs", "show", "k", "--store", "runs.db", "--report", "r.html").output
        #expect(try flow.folder.text("r.html").contains("skipped: when: publish"))
        #expect(shown.hasPrefix("flow/k: finished, 1 step finished, 2 skipped, 0 failed\n"), "\(shown)")
        #expect(line("list", in: shown)?.hasPrefix("list finished 1 ") == true, "\(shown)")
        #expect(line("send", in: shown)?.hasPrefix("send skipped 1 ") == true, "\(shown)")
        #expect(line("send", in: shown)?.hasSuffix("when: publish") == true, "\(shown)")
        #expect(line("told", in: shown)?.hasSuffix(Self.reason) == true, "\(shown)")
        let log = try await flow("runs", "log", "k", "--store", "runs.db").output
        #expect(line("send", in: log)?.contains("send 1 skipped") == true, "\(log)")
        let object = try JSON(
            parsing: try await flow("runs", "show", "k", "send", "--store", "runs.db", "--json").data)
        let step = try #require(object["steps"]?.array?.first)
        #expect(step["state"] == "skipped" && step["reason"] == "when: publish", "\(step)")
        let followed = try await flow("runs", "show", "k", "--follow", "--store", "runs.db").output
        #expect(followed.contains(" send skipped") && followed.contains(": when: publish\n"), "\(followed)")
        #expect(followed.contains("1 step finished, 2 skipped"), "\(followed)")
        // Without its file, the run has its skipped steps from their results.
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "flow.json5"))
        let stored = try await flow("runs", "show", "k", "--store", "runs.db").output
        #expect(line("send", in: stored)?.hasSuffix("when: publish") == true, "\(stored)")
        #expect(line("list", in: stored)?.hasPrefix("list finished 1 ") == true, "\(stored)")
    }

    @Test("a plan keeps a skipped task as skipped, with the reason")
    func planned() async throws {
        let flow = try await begun()
        let plan = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k", "--plan")
        #expect(plan.output.contains("it was skipped: when: publish"), "\(plan.output)")
        #expect(plan.output.contains("it was skipped: \(Self.reason)"), "\(plan.output)")
        #expect(line("list", in: plan.output) == "kept list it has finished", "\(plan.output)")
        let object = try JSON(
            parsing: try await flow(
                "run", "flow.json5", "--store", "runs.db", "--key", "k", "--plan", "--json"
            ).data)
        #expect(
            object["steps"]?.array?.map { $0["reason"] } == ["finished", "skipped", "skipped"], "\(object)")
    }
}
