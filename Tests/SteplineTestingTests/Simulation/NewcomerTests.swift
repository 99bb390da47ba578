import Dispatch
import Foundation
import Stepline
import SteplineTesting
import Synchronization
import Testing

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "archive")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// An actor that brings its own thread along.
private actor Archive {
    private let executor = QueueExecutor()
    private var kept: [Int] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func keep(_ number: Int) -> Int {
        kept.append(number)
        return kept.count
    }
}

private actor Shelf {
    private var places: [Int] = []

    func put(_ number: Int, after wait: Duration) async throws {
        try await Task.sleep(for: wait)
        places.append(number)
    }

    var all: [Int] { places }
}

@MainActor private final class Screen {
    var text = ""
}

private struct Once: ManagedTask {
    let name: String
    let body: @Sendable () async throws -> Void

    func execute() async throws { try await body() }
}

/// Programs of newcomers: the play ends, and names work that no seed controls.
@Suite("Simulations for newcomers", .timeLimit(.minutes(5)))
struct NewcomerTests {
    // MARK: What isn't ruled is named

    @Test("an actor with an executor of its own works, and its queue is named")
    func ownExecutor() async throws {
        let exploration = try await explore(seeds: 1...5) { simulation in
            let archive = Archive()
            let workflow = Workflow("archive")
            let kept = try workflow.map("keep", over: [1, 2, 3]) { await archive.keep($0) }
            try await workflow.run()
            simulation.expect(try await kept.value.sorted() == [1, 2, 3])
        }
        #expect(exploration.foreign == ["something was taken up again from the queue ‘archive’"])
    }

    @Test("the main actor works, and is named")
    func mainActor() async throws {
        let simulation = Simulation(seed: 1)
        try await simulation.run { simulation in
            let screen = Screen()
            let pipeline = Pipeline {
                BlockStep { 1 }
                BlockStep { (number: Int) async -> Int in
                    await MainActor.run { screen.text = "\(number)" }
                    return number
                }
            }
            _ = try await pipeline.run()
            simulation.expect(await screen.text == "1")
        }
        #expect(simulation.foreign.count == 1, "\(simulation.foreign)")
    }

    @Test("work that returns from an operation queue or a dispatch queue is named by the queue")
    func queues() async throws {
        let simulation = Simulation(seed: 1)
        try await simulation.run { _ in
            let operations = OperationQueue()
            operations.name = "scans"
            let manager = TaskManager("m")
            _ = try await manager.add(
                Once(name: "scan") {
                    await withCheckedContinuation { continuation in
                        operations.addOperation { continuation.resume() }
                    }
                    await withCheckedContinuation { continuation in
                        DispatchQueue(label: "prints").asyncAfter(deadline: .now() + 0.5) {
                            continuation.resume()
                        }
                    }
                }
            ).value
        }
        let all = simulation.foreign.joined(separator: "\n")
        // A continuation resumed before the await leaves no trace, as may happen with the operation queue.
        #expect(all.contains("prints"), "\(all)")
    }

    // MARK: What blocks is found, and named

    private static func isNamed(_ name: String, _ play: () async throws -> Void) async {
        let error = await #expect(throws: SimulationError.self) { try await play() }
        #expect(error?.code == .blocked && error?.description.hasSuffix("\(name) begins") == true, "\(name)")
    }

    // Three tests, so that their waits for the blocked thread overlap.
    @Test("an exploration names the task whose body blocks")
    func blockingTask() async throws {
        let gate = Gate()
        defer { gate.open() }
        await Self.isNamed("‘waits’") {
            try await explore(seeds: 1...10, patience: .seconds(3)) { _ in
                let workflow = Workflow("held")
                let first = try workflow.add("first") { 1 }
                try workflow.add("waits", after: first) { _ in _ = gate.block() }
                try await workflow.run()
            }
        }
    }

    @Test("an exploration of all orders names the step whose body blocks")
    func blockingStep() async throws {
        let gate = Gate()
        defer { gate.open() }
        await Self.isNamed("step ‘waits’") {
            try await exploreAll(patience: .seconds(3)) { _ in
                let step = BlockStep { _ = gate.block() }
                step.options.name = "waits"
                let pipeline = Pipeline("held")
                try pipeline.addStep(step)
                _ = try await pipeline.run()
            }
        }
    }

    @Test("an exploration names the managed task whose body blocks")
    func blockingManagedTask() async throws {
        let gate = Gate()
        defer { gate.open() }
        await Self.isNamed("managed task ‘waits’") {
            try await explore(seeds: 1...10, patience: .seconds(3)) { _ in
                _ = try await TaskManager("m").add(Once(name: "waits") { gate.block() }).value
            }
        }
    }

    // MARK: Time

