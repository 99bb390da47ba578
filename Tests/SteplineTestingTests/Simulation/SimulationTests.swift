import Dispatch
import Foundation
import Stepline
import SteplineTesting
import Synchronization
import TestSupport
import Testing

private struct Broken: Error {}

@Suite("Simulations", .timeLimit(.minutes(5)))
struct SimulationTests {
    /// A workflow of ten tasks, half of them async.
    @Sendable private func diamonds() throws -> Workflow {
        let workflow = Workflow("ten")
        let root = try workflow.add("root") { 1 }
        let middle = try (1...8).map { number in
            number % 2 == 0
                ? try workflow.add("m\(number)", after: root) { $0 + number }
                : try workflow.add("m\(number)", after: root) {
                    try await SystemClock.shared.sleep(for: .seconds(number))
                    return $0 + number
                }
        }
        try workflow.add("end", afterAll: middle) { $0.reduce(0, +) }
        return workflow
    }

    @Test("a seed repeats its log, and another seed has another log")
    func sameLog() async throws {
        var stories: Set<String> = []
        for seed in [UInt64](repeating: 7, count: 100) + [8, 9] {
            let simulation = Simulation(seed: seed)
            let result = try await simulation.run { _ in
                let workflow = try diamonds()
                try await workflow.run()
                return workflow.taskCount
            }
            #expect(result == 10 && simulation.foreign.isEmpty)
            stories.insert(simulation.log)
        }
        #expect(stories.count == 3)
    }

    @Test("under load one seed has one story in each play, of tasks, steps, managed tasks and faults")
    func sameLogUnderLoad() async throws {
        let isOver = Atomic(false)
        let load = (0..<4).map { _ in
            Thread { while !isOver.load(ordering: .relaxed) {} }
        }
        for thread in load { thread.start() }
        defer { isOver.store(true, ordering: .relaxed) }
        var stories: Set<String> = []
        for _ in 0..<Chance.rounds(15) {
            let simulation = Simulation(seed: 77)
            try await simulation.run { simulation in
                simulation.faults = [.random(rate: 0.2), .lateTimers(rate: 0.2, by: .seconds(3))]
                var options = TaskOptions()
                options.retry = .exponential(
                    attempts: 5, base: .seconds(1), jitter: .full, when: { _ in true })
                let workflow = try diamonds()
                let list = try workflow.add("list") { Array(1...5) }
                let all = try workflow.map("each", over: list, limit: 2, options: options) { $0 * 2 }
                let line = try workflow.addPipeline("line", after: all, options: options) {
                    BlockStep { (all: [Int]) in all.reduce(0, +) }
                    BlockStep { (sum: Int) async in
                        await Task.yield()
                        return sum
                    }
                }
                let manager = TaskManager("m", options: .init(maximumConcurrency: 2))
                try workflow.add("managed", after: line) { sum in
                    try await manager.outcomes(of: (1...4).map { n in AnyManagedTask("\(n)") { sum + n } })
                        .count
                }
                simulation.atSomeMoment("retry") { workflow.retry() }
                for _ in 1...3 {
                    _ = try? await workflow.run()
                    workflow.retry()
                }
            }
            #expect(simulation.foreign.isEmpty)
            stories.insert(simulation.log)
        }
        #expect(stories.count == 1)
    }

