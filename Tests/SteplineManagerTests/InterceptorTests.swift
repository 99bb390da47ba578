import SteplineManager
import SteplineSupport
import SteplineTesting
import Synchronization
import Testing

@Suite("Interceptors", .timeLimit(.minutes(5)))
struct InterceptorTests {
    let bodies = Recorder<Int>()

    @Test("MG-28: later interceptors see, and the body executes, what an interceptor changed")
    func adapting() async throws {
        let manager = TaskManager(interceptors: [
            .only(Count.self) { task, _ in
                task.number += 1
                return .execute
            },
            .only(Count.self) { task, _ in
                task.number *= 10
                return .execute
            },
        ])
        #expect(try await manager.run(Count(number: 1, bodies: bodies)) == 20)
        #expect(try await manager.run { "other" } == "other")
    }

    @Test("MG-28 MG-32: an interceptor of one type keeps what it holds when a task of another type runs")
    func holdingOneType() async throws {
        let bodies = self.bodies
        let manager = TaskManager(interceptors: [
            .only(Count.self) { _, context in context.heldCount < 1 ? .hold : .execute }
        ])
        let held = manager.add(Count(number: 1, bodies: bodies))
        #expect(try await manager.run { "other" } == "other")
        #expect(held.state == .pending(.held))
        _ = try await manager.run(Count(number: 2, bodies: bodies))
        #expect(try await held.value == 1)
    }

