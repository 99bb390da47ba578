import Dispatch
import Foundation
import SteplineManager
import SteplineSupport
import SteplineTesting
import Synchronization
import TestSupport
import Testing

/// A clock that asks the manager whenever it is asked.
private final class AskingClock: StepClock {
    let asked = Atomic(0)
    private let manager = Locked<TaskManager?>(nil)

    func watch(_ manager: TaskManager) { self.manager.withLock { $0 = manager } }
    func forget() { manager.withLock { $0 = nil } }

    private func ask() {
        guard let manager = manager.withLock({ $0 }) else { return }
        asked.wrappingAdd(1, ordering: .relaxed)
        _ = manager.tasks.count
    }

    var now: Date {
        ask()
        return Date()
    }
    var uptime: Duration {
        ask()
        return SystemClock.shared.uptime
    }
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        ask()
        return SystemClock.shared.schedule(after: delay, body)
    }
}

/// An error whose text asks the manager.
private struct AskingError: Error, CustomStringConvertible {
    let manager: TaskManager
    var description: String { "\(manager.tasks.count) tasks" }
}

/// A value whose end asks the manager.
private final class AskingValue: Sendable {
    let manager: TaskManager
    init(_ manager: TaskManager) { self.manager = manager }
    deinit { _ = manager.tasks.count }
}

/// Whether `body` returns within two minutes, on a thread of its own: a deadlock fails the test instead of hanging it.
func returns(_ body: @escaping @Sendable () -> Void) async -> Bool {
    await withCheckedContinuation { continuation in
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            end.signal()
        }
        Thread.detachNewThread { continuation.resume(returning: end.wait(timeout: .now() + 120) == .success) }
    }
}

@Suite("Liveness, and user code outside locks", .timeLimit(.minutes(5)))
struct LivenessTests {
    @Test func `the event stream of a manager that is released without a shutdown ends`() async {
        var manager: TaskManager? = TaskManager()
        let events = manager?.events
        _ = try? await manager?.run { 1 }
        manager = nil
        let reading = Task {
            guard let events else { return 0 }
            var count = 0
            for await _ in events { count += 1 }
            return count
        }
        let isOver = OneShot<Bool>()
        Task { isOver.fulfill(await reading.value > 0) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120) { isOver.fulfill(false) }
        #expect(await isOver.value)
        reading.cancel()
    }

    @Test func `a task that only a higher limit could begin ends with its manager`() async {
        var manager: TaskManager? = TaskManager(options: .init(maximumConcurrency: 0))
        let handle = manager?.add { 1 }
        manager = nil
        let isOver = OneShot<Bool>()
        Task {
            _ = await handle?.outcome(); isOver.fulfill(true)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120) { isOver.fulfill(false) }
        #expect(await isOver.value)
    }

    @Test func `a clock may ask the manager`() async {
        let clock = AskingClock()
        let isOver = await returns {
            let manager = TaskManager(options: .init(clock: clock))
            let events = manager.events
            clock.watch(manager)
            let end = DispatchSemaphore(value: 0)
            let handle = manager.add("asked", options: .init(timeout: .seconds(60)), { 1 }) { _ in
                end.signal()
            }
            end.wait()
            _ = handle.explain()
            clock.forget()
            withExtendedLifetime(events) {}
        }
        #expect(isOver && clock.asked.load(ordering: .relaxed) > 0)
    }

    @Test func `an error's text and a value's end may ask the manager`() async {
        let isOver = await returns {
            let manager = TaskManager()
            let end = DispatchSemaphore(value: 0)
            let refused = TaskManager(interceptors: [
                Asking { _ in .fail(AskingError(manager: manager)) }
            ])
            let handle = refused.add("value") {
                AskingValue(manager)
            } onEnd: { _ in
                end.signal()
            }
            end.wait()
            _ = handle.explain()
            for _ in 0..<100 {
                manager.add("value") {
                    AskingValue(manager)
                } onEnd: { _ in
                    end.signal()
                }
                end.wait()
            }
            manager.pause()
            for _ in 0..<100 {
                let value = AskingValue(manager)
                manager.add("waiting") { _ = value }
            }
            manager.cancelAll()
            manager.resume()
        }
        #expect(isOver)
    }

    @Test func `an explanation doesn't hold the lock while it asks an error for its text`() async {
        let isOver = await returns {
            let manager = TaskManager(reactors: [Throwing()])
            let end = DispatchSemaphore(value: 0)
            let handle = manager.add("asked") { () -> Int in
                throw Broken()
            } onEnd: { (_: Outcome<Int>) in
                end.signal()
            }
            Throwing.managers.withLock { $0 = manager }
            end.wait()
            _ = handle.explain()
            Throwing.managers.withLock { $0 = nil }
        }
        #expect(isOver)
    }

    @Test func `explanations and texts of errors carry no secrets of URLs`() async {
        let manager = TaskManager(reactors: [
            Reacting(configuration: .init(requeuesTask: true)) { failed, _ in
                failed
            } runs: { _ in
                throw Leaking()
            }
        ])
        let handle = manager.add("leaks") { () -> Int in throw Leaking() }
        guard case .failure(let error) = await handle.outcome() else { return #expect(Bool(false)) }
        #expect(!"\(error)".contains("secret") && !error.localizedDescription.contains("secret"))
        #expect(!"\(handle.explain())".contains("secret"))
    }

    /// Asks a completion when it is freed.
    private final class AskingWhenFreed: Sendable {
        let completion: TaskCompletion<Int>
        let asked: Recorder<Bool>
        init(_ completion: TaskCompletion<Int>, _ asked: Recorder<Bool>) {
            self.completion = completion
            self.asked = asked
        }
        deinit { asked.record(completion.isCancelled) }
    }

    @Test("MG-91: values that an unused stop handler holds are released outside locks")
    func handlers() async throws {
        let manager = TaskManager(), asked = Recorder<Bool>()
        let task = AnyManagedTask<Int>(completing: { done in
            // Held by the handler alone.
            done.onCancel { [asking = AskingWhenFreed(done, asked)] in withExtendedLifetime(asking) {} }
            done(1)
        })
        #expect(try await manager.run(task) == 1)
        await asked.waitForCount(1)
        #expect(asked.values == [false])
    }

    @Test("MG-91: a stop handler that is added after the end is released uncalled")
    func lateHandler() async throws {
        let manager = TaskManager(), asked = Recorder<Bool>(), called = Recorder<Void>()
        let task = AnyManagedTask<Int>(completing: { done in
            done(1)
            done.onCancel { [asking = AskingWhenFreed(done, asked)] in
                withExtendedLifetime(asking) { called.record(()) }
            }
        })
        #expect(try await manager.run(task) == 1)
        await asked.waitForCount(1)
        #expect(asked.values == [false] && called.count == 0)
    }
}

private struct Leaking: Error, CustomStringConvertible {
    var description: String { "no way to https://user:secret@example.com/?token=secret" }
}

/// Fails its run with an error whose text asks the manager.
private struct Throwing: Reactor {
    static let managers = Locked<TaskManager?>(nil)
    var configuration: ReactorConfiguration { .init(requeuesTask: true) }

    func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool { true }

    func execute(_ run: ReactorRun) async throws {
        await eventually { Self.managers.withLock { $0 != nil } }
        if let manager = Self.managers.withLock({ $0 }) { throw AskingError(manager: manager) }
    }
}
