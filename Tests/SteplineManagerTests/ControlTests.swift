import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Order, limits, pause, shutdown", .timeLimit(.minutes(5)))
struct ControlTests {
    let bodies = Recorder<Int>()

    @Test("MG-50: the limit bounds live bodies and can be changed; 0 lets nothing begin")
    func concurrency() async throws {
        let gate = Gate(), manager = TaskManager(options: .init(maximumConcurrency: 0))
        let handles = (0..<5).map { manager.add(Count(number: $0, gate: gate, bodies: bodies)) }
        #expect(manager.counts.waits == [.slot: 5])
        #expect(manager.explain().description.contains("0 of 0 are taken"))
        manager.maximumConcurrency = 2
        await gate.waitForArrivals(2)
        #expect(manager.counts.live == 2 && manager.counts.waits == [.slot: 3])
        #expect("\(manager.counts)" == "5 unfinished: 2 live, 3 waiting for slot")
        manager.maximumConcurrency = -1
        #expect(manager.maximumConcurrency == 0)
        manager.maximumConcurrency = nil
        await gate.waitForArrivals(5)
        gate.open()
        for handle in handles { _ = try await handle.value }
    }

    @Test("MG-50: beyond maximumWaiting a task ends with tooManyTasks")
    func waiting() async throws {
        let manager = TaskManager(options: .init(maximumConcurrency: 0, maximumWaiting: 2))
        let handles = (0..<3).map { manager.add(Count(number: $0, bodies: bodies)) }
        #expect(await handles[2].endCode == .tooManyTasks)
        #expect(manager.tasks.count == 2)
        manager.maximumConcurrency = 1
        _ = try await handles[1].value
    }

    @Test("MG-51: higher priority goes first, then readiness; setPriority moves a waiting task")
    func priorities() async throws {
        let manager = TaskManager(options: .init(maximumConcurrency: 1))
        manager.pause()
        let priorities: [Priority] = [.low, .normal, .critical, .background, .normal, .high]
        let handles = priorities.enumerated().map { number, priority in
            manager.add(Count(number: number, bodies: bodies), options: .init(priority: priority))
        }
        handles[0].setPriority(.critical)
        manager.resume()
        try await manager.waitUntilIdle()
        #expect(bodies.values == [0, 2, 5, 1, 4, 3])
    }

    @Test("MG-52: with a limit of 1 nested tasks complete: a body that awaits lends its slot")
    func nesting() async throws {
        let manager = TaskManager(options: .init(maximumConcurrency: 1))
        @Sendable func depth(_ rest: Int) async throws -> Int {
            rest == 0 ? 0 : 1 + (try await manager.run { try await depth(rest - 1) })
        }
        #expect(try await manager.run { try await depth(100) } == 100)
    }