    @Test("a seed tells its story in every process, on every machine, in debug and release")
    func logOfASeed() async throws {
        let simulation = Simulation(seed: 2026)
        try await simulation.run { _ in
            let workflow = Workflow("four")
            let root = try workflow.add("root") { 1 }
            try workflow.add("sync", after: root) { $0 + 1 }
            try workflow.add("async", after: root) { number in
                try await SystemClock.shared.sleep(for: .seconds(2))
                return number + 1
            }
            try workflow.add("fails", after: root) { _ in throw Broken() }
            _ = try? await workflow.run()
        }
        #expect(
            simulation.log == """
                +0.0 s  ‘root’ begins
                +0.0 s  ‘root’ ends
                +0.0 s  ‘sync’ begins
                +0.0 s  ‘sync’ ends
                +0.0 s  ‘async’ begins
                +0.0 s  ‘fails’ begins
                +0.0 s  ‘fails’ fails: Broken()
                +2.0 s  ‘async’ ends
                """)
    }

    // A day of real waiting would exceed the time limit.
    @Test("1,440 waits of a minute end at their minutes, in virtual time")
    func virtualTime() async throws {
        let simulation = Simulation(seed: 1)
        let attempts = Mutex<[Duration]>([])
        try await simulation.run { simulation in
            let workflow = Workflow("day")
            var options = TaskOptions()
            options.retry = .constant(attempts: 1441, delay: .seconds(60), when: { _ in true })
            try workflow.add("poll", options: options) {
                attempts.withLock { $0.append(simulation.clock.uptime) }
                throw Broken()
            }
            _ = try? await workflow.run()
        }
        let times = attempts.withLock { $0 }
        #expect(times.count == 1441 && times.first == .zero && times.last == .seconds(1440 * 60))
    }

    @Test("pipelines, with steps of all kinds, retries and callbacks")
    func pipelines() async throws {
        let exploration = try await explore(seeds: 1...50) { simulation in
            let lines = Mutex<[Int]>([])
            let isMended = Mutex(false)
            var retries = PipelineOptions()
            retries.retry = .constant(attempts: 2, delay: .seconds(5), when: { _ in true })
            let pipeline = Pipeline(options: retries) {
                BlockStep { 20 }
                BlockStep { (number: Int) async throws -> Int in
                    try await SystemClock.shared.sleep(for: .seconds(1))
                    guard
                        isMended.withLock({ was in
                            defer { was = true }; return was
                        })
                    else { throw Broken() }
                    return number + 1
                }
                BlockStep { (number: Int) in number * 2 }
            }
            pipeline.onSuccess { number in lines.withLock { $0.append(number) } }
            let result = try await pipeline.run()
            simulation.expect(result == 42 && simulation.clock.uptime == .seconds(7))
            simulation.expect(lines.withLock { $0 } == [42])
        }
        #expect(exploration.plays == 50 && exploration.foreign.isEmpty)
    }

    @Test("managers, with as many tasks at once as they let")
    func managers() async throws {
        let exploration = try await explore(seeds: 1...50) { simulation in
            let now = Mutex(0)
            let most = Mutex(0)
            var options = TaskManager.Options()
            options.maximumConcurrency = 2
            let manager = TaskManager("m", options: options)
            let sum = try await manager.outcomes(
                of: (1...5).map { number in
                    AnyManagedTask("t\(number)") {
                        let count = now.withLock {
                            $0 += 1; return $0
                        }
                        most.withLock { $0 = max($0, count) }
                        try await SystemClock.shared.sleep(for: .seconds(1))
                        now.withLock { $0 -= 1 }
                        return number
                    }
                }
            ).compactMap(\.value).reduce(0, +)
            simulation.expect(
                sum == 15 && most.withLock { $0 } == 2 && simulation.clock.uptime == .seconds(3))
        }
        #expect(exploration.schedules > 1 && exploration.foreign.isEmpty)
    }

    @Test("a message is sent at every possible moment")
    func messages() async throws {
        let ends = Mutex<Set<String>>([])
        try await explore(seeds: 1...200) { simulation in
            let workflow = Workflow("two")
            let one = try workflow.add("one") { 1 }
            try workflow.add("two", after: one) { $0 + 1 }
            simulation.atSomeMoment("cancel") { workflow.cancel() }
            _ = try? await workflow.run()
            let states = workflow.allTasks.map { "\($0.state)" }.joined(separator: " ")
            ends.withLock { _ = $0.insert(states) }
        }
        #expect(ends.withLock { $0 } == ["Cancelled Cancelled", "Finished Cancelled", "Finished Finished"])
    }

    @Test("every order of a small graph is played once")
    func everyOrder() async throws {
        let orders = Mutex<Set<[String]>>([])
        let exploration = try await exploreAll { _ in
            let order = Mutex<[String]>([])
            let workflow = Workflow("three")
            for name in ["a", "b", "c"] { try workflow.add(name) { order.withLock { $0.append(name) } } }
            try await workflow.run()
            let was = order.withLock { $0 }
            orders.withLock { _ = $0.insert(was) }
        }
        #expect(orders.withLock { $0.count } == 6)
        #expect(exploration.plays == exploration.schedules)
    }

    @Test("with a width of one each body ends before the next begins")
    func width() async throws {
        try await explore(seeds: 1...20, width: 1) { simulation in
            let order = Mutex<[String]>([])
            let workflow = Workflow("three")
            for name in ["a", "b", "c"] { try workflow.add(name) { order.withLock { $0.append(name) } } }
            try await workflow.run()
            simulation.expect(order.withLock { $0 } == ["a", "b", "c"])
        }
    }

    @Test("a failure is replayed by its text")
    func replay() async throws {
        let scenario: @Sendable (Simulation) async throws -> Void = { simulation in
            let order = Mutex<[String]>([])
            let workflow = Workflow("three")
            for name in ["a", "b", "c"] { try workflow.add(name) { order.withLock { $0.append(name) } } }
            try await workflow.run()
            simulation.expect(order.withLock { $0 } != ["c", "a", "b"], "not this one")
        }
        let failure = await #expect(throws: ExplorationFailure.self) { try await explore(scenario) }
        let found = try #require(failure)
        for _ in 1...20 {
            let again = try #require(Simulation(replaying: found.replay))
            await #expect(throws: UnmetExpectation.self) { try await again.run(scenario) }
            #expect(again.log == found.log)
        }
        for text in ["", "1", "1:1", "x:1:", "1:x:1", "1:0:1", "1:2:1.x", "1:*:-1", "-1:1:", "1:1:1:1"] {
            #expect(Simulation(replaying: text) == nil)
        }
    }

    @Test("a failure that needs a seed's program, faults and jitter is replayed by its text")
    func replayOfASeed() async throws {
        let scenario: @Sendable (Simulation) async throws -> Void = { simulation in
            simulation.faults = [.random(rate: 0.3)]
            let workflow = Workflow("program")
            var options = TaskOptions()
            options.retry = .exponential(attempts: 4, base: .seconds(1), jitter: .full, when: { _ in true })
            for number in 0..<Int(3 + simulation.seed % 5) {
                try workflow.add("t\(number)", options: options) {}
            }
            _ = try? await workflow.run()
            let hasFailed = workflow.allTasks.contains { $0.snapshot.attempt > 1 }
            let isLate = simulation.clock.uptime > .milliseconds(300)
            simulation.expect(workflow.taskCount != 6 || !hasFailed || !isLate, "six, one of them late")
        }
        for seeds in [1...1000, 5_000...6_000, (UInt64.max - 1000)...UInt64.max] {
            let failure = await #expect(throws: ExplorationFailure.self) {
                try await explore(seeds: seeds, scenario)
            }
            let found = try #require(failure)
            #expect(found.cause is UnmetExpectation)
            let again = try #require(Simulation(replaying: found.replay))
            #expect(again.seed == found.seed)
            await #expect(throws: UnmetExpectation.self) { try await again.run(scenario) }
            #expect(again.log == found.log)
        }
    }

    @Test("a scenario that waits for an event that never comes ends as stuck")
    func stuck() async throws {
        let simulation = Simulation(seed: 1)
        let gate = Gate()
        let error = await #expect(throws: SimulationError.self) {
            try await simulation.run { _ in await gate.wait() }
        }
        #expect(error?.code == .stuck)
        gate.open()
        await #expect(throws: SimulationError.self) { try await simulation.run { _ in } }
    }

    @Test("a body that blocks the thread of the play is found, by its name")
    func blocked() async throws {
        let simulation = Simulation(seed: 1, patience: .seconds(3))
        let gate = Gate()
        defer { gate.open() }
        let error = await #expect(throws: SimulationError.self) {
            try await simulation.run { _ in
                let workflow = Workflow("held")
                try workflow.add("waits") { gate.block() }
                try await workflow.run()
            }
        }
        #expect(error?.code == .blocked && error?.description.hasSuffix("‘waits’ begins") == true)
    }

    @Test("Swift tasks without a parent are played as well")
    func tasksWithoutParent() async throws {
        var stories: Set<String> = []
        for _ in 1...50 {
            let simulation = Simulation(seed: 4)
            let order = Mutex<[Int]>([])
            try await simulation.run { _ in
                let tasks = (0..<4).map { number in
                    let body: @Sendable () async -> Void = {
                        await Task.yield()
                        order.withLock { $0.append(number) }
                    }
                    return number % 2 == 0 ? Task(operation: body) : Task.detached(operation: body)
                }
                for task in tasks { await task.value }
            }
            #expect(simulation.foreign.isEmpty)
            stories.insert("\(order.withLock { $0 })")
        }
        #expect(stories.count == 1)
    }

    @Test("many short bodies of a workflow end on few threads, though time stands still", arguments: 2...4)
    func shortBodies(width: Int) async throws {
        let count = Mutex(0)
        try await Simulation(seed: 1, width: width).run { _ in
            let workflow = Workflow("short")
            for number in 0..<300 { try workflow.add("\(number)") { count.withLock { $0 += 1 } } }
            try await workflow.run()
        }
        #expect(count.withLock { $0 } == 300)
    }

    @Test("work outside the simulation is named")
    func foreign() async throws {
        let simulation = Simulation(seed: 1)
        try await simulation.run { _ in
            await withCheckedContinuation { continuation in
                // Comes once the play has nothing to do but to wait for it.
                SystemClock.shared.schedule(after: .seconds(1)) {
                    DispatchQueue.global().async { continuation.resume() }
                }
            }
        }
        #expect(simulation.foreign.count == 1)
    }

    @Test("steps and tasks in operation queues are named")
    func queues() async throws {
        let simulation = Simulation(seed: 1)
        try await simulation.run { _ in
            let workflow = Workflow("queued")
            try workflow.add(BlockTask(name: "apart") { $0.finish() }).queue = OperationQueue()
            try await workflow.run()
            let step = BlockStep { 1 }
            step.options.queue = OperationQueue()
            let pipeline = Pipeline("line")
            try pipeline.addStep(step)
            _ = try await pipeline.run()
        }
        #expect(simulation.foreign.contains("‘apart’ runs in an operation queue"))
        #expect(simulation.foreign.contains("a step of ‘line’ runs in an operation queue"))
    }
}
