import Foundation
import Stepline
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting

/// A kept run of every kind of task under messages, cut off anywhere: whatever was done to it, it can be brought to its
/// end.
struct KeptProgram: Sendable {
    private let seed: UInt64
    private let simulation: Simulation?
    private let store = MemoryRunStore()
    private let id = RunID("stress", key: "k")

    init(_ seed: UInt64, in simulation: Simulation? = nil) {
        self.seed = seed
        self.simulation = simulation
    }

    private func makeGraph() throws -> NestedGraph {
        try NestedGraph(seed: seed, isPlayed: simulation != nil)
    }

    // MARK: Interrupted

    /// Runs it in a process that ends somehow.
    func interrupt(_ random: inout StableRandom) async throws {
        let graph = try makeGraph()
        let cut: CuttingStore.Cut =
            Bool.random(using: &random) ? .never : .before(Int.random(in: 3...30, using: &random))
        let cutting = CuttingStore(store, cut)
        let seeds = (0..<2).map { _ in UInt64.random(in: 1...1_000_000, using: &random) }
        let isDone = Gate()
        let running = Task {
            _ = try? await graph.workflow.run(in: cutting, key: "k", retryingFailures: true)
            isDone.open()
            for _ in 0..<2 { cutting.kept.record("over") }
        }
        // A message before the run is open would be refused.
        await cutting.kept.waitForCount(2)
        surprise(running, &random)
        async let other: Void = beSecond(Int.random(in: 0..<4, using: &random) == 0)
        await withTaskGroup(of: Void.self) { group in
            for seed in seeds {
                group.addTask {
                    var random = StableRandom(seed: seed)
                    for _ in 0..<30 where !isDone.isOpen { await send(to: graph, &random) }
                }
            }
        }
        // A task that a message reset isn't started by others.
        graph.turnLuck()
        for workflow in graph.workflows.dropFirst().reversed() where !isDone.isOpen {
            workflow.retry()
            _ = try? await workflow.run()
        }
        if !isDone.isOpen {
            graph.workflow.retry()
            try? graph.workflow.start()
            graph.condition?.fulfill(with: true)
        }
        await running.value
        await other
    }

    /// Has a play cancel the run, or fulfil its condition from outside, or stop waiting for it, at some moment.
    private func surprise(_ running: Task<Void, Never>, _ random: inout StableRandom) {
        guard let simulation else { return }
        simulation.atSomeMoment("go") {
            _ = try? store.send(
                .fulfil(condition: "go", Data("true".utf8)), to: id, at: simulation.clock.now)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            simulation.atSomeMoment("cancel") {
                _ = try? store.send(.cancel("enough"), to: id, at: simulation.clock.now)
            }
        case 1: simulation.atSomeMoment("interrupt") { running.cancel() }
        default: break
        }
    }

    /// Wants to run it while the first is at it, and does once that has ended.
    private func beSecond(_ isThere: Bool) async {
        guard isThere, simulation != nil, let graph = try? makeGraph() else { return }
        graph.turnLuck()
        graph.condition?.fulfill(with: true)
        _ = try? await graph.workflow.run(in: store, key: "k", retryingFailures: true, ifInProgress: .wait)
    }

    private func send(to graph: NestedGraph, _ random: inout StableRandom) async {
        let workflow = graph.workflows[Int.random(in: 0..<3, using: &random)]
        guard let task = workflow.allTasks.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: if Int.random(in: 0..<5, using: &random) == 0 { workflow.cancel() }
        case 1: workflow.reset()
        case 2: workflow.retry()
        case 3: task.cancel()
        case 4: task.reset()
        case 5: task.retry()
        case 6: try? task.start()
        default: await Task.yield()
        }
        if simulation != nil { await Task.yield() }
    }

    // MARK: Brought to its end

    /// Runs it to its end, anew if the cancel that is sent at some moment comes only now: there are two at most.
    private func runUncancelled() async throws -> (NestedGraph, DurableReport) {
        for _ in 1...2 {
            do { return try await runWithLuck() } catch is CancellationError where simulation != nil {}
        }
        return try await runWithLuck()
    }

    private func runWithLuck() async throws -> (NestedGraph, DurableReport) {
        let graph = try makeGraph()
        graph.turnLuck()
        return (graph, try await graph.workflow.run(in: store, key: "k", retryingFailures: true))
    }

    /// Runs it to its end; what is wrong then, or nothing.
    func finish() async throws -> [String] {
        var faults: [String] = []
        if let simulation {
            _ = try store.send(
                .fulfil(condition: "go", Data("true".utf8)), to: id, at: simulation.clock.now)
        }
        let (last, report) = try await runUncancelled()
        if report.run.ending != .finished { faults.append("it ends as \(report.run.ending)") }
        if last.pool.free != last.pool.capacity { faults.append("places are lost") }
        try store.forEachStep(of: id) { step in
            // A message may have reset a task inside a finished one.
            if step.name != "clean", !step.name.contains("/"), step.state != .finished {
                faults.append("\(step.name) is \(step.state)")
            }
        }
        let idle = try await makeGraph().workflow.run(in: store, key: "k")
        if !idle.executed.isEmpty { faults.append("run again: \(idle.executed)") }
        return faults
    }
}