    @Test("MG-53: tasks and counts of one instant; cancelAll by tag and by condition")
    func bulk() async throws {
        let manager = TaskManager()
        manager.pause()
        let handles = (0..<10).map { number in
            manager.add(
                Count(number: number, bodies: bodies), options: .init(tags: number < 4 ? ["few"] : []))
        }
        #expect(manager.tasks.map(\.identifier) == handles.map(\.identifier))
        #expect(manager.counts.waits == [.pause: 10])
        #expect(manager.cancelAll(tagged: "few", "test") == 4)
        #expect(manager.cancelAll(tagged: "none") == 0)
        #expect(manager.cancelAll(where: { $0.identifier.number == 9 }) == 1)
        #expect(manager.cancelAll() == 5 && manager.tasks.isEmpty)
        for handle in handles { #expect(await handle.endCode == .cancelled) }
    }

    @Test("MG-54: pausing twice is pausing once")
    func pausing() async throws {
        let manager = TaskManager()
        manager.pause()
        manager.pause()
        let handle = manager.add(Count(number: 1, bodies: bodies))
        #expect(manager.isPaused && handle.state == .pending(.pause))
        manager.resume()
        #expect(try await handle.value == 1)
    }

    @Test("MG-55: idle waits for delays and callbacks, not for what was not started")
    func idle() async throws {
        let clock = ManualClock(), manager = TaskManager(options: .init(clock: clock)),
            reported = Recorder<Int>()
        try await manager.waitUntilIdle()
        let idler = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        try await manager.waitUntilIdle()
        manager.add(Count(bodies: bodies), options: .init(after: .seconds(1))) { _ in reported.record(1) }
        let waiting = Task { try await manager.waitUntilIdle() }
        clock.advance(by: .seconds(1))
        try await waiting.value
        #expect(reported.count == 1 || clock.uptime == .seconds(1))
        try await manager.waitUntilIdle()
        #expect(reported.count == 1 && idler.state == .pending(.start))
        idler.cancel()
    }

    @Test("MG-56: shutdown drains, cancels the remaining tasks, refuses new ones, and reports")
    func shutdown() async throws {
        let clock = ManualClock(), gate = Gate(), manager = TaskManager(options: .init(clock: clock))
        let stuck = manager.add(Count(gate: gate, bodies: bodies))
        let notStarted = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        await gate.waitForArrivals()
        let ending = Task { try await manager.shutdown(draining: .seconds(10)) }
        #expect(await notStarted.endReason == .shutDown)
        #expect(await manager.add(Count(bodies: bodies)).endReason == .shutDown)
        await clock.waitForScheduled(after: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await stuck.endReason == .shutDown)
        let report = try await ending.value
        #expect(report.cancelled >= 2)
        #expect("\(report)".hasSuffix("\(report.cancelled) cancelled, \(report.abandoned) abandoned"))
        gate.open()
    }

    @Test("MG-57: tasks that only a message could move end with the manager; the others finish")
    func released() async throws {
        let gate = Gate()
        var manager: TaskManager? = TaskManager()
        let notStarted = manager?.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        let going = manager?.add(Count(number: 3, gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        manager?.pause()
        let paused = manager?.add(Count(bodies: bodies))
        manager = nil
        #expect(await notStarted?.endReason == .managerReleased)
        #expect(await paused?.endReason == .managerReleased)
        gate.open()
        #expect(try await going?.value == 3)
    }

    @Test("MG-81: events are in order and numbered without gaps")
    func events() async throws {
        let manager = TaskManager(), events = manager.events
        _ = try await manager.run(Count(bodies: bodies))
        try await manager.shutdown()
        var kinds: [ManagerEvent.Kind] = [], numbers: [Int] = []
        for await event in events {
            kinds.append(event.kind)
            numbers.append(event.number)
        }
        #expect(kinds == [.added, .queued, .began, .attemptEnded, .finished, .shuttingDown, .shutDown])
        #expect(numbers == Array(1...7))
    }

    @Test("MG-85 MG-90: a manager logs its events, with tags and metadata")
    func logging() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let manager = TaskManager("cities", options: .init(log: log))
        let handle = manager.add(Count(bodies: bodies), options: .init(tags: ["mine"]))
        _ = try await handle.value
        try await manager.shutdown()
        let finished = reported.values.first { $0.message.hasSuffix("finished: succeeded") }
        #expect(finished?.tags == ["tq", "mine"] && finished?.level == .info)
        #expect(finished?.metadata["manager"] == "cities" && finished?.metadata["task"] == "count")
        #expect(finished?.metadata["handle"] == "\(handle)" && finished?.metadata["attempt"] == "1")
    }

    @Test("misuse: awaiting oneself and waiting for the manager in a body throw wouldBlock")
    func wouldBlock() async throws {
        let manager = TaskManager()
        let handle = manager.add { try await manager.waitUntilIdle() }
        #expect(await handle.endCode == .wouldBlock)
        let box = Recorder<TaskHandle<Void>>()
        let own = manager.add("own", options: .init(startsImmediately: false)) {
            try await box.values[0].value
        }
        box.record(own)
        own.start()
        #expect(await own.endCode == .wouldBlock)
    }
}
