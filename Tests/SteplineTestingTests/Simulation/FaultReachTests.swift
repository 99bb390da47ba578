import Foundation
import Stepline
import SteplineTesting
import Testing

/// Faults of steps, managed tasks, elements, tasks of sub-workflows, requests and timers.
@Suite("Reach of faults", .timeLimit(.minutes(5)))
struct FaultReachTests {
    private static func retrying(_ attempts: Int = 3) -> RetryPolicy {
        .constant(attempts: attempts, delay: .seconds(1), when: { _ in true })
    }

    // MARK: Steps

    /// A pipeline of a sync step and an async one, whose bodies are counted.
    @Sendable private static func pipeline(
        _ ran: Recorder<String>, timeout: Duration? = nil, suffix: String = ""
    ) -> Pipeline<Int> {
        var options = PipelineOptions()
        options.retry = retrying()
        let sync = BlockStep { () -> Int in
            ran.record("sync")
            return 1
        }
        let async = BlockStep { (number: Int) async -> Int in
            await Task.yield()
            ran.record("async")
            return number + 1
        }
        (sync.options.name, async.options.name) = ("sync\(suffix)", "async\(suffix)")
        async.options.timeout = timeout
        return Pipeline("line", options: options) {
            sync
            async
        }
    }

    @Test("a step fails before its body or behind it, and is tried again", arguments: [false, true])
    func steps(afterBody: Bool) async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = ["sync", "async"].map { .fail(task: $0, attempt: 1, afterBody: afterBody) }
            let ran = Recorder<String>()
            let made = try await Self.pipeline(ran).run()
            simulation.expect(made == 2 && ran.count == (afterBody ? 4 : 2), "\(ran.values)")
            simulation.expect(simulation.clock.uptime == .seconds(2) && simulation.idleFaults.isEmpty)
        }
    }

    @Test("a step begins later, or hangs until its time-out, and the story tells of it")
    func lateSteps() async throws {
        let simulation = Simulation(seed: 1)
        try await simulation.run { simulation in
            simulation.faults = [
                .delay(task: "sync", by: .seconds(90)), .hang(task: "async", attempt: 1),
            ]
            let made = try await Self.pipeline(Recorder(), timeout: .seconds(30)).run()
            simulation.expect(made == 2 && simulation.clock.uptime == .seconds(121))
        }
        #expect(simulation.log.contains("+90.0 s  step ‘sync’ ends"))
        #expect(simulation.log.contains("+121.0 s  step ‘async’ ends"))
    }

    @Test("a pipeline is cancelled while one of its steps hangs or is held up", arguments: [false, true])
    func cancelledSteps(hangs: Bool) async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = [hangs ? .hang(task: "sync") : .delay(task: "sync", by: .seconds(90))]
            let ran = Recorder<String>()
            let pipeline = Self.pipeline(ran)
            simulation.clock.schedule(after: .seconds(5)) { pipeline.cancel() }
            let outcome = await pipeline.outcome()
            if case .cancelled = outcome {} else { simulation.expect(false, "\(outcome)") }
            simulation.expect(simulation.clock.uptime == .seconds(5) && ran.count == 0)
        }
    }

    // MARK: Managed tasks

    private struct Counted: ManagedTask {
        var name = "counted"
        let ran: Recorder<Void>

        func execute() async throws -> Int {
            ran.record(())
            return 1
        }
    }

    @Test("a managed task fails, begins late or hangs")
    func managed() async throws {
        let simulation = Simulation(seed: 1)
        try await simulation.run { simulation in
            simulation.faults = [
                .fail(task: "early"), .fail(task: "late", afterBody: true), .hang(task: "hung"),
                .delay(task: "slow", by: .seconds(90)),
            ]
            let manager = TaskManager("m")
            let ran = Recorder<Void>()
            var ends: [String: String] = [:]
            for name in ["early", "late", "hung", "slow"] {
                var options = TaskManager.AddOptions()
                options.timeout = .seconds(100)
                let outcome = await manager.add(Counted(name: name, ran: ran), options: options).outcome()
                switch outcome {
                case .success: ends[name] = "success"
                case .failure(let error): ends[name] = error is InjectedFault ? "fault" : "failure"
                case .cancelled: ends[name] = "cancelled"
                }
            }
            simulation.expect(
                ends == ["early": "fault", "late": "fault", "hung": "failure", "slow": "success"], "\(ends)")
            simulation.expect(ran.count == 2 && simulation.clock.uptime == .seconds(190))
        }
        #expect(simulation.log.contains("+0.0 s  managed task ‘early’ fails: ‘early’ fails on purpose"))
        #expect(simulation.log.hasSuffix("+190.0 s  managed task ‘slow’ ends"))
    }

    // MARK: Inside of workflows

    /// Maps over what is known and over a result, and a workflow inside.
    private static func nested(_ faults: [Fault], clock: any StepClock) throws -> Workflow {
        var options = TaskOptions()
        options.retry = retrying(2)
        let inner = Workflow("inner", options: WorkflowOptions(clock: clock))
        try inner.add("deep", options: options) {}
        let deepest = Workflow("deepest", options: WorkflowOptions(clock: clock))
        try deepest.add("deeper", options: options) {}
        try inner.add(SubworkflowTask(name: "further", subworkflow: deepest))
        let workflow = Workflow("outer", options: WorkflowOptions(faults: faults, clock: clock))
        try workflow.add(SubworkflowTask(name: "inside", subworkflow: inner))
        try workflow.map("known", over: [1, 2], options: options) { $0 }
        let list = try workflow.add("list") { [1, 2] }
        try workflow.map("found", over: list, options: options) { $0 }
        return workflow
    }

    private static let insiders = ["deep", "deeper", "known[1]", "found[1]"]

    /// The attempts that those took, the deepest first.
    private static func attempts(_ workflow: Workflow) -> [Int] {
        var found: [String: Int] = [:]
        var rest = [workflow]
        while let next = rest.popLast() {
            for task in next.allTasks {
                found[task.name] = task.snapshot.attempt
                if let inside = (task as? SubworkflowTask)?.subworkflow { rest.append(inside) }
            }
        }
        return insiders.map { found[$0] ?? 0 }
    }

    @Test("elements of maps and tasks of workflows inside are reached by their names, in a play")
    func insidePlay() async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = Self.insiders.map { .fail(task: $0, attempt: 1) }
            let workflow = try Self.nested([], clock: .system)
            try await workflow.run()
            simulation.expect(Self.attempts(workflow) == [2, 2, 2, 2], "\(Self.attempts(workflow))")
            simulation.expect(simulation.idleFaults.isEmpty)
        }
    }

    @Test(
        "elements of maps and tasks of workflows inside are reached by a workflow's own faults in a real run")
    func insideRealRun() async throws {
        let faults = Self.insiders.map { Fault.fail(task: $0, attempt: 1) }
        let workflow = try Self.nested(faults, clock: ManualClock(runsByItself: true))
        #expect(workflow.check().isEmpty)
        try await workflow.run()
        #expect(Self.attempts(workflow) == [2, 2, 2, 2])
    }

    @Test("elements that wait for places fail, begin late or hang as others do")
    func pooled() async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = [
                .delay(task: "page[0]", by: .seconds(90)), .hang(task: "page[1]"),
                .fail(task: "page[2]"), .fail(task: "page[3]", afterBody: true), .fail(task: "page[4]"),
            ]
            let workflow = Workflow("pages")
            let options = TaskOptions(timeout: .seconds(100))
            let ends = try workflow.mapCollectingFailures(
                "page", over: Array(0...5), limit: 2, options: options
            ) {
                await Task.yield()
                return $0
            }
            try await workflow.run()
            let made = try await ends.value.map { try? $0.get() }
            simulation.expect(made == [0, nil, nil, nil, nil, 5], "\(made)")
            simulation.expect(simulation.clock.uptime == .seconds(100))
        }
    }

    @Test("check() warns of faults that name nothing in the workflow")
    func idleFaults() throws {
        let workflow = try Self.nested(
            [
                .fail(task: "lsit"), .hang(task: "found[7]"), .hang(task: "deeper"),
                .network(.reset, every: 2),
                .lateTimers(rate: 1, by: .seconds(1)), .random(rate: 0), .crash(rate: 0),
            ], clock: .system)
        let issues = workflow.check()
        #expect(issues.map(\.code) == [.idleFault, .idleFault, .idleFault])
        #expect(issues.allSatisfy { $0.severity == .warning })
        #expect("\(issues[0])".contains(#".fail(task: "lsit") is meant for a task that isn't there"#))
        #expect("\(issues[1])".contains(".network(.reset, every: 2) is for simulations"))
    }

    @Test("a play names the faults that did nothing, such as those of misspelt names")
    func idlePlays() async throws {
        let exploration = try await explore(seeds: 1...5) { simulation in
            simulation.faults = [
                .fail(task: "lsit"), .delay(task: "list", by: .seconds(1)), .network(.reset, every: 3),
                .random(rate: 0.01), .hang(task: "list", attempt: 7),
            ]
            let workflow = Workflow("w")
            try workflow.add("list") {}
            _ = try? await workflow.run()
        }
        #expect(
            exploration.idleFaults == [
                #".fail(task: "lsit")"#, ".network(.reset, every: 3)", #".hang(task: "list", attempt: 7)"#,
            ])
    }

    // MARK: Chance

    @Test("faults by chance reach steps, managed tasks and requests, and are the same for one seed")
    func chance() async throws {
        let page = try #require(URL(string: "https://example.com/page"))
        @Sendable func log(_ seed: UInt64) async throws -> String {
            let simulation = Simulation(seed: seed)
            try await simulation.run { simulation in
                simulation.faults = [.random(rate: 0.3)]
                let transport = TransportDouble()
                transport.on("GET", page.absoluteString, .text("hello"))
                let urls = URLTaskManager(transport: transport)
                for number in 1...20 {
                    _ = try? await Pipeline { URLLoadStep(page, through: urls) }.run()
                    _ = try? await Self.pipeline(Recorder(), suffix: " \(number)").run()
                    let task = Counted(name: "counted \(number)", ran: Recorder())
                    _ = try? await TaskManager("m").add(task).value
                }
            }
            #expect(simulation.foreign.isEmpty)
            return simulation.log
        }
        let first = try await log(5)
        #expect(try await log(5) == first)
        #expect(try await log(6) != first)
        for what in ["sync", "async", "counted"] {
            let lines = first.split(separator: "\n").filter { $0.contains("‘\(what) ") }
            #expect(lines.contains { $0.contains("by chance") } && lines.contains { $0.hasSuffix("ends") })
        }
        let loads = first.split(separator: "\n").filter { $0.contains("‘GET ") }
        #expect(
            loads.contains { $0.contains("fails") } && loads.contains { $0.hasSuffix("ends") }, "\(loads)")
    }

    @Test("timers go off late by chance, never early, and alike for one seed")
    func lateTimers() async throws {
        @Sendable func waits(_ seed: UInt64) async throws -> [Duration] {
            try await Simulation(seed: seed).run { simulation in
                simulation.faults = [.lateTimers(rate: 0.5, by: .seconds(1))]
                var waits: [Duration] = []
                for _ in 1...50 {
                    let before = simulation.clock.uptime
                    try await SystemClock.shared.sleep(for: .seconds(10))
                    waits.append(simulation.clock.uptime - before)
                }
                return waits
            }
        }
        let first = try await waits(1)
        #expect(first.allSatisfy { (.seconds(10) ... .seconds(11)).contains($0) })
        #expect((10...40).contains(first.count { $0 > .seconds(10) }))
        #expect(try await waits(1) == first)
        #expect(try await waits(2) != first)
    }

    @Test("a real network is reported, since no seed controls it")
    func realNetwork() async throws {
        let server = try LoopbackServer()
        server.route("/page", .text("hello"))
        let simulation = Simulation(seed: 1)
        _ = try await simulation.run { _ in
            try await Pipeline { URLLoadStep(server.url("/page")) }.run()
        }
        #expect(simulation.foreign.contains("127.0.0.1 is asked over the network"), "\(simulation.foreign)")
    }
}
