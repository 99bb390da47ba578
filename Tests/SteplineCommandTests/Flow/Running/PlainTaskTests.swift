import Foundation
import SteplineJSON
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand

/// Steps that wait for nothing run without a pipeline; nobody can tell by what comes of it.
@Suite("Workflow files: tasks without a pipeline", .timeLimit(.minutes(5)))
struct PlainTaskTests {
    /// Steps that succeed, or fail, by what comes before them.
    private static let steps = [
        #"{ value: 3 }"#, #"{ value: [1, 2, 3] }"#, #"{ value: { a: { b: [1, 2] } } }"#,
        #"{ value: "x,y\n1,2\n" }"#,
        #"{ value: "${tasks.first}" }"#, #"{ use: "first" }"#, #"{ transform: "it" }"#,
        #"{ transform: "it.a.b" }"#, #"{ transform: "it + 1", name: "count on" }"#,
        #"{ transform: "length(it)" }"#,
        #"{ each: "it * 2" }"#, #"{ filter: "it > 1" }"#, #"{ filter: "it" }"#, #"{ parse: "csv" }"#,
        #"{ parse: "json" }"#, #"{ parse: "text" }"#, #"{ select: "$.a.b[*]" }"#, #"{ first: "$[1]" }"#,
        #"{ first: "$.a", default: 7 }"#, #"{ columns: { n: "$.b" }, rows: "$.a" }"#,
        #"{ transform: "number('${1 + 1}')" }"#, #"{ load: "data:,1" }"#,
    ]

    private func plan(_ text: String) throws -> FlowPlan {
        let source = FlowSource(name: "/tmp/f", text: text)
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(source, &issues))
        let folder = FlowFolder(ofFile: "/tmp/f", in: "/tmp")
        // What the check would find is left for the run to find.
        let order = FlowChecker.check(file, folder: folder, &issues)
        var plan = FlowPlan(file, order: order, setting: FlowSetting(source: source, folder: folder))
        plan.keptAttempts = 10
        return plan
    }

    /// What each task has come to, a line for each.
    private func outcomes(_ plan: FlowPlan) async throws -> [String] {
        let workflow = try plan.workflow()
        _ = await workflow.outcome()
        let graph = workflow.graph { FlowInclusionTask.workflow(inside: $0) }
        let attempts = Dictionary(uniqueKeysWithValues: graph.tasks.map { ($0.name, $0.attempts.count) })
        return try workflow.allTasks.map { task in
            let result = task.result as? FlowResult
            let value = try result?.value.forFormulas().description ?? "none"
            return "\(task.name) \(task.state) \(value) \(result?.skipped ?? "") "
                + "\(task.error.map { ErrorText.line($0) } ?? "") \(attempts[task.name] ?? 0)"
        }
    }

    @Test("random steps end the same in a plain task and in a pipeline", arguments: 0..<Chance.rounds(20))
    func same(seed: Int) async throws {
        var random = StableRandom(seed: Chance.seed &+ UInt64(seed))
        func steps() -> String {
            let count = Int.random(in: 1...4, using: &random)
            return (0..<count).compactMap { _ in Self.steps.randomElement(using: &random) }.joined(
                separator: ", ")
        }
        let when = seed.isMultiple(of: 5) ? "when: \"length(tasks.first) > 2\"," : ""
        let text = """
            { tasks: {
              first: { steps: [ { value: [1, 2, 3] } ] },
              second: { after: "first", \(when) retry: { attempts: 2, base: "1ms", when: "always" }, steps: [ \(steps()) ] },
              third: { after: ["first", "second"], allowFailure: "second", steps: [ \(steps()) ] },
              all: { after: "first", map: "${tasks.first}", skipFailures: \(Bool.random(using: &random)),
                steps: [ \(steps()) ] },
              last: { runs: "always", steps: [ \(steps()) ] },
            } }
            """
        var plan = try plan(text)
        let plain = try await outcomes(plan)
        plan.followsSteps = true
        let piped = try await outcomes(plan)
        #expect(plain == piped, "\(text)")
    }

    @Test("a task that waits, retries or is followed runs as a pipeline")
    func plain() throws {
        func isPlain(_ keys: String, _ change: (inout FlowPlan) -> Void = { _ in }) throws -> Bool {
            var plan = try plan("{ tasks: { a: { steps: [ { \(keys) } ] } } }")
            change(&plan)
            return plan.isPlain(try #require(plan.order.first))
        }
        #expect(try isPlain("value: 1") && isPlain("save: 'x'"))
        for keys in ["load: 'x'", "pages: 'https://h/'", "run: ['true']"] { #expect(try !isPlain(keys)) }
        for keys in ["retry: 2", "timeout: 1"] {
            #expect(try !isPlain("value: 1, \(keys)"))
        }
        #expect(
            try !isPlain("value: 1") { $0.followsSteps = true } && !isPlain("value: 1") { $0.isKept = true })
    }

    @Test("a task that is cancelled between two steps runs no more of them")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let source = FlowSource(
            name: folder.url.path + "/f",
            text: "{ tasks: { a: { steps: [ { value: 1 }, { save: 'one' }, { save: 'two' } ] } } }")
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(source, &issues))
        var setting = FlowSetting(
            source: source, folder: FlowFolder(ofFile: source.name, in: folder.url.path))
        let running = Locked<Workflow?>(nil)
        // Called when a file has been written.
        setting.saved = { _ in running.withLock { $0 }?.cancel() }
        let workflow = try FlowPlan(file, order: file.tasks, setting: setting).workflow()
        running.withLock { $0 = workflow }
        _ = await workflow.outcome()
        #expect(workflow.allTasks.first?.state == .cancelled)
        #expect(try folder.names() == ["one"])
    }
}
