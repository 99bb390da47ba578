import Dispatch
import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Cancellation and time-outs", .timeLimit(.minutes(5)))
struct EndingTests {
    let bodies = Recorder<Int>()

    @Test("MG-21: the state is finished before didCancel, the completion and onEnd, in this order")
    func order() async {
        struct Slow: ManagedTask {
            let reported: Recorder<String>
            let gate = Gate()
            func execute() async throws { await gate.wait() }
            func didCancel(because error: TaskManagerError) { reported.record("didCancel") }
        }
        let reported = Recorder<String>(), task = Slow(reported: reported), manager = TaskManager()
        let handle = manager.add(task) { _ in reported.record("completion") }
        handle.onEnd { [weak handle] _ in reported.record("\(handle?.state.isFinished ?? false)") }
        await task.gate.waitForArrivals()
        handle.cancel()
        #expect(reported.values == ["didCancel", "completion", "true"])
        task.gate.open()
    }

    @Test("MG-22 MG-84: a task cancelled before its begin never begins; the reason is reported")
    func notBegun() async {
        let manager = TaskManager()
        let handle = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        handle.cancel("no need")
        handle.start()
        #expect(await handle.endReason == "no need" && bodies.count == 0)
        await #expect(throws: CancellationError.self) { try await handle.value }
    }

    @Test(
        "MG-23: once cancel has returned, the task is finished and reported; 100 cancels make 100 completions"
    )
    func hundredCancels() async {
        let manager = TaskManager(), reported = Recorder<Bool>(), gate = Gate()
        for _ in 0..<100 {
            let handle = manager.add(Count(gate: gate, bodies: bodies)) { result in
                reported.record((try? result.get()) == nil)
            }
            let before = reported.count
            #expect(handle.cancel())
            #expect(!handle.cancel())
            #expect(handle.state == .finished(.cancelled) && reported.count == before + 1)
        }
        gate.open()
        #expect(reported.values == Array(repeating: true, count: 100))
    }

    @Test("MG-24: didCancel isn't called on success or the body's own failure")
    func didCancel() async throws {
        let manager = TaskManager(), good = Count(bodies: bodies), bad = Count(fails: true, bodies: bodies)
        _ = try await manager.run(good)
        _ = await manager.add(bad).outcome()
        #expect(good.ended.count == 0 && bad.ended.count == 0)
    }

    @Test("MG-25 MG-26: the limit of an attempt and of the whole; the error tells which")
    func limits() async {
        for (options, limit) in [
            (TaskManager.AddOptions(timeout: .seconds(3)), TaskManagerError.Limit.attempt),
            (TaskManager.AddOptions(timeout: .seconds(9), deadline: .seconds(3)), .total),
        ] {
            let clock = ManualClock(), gate = Gate(), manager = TaskManager(options: .init(clock: clock))
            let handle = manager.add(Count(gate: gate, bodies: bodies), options: options)
            await gate.waitForArrivals()
            await clock.waitForScheduled(after: .seconds(3))
            clock.advance(by: .seconds(2))
            #expect(handle.state == .executing(nil))
            clock.advance(by: .seconds(1))
            #expect(handle.state == .finished(.failed))
            guard case .failure(let error as TaskManagerError) = await handle.outcome() else { continue }
            #expect(error.limit == limit)
            #expect(error.description.contains("attempt 1) timed out after 3 s"))
            gate.open()
        }
    }

    @Test("MG-27: a stopped body keeps its slot until it ends, or is abandoned")
    func abandoned() async throws {
        let clock = ManualClock(), gate = Gate()
        let manager = TaskManager(options: .init(maximumConcurrency: 1, clock: clock))
        let first = manager.add(Count(gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        first.cancel()
        let second = manager.add(Count(number: 2, bodies: bodies))
        #expect(second.state == .pending(.slot))
        clock.advance(by: .seconds(5))
        #expect(try await second.value == 2)
        gate.open()
    }

    @Test("MG-2 MG-3: the first call of done counts; dropped uncalled it fails the attempt")
    func completions() async throws {
        let manager = TaskManager()
        let twice = AnyManagedTask<Int>(completing: { done in
            done(1)
            done(2)
        })
        #expect(try await manager.run(twice) == 1)
        let dropped = manager.add(AnyManagedTask<Int>(completing: { _ in }))
        #expect(await dropped.endCode == .completionDropped)
    }

    @Test("MG-27: onCancel handlers of a stopped attempt run once, also if added later")
    func onCancel() async {
        let manager = TaskManager(), kept = Recorder<TaskCompletion<Int>>(), reported = Recorder<Int>()
        let handle = manager.add(
            AnyManagedTask<Int>(completing: { done in
                done.onCancel { reported.record(1) }
                kept.record(done)
            }))
        await kept.waitForCount(1)
        handle.cancel()
        await reported.waitForCount(1)
        kept.values[0].onCancel { reported.record(2) }
        #expect(reported.values == [1, 2] && kept.values[0].isCancelled)
        kept.values[0](3)
        #expect(await handle.endCode == .cancelled)
    }

    @Test("MG-27: code that is still beginning its work sees that it was stopped")
    func stoppedWhileBeginning() async {
        let manager = TaskManager(), begun = Recorder<Void>(), seen = Recorder<Bool>()
        let gate = DispatchSemaphore(value: 0)
        let handle = manager.add(
            AnyManagedTask<Int>(completing: { done in
                done.onCancel { gate.signal() }
                begun.record(())
                gate.wait()
                seen.record(done.isCancelled)
            }))
        await begun.waitForCount(1)
        handle.cancel()
        await seen.waitForCount(1)
        #expect(seen.values == [true])
    }

    @Test("MG-5 MG-6: tasks of closures, expressions, other tasks and functions")
    func closures() async throws {
        let manager = TaskManager()
        #expect(try await manager.run { 1 } == 1)
        #expect(try await manager.run(AnyManagedTask { Result<Int, any Error>.success(2) }) == 2)
        #expect(try await manager.run(AnyManagedTask.evaluating(3)) == 3)
        let wrapped = AnyManagedTask(Count(number: 4, bodies: bodies), timeout: .seconds(600))
        #expect(wrapped.name == "count" && wrapped.timeout == .seconds(600))
        #expect(try await manager.run(wrapped) == 4)
        @Sendable func five(_ done: @escaping @Sendable (Int) -> Void) { done(5) }
        #expect(try await manager.run(AnyManagedTask(calling: five)) == 5)
        @Sendable func six(_ done: @escaping @Sendable (Result<Int, any Error>) -> Void) { done(.success(6)) }
        #expect(try await manager.run(AnyManagedTask(calling: six)) == 6)
        @Sendable func nothing(_ done: @escaping @Sendable () -> Void) { done() }
        try await manager.run(AnyManagedTask(calling: nothing))
        @Sendable func add(_ a: Int, _ done: @escaping @Sendable (Int) -> Void) { done(a + 1) }
        #expect(try await manager.run(AnyManagedTask(calling: curry(add)(6))) == 7)
    }
}
