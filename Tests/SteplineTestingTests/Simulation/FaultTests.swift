import Foundation
import Stepline
import SteplineTesting
import Synchronization
import Testing

/// Injected faults, in simulations and in real runs.
@Suite("Faults", .timeLimit(.minutes(5)))
struct FaultTests {
    /// Bodies that say that they ran: a closure, an async one, and a task that ends by call.
    private func tasks(
        _ workflow: Workflow, _ ran: Recorder<String>, retries: Int = 1, timeout: Duration? = nil
    ) throws -> [WorkflowTask] {
        var options = TaskOptions()
        options.timeout = timeout
        options.retry = .constant(attempts: retries, delay: .seconds(1), when: { _ in true })
        let ends = BlockTask(name: "ends", options: options) { attempt in
            ran.record("ends")
            attempt.finish()
        }
        try workflow.add(ends)
        return [
            try workflow.add("sync", options: options) { ran.record("sync") }.task,
            try workflow.add("async", options: options) {
                await Task.yield()
                ran.record("async")
            }.task, ends,
        ]
    }

    @Test("an attempt fails before its body or behind it, and is tried again", arguments: [false, true])
    func failures(afterBody: Bool) async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = ["sync", "async", "ends"].map {
                .fail(task: $0, attempt: 1, afterBody: afterBody)
            }
            let ran = Recorder<String>()
            let workflow = Workflow("three")
            let tasks = try tasks(workflow, ran, retries: 2)
            try await workflow.run()
            simulation.expect(tasks.allSatisfy(\.isFinished), "each is finished in its second attempt")
            simulation.expect(ran.values.count == (afterBody ? 6 : 3), "\(ran.values)")
            simulation.expect(simulation.clock.uptime >= .seconds(1))
        }
    }

    @Test("without another attempt the fault is the task's error")
    func failed() async throws {
        struct Odd: Error {}
        let simulation = Simulation(seed: 3)
        try await simulation.run { simulation in
            simulation.faults = [.fail(task: "sync", with: Odd()), .fail(task: "async")]
            let workflow = Workflow("three")
            let tasks = try tasks(workflow, Recorder())
            _ = try? await workflow.run()
            simulation.expect(tasks.map(\.state.description) == ["Failed", "Failed", "Finished"])
            simulation.expect(tasks[0].error is Odd)
            simulation.expect(tasks[1].error is InjectedFault)
        }
        #expect(simulation.log.contains("‘async’ fails: ‘async’ fails on purpose"))
    }

    @Test("a body that is held up begins later, and its time-out counts")
    func delays() async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = ["sync", "async", "ends", "hasty"].map { .delay(task: $0, by: .seconds(90)) }
            let ran = Recorder<String>()
            let workflow = Workflow("three")
            let tasks = try tasks(workflow, ran)
            let hasty = try workflow.add("hasty", options: TaskOptions(timeout: .seconds(30))) {}
            _ = try? await workflow.run()
            simulation.expect(ran.values.sorted() == ["async", "ends", "sync"])
            simulation.expect(tasks.allSatisfy(\.isFinished) && hasty.task.isFailed)
            simulation.expect(simulation.clock.uptime == .seconds(90))
        }
    }

    @Test("a body that hangs ends when it is stopped")
    func hangs() async throws {
        try await explore(seeds: 1...20) { simulation in
            simulation.faults = [
                .hang(task: "sync"), .hang(task: "async", attempt: 1), .hang(task: "held"),
            ]
            let ran = Recorder<String>()
            let workflow = Workflow("three")
            let tasks = try tasks(workflow, ran, retries: 2, timeout: .seconds(30))
            let held = try workflow.add("held") {}
            let late = simulation.clock.schedule(after: .seconds(600)) { workflow.cancel() }
            _ = try? await workflow.run()
            late.cancel()
            simulation.expect(ran.values.sorted() == ["async", "ends"])
            simulation.expect(tasks[0].isFailed && tasks[1].isFinished && held.task.isCancelled)
        }
    }

    @Test("a body that hangs for ever ends the play as stuck")
    func stuck() async throws {
        let error = await #expect(throws: SimulationError.self) {
            try await Simulation(seed: 1).run { simulation in
                simulation.faults = [.hang(task: "sync")]
                let workflow = Workflow("three")
                _ = try tasks(workflow, Recorder())
                try await workflow.run()
            }
        }
        #expect(error?.code == .stuck)
    }

    @Test("faults by chance are the same for one seed, whatever comes first")
    func chance() async throws {
        @Sendable func failures(_ simulation: Simulation) async throws -> [String] {
            simulation.faults = [.random(rate: 0.3)]
            let workflow = Workflow("many")
            for number in 1...100 { try workflow.add("t\(number)") {} }
            _ = try? await workflow.run()
            return workflow.allTasks.filter(\.isFailed).map(\.name)
        }
        let first = try await Simulation(seed: 5).run(failures)
        #expect((5...40).contains(first.count))
        #expect(try await Simulation(seed: 5, width: 1).run(failures) == first)
        #expect(try await Simulation(seed: 6).run(failures) != first)
    }

    @Test("a real run gets faults by its options")
    func realRun() async throws {
        let ran = Recorder<String>()
        let workflow = Workflow(
            "real",
            options: WorkflowOptions(
                faults: [
                    .fail(task: "sync", attempt: 1, afterBody: true),
                    .delay(task: "ends", by: .milliseconds(5)),
                    .fail(task: "async", with: CancellationError()),
                ], clock: ManualClock(runsByItself: true)))
        let tasks = try tasks(workflow, ran, retries: 2)
        _ = try? await workflow.run()
        #expect(tasks.map(\.state.description) == ["Finished", "Failed", "Finished"])
        #expect(ran.values.sorted() == ["ends", "sync", "sync"])
    }

    @Test("a truncation doesn't hide that no rule is for a request")
    func truncationWithoutRule() async throws {
        let double = TransportDouble(faults: [.network(.truncated(after: 0), every: 1)])
        let page = try #require(URL(string: "https://example.com/page"))
        let pipeline = Pipeline { URLLoadStep(page, through: URLTaskManager(transport: double)) }
        let error = await #expect(throws: (any Error).self) { try await pipeline.run() }
        #expect(error.map { "\($0)".contains("no rule is for GET https://example.com/page") } == true)
    }

    @Test("the network's faults reach what is loaded in the play, and each n-th request alone")
    func network() async throws {
        let page = try #require(URL(string: "https://example.com/page"))
        for (fault, isMet) in [
            (Fault.Network.reset, true), (.truncated(after: 2), true), (.refused, true), (.status(503), true),
            (.status(204), false),
        ] {
            let isSaid = fault == .reset || fault == .refused
            let simulation = Simulation(seed: 2)
            let failed = try await simulation.run { simulation in
                simulation.faults = [.network(fault, every: 3)]
                let transport = TransportDouble()
                transport.on("GET", page.absoluteString, .text("hello"))
                let urls = URLTaskManager(transport: transport)
                var failed: [Int] = []
                for number in 1...7 {
                    let pipeline = Pipeline { URLLoadStep(page, through: urls) }
                    do { _ = try await pipeline.run() } catch {
                        failed.append(number)
                        if isSaid { simulation.expect("\(error)".contains("on purpose"), "\(error)") }
                    }
                }
                return failed
            }
            #expect(failed == (isMet ? [3, 6] : []), "\(fault)")
        }
    }
}
