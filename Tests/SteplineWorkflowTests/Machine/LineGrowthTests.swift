import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineWorkflow

/// Tasks that are cancelled and retried while they wait, and elements that a map leaves out, cost nothing later.
@Suite("Growth of lines", .timeLimit(.minutes(5)))
struct LineGrowthTests {
    /// Cancels and retries tasks that wait behind one that holds the only slot, then lets all end.
    private func churn(
        _ options: WorkflowOptions, _ task: TaskOptions, length: (WorkflowMachine) -> Int
    ) async throws {
        let gate = Gate(), order = Recorder<Int>()
        let workflow = Workflow(options: options)
        try workflow.add("holder", options: task) { await gate.wait() }
        let waiting = try (0..<3).map { number in
            try workflow.add("waiting", options: task) { order.record(number) }
        }
        try workflow.start()
        await gate.waitForArrivals()
        await eventually { workflow.core.look { length($0) } == 3 }
        for _ in 0..<1000 {
            waiting[1].task.cancel()
            waiting[1].task.retry()
        }
        #expect(workflow.core.look { length($0) } <= 160)
        gate.open()
        try await workflow.run()
        #expect(order.values.sorted() == [0, 1, 2])
    }

    @Test(arguments: [Priority.normal, .critical])
    func `a line after the limit stays short`(priority: Priority) async throws {
        try await churn(.init(maximumConcurrency: 1), .init(priority: priority)) { $0.ready.count }
    }

    @Test(arguments: [0, 1, 3])
    func `a map that gets new keys walks over the present elements only`(kept: Int) async throws {
        let workflow = Workflow(), rounds = Locked(0)
        let list = try workflow.add("list") {
            let first = rounds.withLock { rounds in
                rounds += 1
                return rounds * 10
            }
            return (0..<10).map { $0 < kept ? $0 : first + $0 }
        }
        let map = try workflow.map("map", over: list, key: { "\($0)" }) { $0 }
        let inside = try #require(map.task as? SubworkflowTask).subworkflow
        for _ in 0..<50 {
            workflow.reset()
            try await workflow.run()
            #expect(map.result == list.result)
        }
        #expect(inside.taskCount == 10)
        let walked = inside.core.look { machine in machine.tasks.all.map { machine.tasks[$0].state } }
        #expect(walked == Array(repeating: .finished, count: 10))
    }

    @Test func `numbers that are removed in any order are left out`() {
        var random = StableRandom(seed: Chance.seed)
        for _ in 0..<100 {
            var numbers = TaskNumbers(), model: [Int32] = []
            for number in 0..<Int32(40) {
                numbers.append()
                model.append(number)
            }
            for number in model.shuffled(using: &random).prefix(Int.random(in: 0...40, using: &random)) {
                numbers.remove(number)
                model.removeAll { $0 == number }
                #expect(Array(numbers) == model)
            }
        }
    }

    @Test func `void tickets of deferred tasks are removed`() {
        var external = ExternalTasks()
        external.deferTask(1)
        for _ in 0..<1000 {
            external.deferTask(2)
            external.void(2)
        }
        external.deferTask(3)
        #expect(external.deferredCount <= 70)
        #expect([external.nextDeferred(), external.nextDeferred(), external.nextDeferred()] == [1, 3, nil])
    }

    @Test func `a cancelled wait for a value leaves no waiter`() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        let value = try TaskRef<Int>(task)
        try workflow.start()
        let attempt = await task.attempt()
        for _ in 0..<100 {
            let wait = Task { try await value.value }
            await eventually { workflow.core.look { !$0.rare.waiters.isEmpty } }
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
            #expect(workflow.core.look { $0.rare.waiters.isEmpty })
        }
        let wait = Task { try await value.value }
        await eventually { workflow.core.look { !$0.rare.waiters.isEmpty } }
        attempt.finish(with: 42)
        #expect(try await wait.value == 42)
    }
}