    @Test("MG-29: all are asked once in order, about one task at a time; a throw fails the task")
    func asking() async throws {
        let asked = Recorder<String>(), inside = Atomic(0), overlaps = Recorder<Int>()
        let first = Asking(name: "first") { context in
            if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps.record(1) }
            await Task.yield()
            asked.record("first \(context.handle.identifier.number)")
            inside.subtract(1, ordering: .relaxed)
            return .discard
        }
        let second = Asking(name: "second") { context in
            asked.record("second \(context.handle.identifier.number)")
            if context.handle.identifier.number == 1 { throw Broken(number: 9) }
            return .execute
        }
        let manager = TaskManager(interceptors: [first, second])
        let handles = (0..<3).map { manager.add(Count(number: $0, bodies: bodies)) }
        #expect(await handles[0].endCode == .discarded)
        await #expect(throws: Broken(number: 9)) { try await handles[1].value }
        #expect(await handles[2].endCode == .discarded)
        #expect(asked.values == (0..<3).flatMap { ["first \($0)", "second \($0)"] })
        #expect(overlaps.count == 0 && bodies.count == 0)
    }

    @Test(
        "MG-30: one that doesn't answer in time fails the task, and the next has its turn, also if it was cancelled",
        arguments: [false, true])
    func noAnswer(isCancelled: Bool) async throws {
        let clock = ManualClock(), gate = Gate(), stopped = Recorder<Int>()
        let stuck = Asking(name: "stuck") { context in
            guard context.handle.identifier.number == 0 else { return .execute }
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                stopped.record(1)
            }
            return .execute
        }
        let manager = TaskManager(interceptors: [stuck], options: .init(clock: clock))
        let first = manager.add(Count(number: 1, bodies: bodies))
        let second = manager.add(Count(number: 2, bodies: bodies))
        await gate.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(30))
        if isCancelled { first.cancel() }
        clock.advance(by: .seconds(30))
        #expect(await first.endCode == (isCancelled ? .cancelled : .interceptorTimedOut))
        #expect(try await second.value == 2)
        // Its stop handler is called: the answer is no longer awaited.
        await stopped.waitForCount(1)
        #expect(stopped.count == 1)
        gate.open()
    }

    @Test(
        "MG-31: the answers for one task together",
        arguments: [
            ([InterceptCommand.forceExecute, .discard, .hold], "succeeded"),
            ([.hold, .discard, .fail(Broken(number: 1))], "failed"),
            ([.hold, .discard, .execute], "failed"),
            ([.execute, .hold, .delay(.seconds(1))], "held"),
            ([.execute, .delay(.seconds(1)), .delay(.seconds(2))], "delay"),
            ([.execute, .execute, .execute], "succeeded"),
        ])
    func verdicts(_ answers: [InterceptCommand], _ expected: String) async throws {
        let clock = ManualClock(),
            manager = TaskManager(
                interceptors: answers.map { answer in Asking { _ in answer } }, options: .init(clock: clock))
        let handle = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        let states = handle.states
        handle.start()
        for await state in states {
            switch state {
            case .finished(let outcome):
                #expect(outcome.rawValue == expected)
            case .pending(.held):
                #expect(expected == "held")
                handle.cancel()
                return
            case .pending(.delay):
                #expect(expected == "delay")
                await clock.waitForScheduled(after: .seconds(2))
                clock.advance(by: .seconds(1.5))
                #expect(handle.state == .pending(.delay))
                clock.advance(by: .seconds(0.5))
                _ = try await handle.value
                return
            default: continue
            }
        }
    }

    @Test("MG-32: the latest limits of an interceptor hold for all that it holds", arguments: [true, false])
    func latestAge(isLater: Bool) async throws {
        let clock = ManualClock()
        let limits = [HoldLimits(age: isLater ? nil : .seconds(60)), HoldLimits(age: .seconds(5))]
        let manager = TaskManager(interceptors: [Changing(limits)], options: .init(clock: clock))
        let handles = (0..<2).map { _ in
            manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        }
        for handle in handles {
            let states = handle.states
            handle.start()
            for await state in states where state == .pending(.held) { break }
        }
        clock.advance(by: .seconds(5))
        for handle in handles { _ = try await handle.value }
        #expect(clock.uptime == .seconds(5))
    }

    @Test("MG-35 MG-55: a task held without an age limit isn't released, also if it had one before")
    func latestIsNone() async throws {
        let limits = [HoldLimits(age: .seconds(3600)), HoldLimits()]
        let manager = TaskManager(interceptors: [Changing(limits)])
        for _ in limits { _ = await addHeld(to: manager) }
        try await manager.waitUntilIdle()
        #expect(manager.counts.waits == [.held: 2])
        manager.cancelAll()
    }

    @Test("MG-57: a held task ends if its limit is removed after its manager is gone")
    func limitGoesLate() async throws {
        let clock = ManualClock()
        var manager: TaskManager? = TaskManager(
            interceptors: [Changing([HoldLimits(age: .seconds(3600)), HoldLimits()])],
            options: .init(clock: clock))
        let first = try await addHeld(to: #require(manager))
        let late = manager?.add(Count(bodies: bodies), options: .init(after: .seconds(60)))
        manager = nil
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(60))
        #expect(await late?.endReason == .managerReleased)
        #expect(await first.endReason == .managerReleased)
    }

    /// Adds a task, and returns when it is held.
    private func addHeld(to manager: TaskManager) async -> TaskHandle<Int> {
        let handle = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        let states = handle.states
        handle.start()
        for await state in states where state == .pending(.held) { break }
        return handle
    }

    /// Holds all, each with the next limits.
    private struct Changing: Interceptor {
        private let limits: Locked<[HoldLimits]>
        init(_ limits: [HoldLimits]) { self.limits = Locked(limits) }

        var holdLimits: HoldLimits { limits.withLock { $0.removeFirst() } }

        func intercept<T: ManagedTask>(
            _ task: inout T, context: InterceptContext
        ) async throws -> InterceptCommand { .hold }
    }

    @Test("MG-32 MG-33 MG-34: nine are held, the tenth releases all, in order, itself last")
    func batches() async throws {
        let counts = Recorder<Int>(), began = Recorder<Int>()
        let batcher = Asking(name: "batcher") { context in
            counts.record(context.heldCount)
            return context.heldCount < 9 ? .hold : .execute
        }
        let manager = TaskManager(interceptors: [batcher], options: .init(maximumConcurrency: 1))
        let handles = (0..<9).map { number in manager.add { began.record(number) } }
        await counts.waitForCount(9)
        #expect(handles.allSatisfy { $0.state.isPending } && began.count == 0)
        try await manager.run { began.record(9) }
        for handle in handles { try await handle.value }
        #expect(began.values == Array(0..<10) && counts.values == Array(0..<10))
        #expect(manager.tasks.isEmpty)
    }

    @Test("MG-33: cancelled tasks aren't counted among the held")
    func cancelledHeld() async throws {
        let counts = Recorder<Int>()
        let manager = TaskManager(interceptors: [
            Asking { context in
                counts.record(context.heldCount)
                return .hold
            }
        ])
        let first = manager.add(Count(bodies: bodies))
        await counts.waitForCount(1)
        _ = manager.add(Count(bodies: bodies))
        await counts.waitForCount(2)
        first.cancel()
        let third = manager.add(Count(number: 3, bodies: bodies))
        await counts.waitForCount(3)
        #expect(counts.values == [0, 1, 1])
        third.cancel()
        manager.cancelAll()
    }

    @Test("MG-35: a maximum count and a maximum hold release, or fail")
    func limits() async throws {
        for (limits, code) in [
            (HoldLimits(count: 2), nil), (HoldLimits(age: .seconds(5)), nil),
            (HoldLimits(count: 2, then: .fail), TaskManagerError.Code.holdExpired),
        ] {
            let clock = ManualClock()
            let manager = TaskManager(
                interceptors: [Asking(holdLimits: limits) { _ in .hold }], options: .init(clock: clock))
            let handles = (0..<2).map { manager.add(Count(number: $0, bodies: bodies)) }
            if limits.age != nil {
                await clock.waitForScheduled(after: .seconds(5))
                clock.advance(by: .seconds(10))
            }
            for handle in handles.prefix(limits.age == nil ? 2 : 1) { #expect(await handle.endCode == code) }
            manager.cancelAll()
        }
    }

    @Test("MG-35: releaseHeld releases tasks held without limits; explain names the holder")
    func releasing() async throws {
        let held = Recorder<Int>()
        let manager = TaskManager(interceptors: [
            Asking(name: "keeper") { _ in
                held.record(1)
                return .hold
            }
        ])
        let handle = manager.add(Count(number: 8, bodies: bodies), options: .init(startsImmediately: false))
        let states = handle.states
        handle.start()
        for await state in states where state == .pending(.held) { break }
        #expect(handle.explain().description.contains("is held by keeper with 0 others, without limits"))
        manager.releaseHeld(by: "nobody")
        #expect(handle.state == .pending(.held))
        manager.releaseHeld(by: "keeper")
        #expect(try await handle.value == 8)
    }

    @Test("MG-36: interception continues while the manager is paused")
    func paused() async throws {
        let asked = Recorder<Int>()
        let manager = TaskManager(interceptors: [
            Asking { _ in
                asked.record(1)
                return .execute
            }
        ])
        manager.pause()
        let handle = manager.add(Count(number: 1, bodies: bodies))
        await asked.waitForCount(1)
        #expect(bodies.count == 0 && handle.state.isPending)
        manager.resume()
        #expect(try await handle.value == 1)
    }
}