    @Test(
        "Task.sleep takes no time, in bodies, actors, groups and tasks of one's own, and one seed tells one story"
    )
    func sleeps() async throws {
        #if compiler(>=6.3) && compiler(<6.4) && !canImport(Darwin)
            var stories: Set<String> = []
            for _ in 1...20 {
                let simulation = Simulation(seed: 3)
                let lines = Recorder<String>()
                try await simulation.run { simulation in
                    let shelf = Shelf()
                    @Sendable func tell(_ what: String) { lines.record("\(simulation.clock.uptime) \(what)") }
                    let workflow = Workflow("sleeps")
                    try workflow.add("hour") { try await Task.sleep(for: .seconds(3600)) }
                    try workflow.add("shelf") {
                        try await shelf.put(1, after: .milliseconds(1500))
                        tell("shelf")
                    }
                    try workflow.add("group") {
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for number in 1...3 {
                                group.addTask {
                                    try await Task.sleep(nanoseconds: UInt64(number) * 1_000_000_000)
                                    tell("group \(number)")
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                    try workflow.add("own") {
                        try await Task { try await Task.sleep(for: .seconds(7), clock: .suspending) }.value
                        try await Task.detached { try await Task.sleep(for: .milliseconds(500)) }.value
                        tell("own")
                    }
                    let quick = try workflow.add("quick", options: TaskOptions(timeout: .seconds(5))) {
                        try await Task.sleep(for: .seconds(60))
                    }
                    _ = try? await workflow.run()
                    simulation.expect(quick.task.isFailed && simulation.clock.uptime == .seconds(3600))
                    let all = await shelf.all
                    simulation.expect(all == [1])
                }
                #expect(simulation.foreign.isEmpty, "\(simulation.foreign)")
                stories.insert(simulation.log + "\(lines.values)")
            }
            #expect(stories.count == 1, "\(stories)")
        #endif
    }

    @Test("a sleep is as long as it was meant, also on a thread that was held up before it")
    func heldUpSleep() async throws {
        #if compiler(>=6.3) && compiler(<6.4) && !canImport(Darwin)
            @Sendable func isHeldUp() {
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(8))
            }
            for _ in 1...5 {
                try await Simulation(seed: 3).run { simulation in
                    isHeldUp()
                    try await Task.sleep(nanoseconds: 1_000_000_000)
                    simulation.expect(simulation.clock.uptime == .seconds(1), "\(simulation.clock.uptime)")
                }
            }
        #endif
    }

    @Test("a polling body delays no timer")
    func polling() async throws {
        // A play of it takes most of a second, as time goes on only after many turns.
        try await explore(seeds: 1...1) { simulation in
            let isReady = Mutex(false)
            simulation.clock.schedule(after: .seconds(5)) { isReady.withLock { $0 = true } }
            let workflow = Workflow("polls")
            try workflow.add("poll") {
                while !isReady.withLock({ $0 }) { await Task.yield() }
            }
            try await workflow.run()
            simulation.expect(simulation.clock.uptime == .seconds(5))
        }
    }

    // MARK: Orders

    @Test("every order of two managed tasks is few enough to be played")
    func allOfAManager() async throws {
        let orders = Recorder<[Int]>()
        let exploration = try await exploreAll { _ in
            let order = Recorder<Int>()
            let manager = TaskManager("m")
            let handles = (1...2).map { number in
                manager.add(
                    Once(name: "\(number)") {
                        await Task.yield()
                        order.record(number)
                    })
            }
            for handle in handles { _ = try await handle.value }
            orders.record(order.values)
        }
        #expect(Set(orders.values) == [[1, 2], [2, 1]])
        #expect(exploration.plays < 20_000)
    }

    @Test("every order of two pipelines that share something is played, and a lost update is found")
    func allOfPipelines() async throws {
        @Sendable func count(_ simulation: Simulation, isWhole: Bool) async throws {
            let total = Mutex(0)
            let pipelines = (1...2).map { _ in
                Pipeline {
                    BlockStep { total.withLock { $0 } }
                    BlockStep { (seen: Int) in
                        total.withLock { $0 = isWhole ? $0 + 1 : seen + 1 }
                    }
                }
            }
            for pipeline in pipelines { try pipeline.start() }
            for pipeline in pipelines { _ = await pipeline.outcome() }
            simulation.expect(total.withLock { $0 } == 2, "none is lost")
        }
        await #expect(throws: ExplorationFailure.self) {
            try await exploreAll { try await count($0, isWhole: false) }
        }
        try await exploreAll { try await count($0, isWhole: true) }
    }

    @Test("a scenario's own error, and an empty scenario")
    func oddities() async throws {
        struct Own: Error {}
        let failure = await #expect(throws: ExplorationFailure.self) {
            try await explore(seeds: 1...3) { _ in throw Own() }
        }
        #expect(failure?.cause is Own)
        #expect(try await exploreAll { _ in }.plays == 1)
    }
}
