import Foundation
import SteplineEngine
import SteplineJSON
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: the turns of steps", .timeLimit(.minutes(5)))
struct StepTurnTests {
    private func plan(_ text: String, _ clock: any StepClock) throws -> FlowPlan {
        let source = FlowSource(name: "/tmp/f", text: text)
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(source, &issues))
        let folder = FlowFolder(ofFile: "/tmp/f", in: "/tmp")
        let order = FlowChecker.check(file, folder: folder, &issues)
        try #require(issues.all.isEmpty, "\(issues.all)")
        var setting = FlowSetting(source: source, folder: folder)
        setting.clock = clock
        var plan = FlowPlan(file, order: order, setting: setting)
        plan.settleLimits()
        return plan
    }

    @Test("a rate lets one begin at once, and each of the others its time after the one before")
    func rate() async throws {
        let clock = ManualClock()
        let turn = FlowTurn(pace: FlowPace(perSecond: 2), places: [:], priority: .normal)
        try await turn.take(clock, nil).giveBack()
        let told = Locked<[Bool]>([])
        let others = Locked(0)
        async let second: Void = turn.take(clock) { isWaiting in told.withLock { $0.append(isWaiting) } }
            .giveBack()
        await clock.waitForScheduled()
        async let third: Void = {
            try await turn.take(clock, nil).giveBack()
            others.withLock { $0 += 1 }
        }()
        clock.advance(by: .milliseconds(499))
        #expect(told.withLock { $0 } == [true])
        clock.advance(by: .milliseconds(1))
        try await second
        #expect(told.withLock { $0 } == [true, false] && others.withLock { $0 } == 0)
        await clock.waitForScheduled()
        clock.advance(by: .milliseconds(500))
        try await third
    }

    @Test("of those that wait for a pool the highest priority goes first, and one that is cancelled never")
    func priority() async throws {
        let pool = Pool(capacity: 1)
        func turn(_ priority: Priority) -> FlowTurn {
            FlowTurn(pace: nil, places: [pool: 1], priority: priority)
        }
        let clock = ManualClock()
        let held = try await turn(.normal).take(clock, nil)
        let order = Locked<[String]>([])
        func enter(_ name: String, _ priority: Priority) async -> Task<Void, any Error> {
            let waits = OneShot<Void>()
            let turn = turn(priority)
            let task = Task {
                let pass = try await turn.take(clock) { if $0 { waits.fulfill(()) } }
                order.withLock { $0.append(name) }
                pass.giveBack()
            }
            // It is told once it stands in line.
            await waits.value
            return task
        }
        let low = await enter("low", .low)
        let usual = await enter("usual", .normal)
        let never = await enter("never", .critical)
        let high = await enter("high", .high)
        never.cancel()
        await #expect(throws: CancellationError.self) { try await never.value }
        held.giveBack()
        for task in [low, usual, high] { try await task.value }
        #expect(order.withLock { $0 } == ["high", "usual", "low"] && pool.free == 1)
    }

    @Test("no time-out counts the wait, neither the step's nor its task's")
    func timeouts() async throws {
        let clock = ManualClock()
        let text = """
            { tasks: { a: { map: [1, 2], limit: 1, timeout: "2s", steps: [
              { transform: "it + 1", rate: 0.001, timeout: "1s" } ] } } }
            """
        let workflow = try plan(text, clock).workflow()
        let run = Task { _ = try await workflow.run() }
        await clock.waitForScheduled(after: .seconds(1000))
        clock.advance(by: .seconds(1000))
        try await run.value
        let value = FlowResult.value(of: workflow.allTasks.first?.result)
        #expect(try value?.forFormulas().description == "[2,3]")
    }

    @Test("each attempt takes its turn, and gives it back: one that kept it would wait for itself")
    func attempts() async throws {
        let text = """
            { pools: { p: 1 }, tasks: { a: { map: [1, 2], skipFailures: true, steps: [
              { transform: "number('x')", pool: "p", retry: { attempts: 2, when: "always" } } ] } } }
            """
        let workflow = try plan(text, ManualClock(runsByItself: true)).workflow()
        _ = await workflow.outcome()
        let error = workflow.allTasks.first?.error.map { ErrorText.line($0) }
        #expect(error?.contains("after 2 attempts: number(): \"x\" spells no number") == true)
    }

    @Test("a pool of steps lets only as many run at once as it has places, whatever runs them")
    func pool() async throws {
        let run = try FlowCommandRun(
            """
            { pools: { one: 1 }, tasks: {
              a: { map: [1, 2, 3, 4, 5, 6, 7, 8], steps: [ { run: ["sh", "once"], pool: "one" } ] },
              b: { map: [1, 2, 3, 4, 5, 6, 7, 8], steps: [ { run: ["sh", "once"], pools: { one: 1 } } ] } } }
            """)
        // Fails where another is at it.
        try run.write("mkdir held && rmdir held", to: "once")
        let result = try await run("run", "flow.json5", "--allow-run", "sh")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("a load takes its turn as well: it is tried again, and its failure has its place in the file")
    func load() async throws {
        let server = try LoopbackServer()
        let asked = Locked(0)
        server.route("/late") { _ in
            asked.withLock { $0 += 1 }
            return asked.withLock { $0 } == 1 ? .status(503) : .text("[1, 2]")
        }
        let run = try FlowCommandRun(
            """
            { pools: { net: 1 }, tasks: {
              good: { steps: [
                { load: "\(server.url("/late"))", pool: "net", rate: 100, retry: { attempts: 2, base: "1ms" } },
                { parse: "json" }, { save: "out.json" } ] },
              bad: { steps: [ { load: "\(server.url("/none"))", pool: "net" } ] } } }
            """)
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1 && result.complaints.count == 1, "\(result.errors)")
        #expect(result.errors.contains("bad failed: load") && result.errors.contains("(flow.json5:5:21)"))
        #expect(try run.folder.text("out.json") == "[1,2]\n")
    }

    @Test("explain tells how a step is run")
    func explained() async throws {
        let run = try FlowCommandRun(
            """
            { pools: { p: 2 }, tasks: { a: { steps: [
              { value: 1, pools: { p: 2 }, rate: 0.5, retry: 3, timeout: "2s", priority: "high" } ] } } }
            """)
        let result = try await run("explain", "flow.json5", "a")
        let terms =
            "line 2; up to 3 times; each attempt at most 2.0 seconds; at most 0.5 a second; 2 of p; priority high"
        #expect(result.output.contains("1. value (\(terms))"), "\(result.output)")
    }
}
