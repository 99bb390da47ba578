import Dispatch
import SteplineManager
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Adding and handles", .timeLimit(.minutes(5)))
struct AddingTests {
    let bodies = Recorder<Int>()

    @Test("MG-1: a body's failure is delivered unchanged; making a task runs nothing")
    func failures() async {
        let task = Count(number: 7, fails: true, bodies: bodies)
        #expect(bodies.count == 0)
        let handle = TaskManager().add(task)
        await #expect(throws: Broken(number: 7)) { try await handle.value }
        #expect(handle.state == .finished(.failed))
    }

    @Test("MG-4 MG-16 MG-17: one task added 100 times has 100 executions, completions and finished handles")
    func manyAddings() async {
        let manager = TaskManager(), reported = Recorder<Int>()
        let task = Count(number: 3, bodies: bodies)
        let handles = (0..<100).map { number in manager.add(task) { _ in reported.record(number) } }
        for handle in handles { #expect(await (try? handle.value) == 3) }
        await reported.waitForCount(100)
        #expect(reported.values.sorted() == Array(0..<100) && bodies.count == 100)
        #expect(Set(handles).count == 100 && handles.allSatisfy { $0.state == .finished(.succeeded) })
    }

    @Test("MG-7 MG-8: pending, executing, finished; inside a body it reads executing")
    func states() async throws {
        let manager = TaskManager(), seen = Recorder<TaskState?>(), gate = Gate()
        let handle = manager.add("look", options: .init(startsImmediately: false)) {
            seen.record(TaskManager.current?.handle.state)
            await gate.wait()
        }
        #expect(handle.state == .pending(.start) && handle.attempt == 0)
        let states = Recorder<TaskState>()
        let reader = Task { [stream = handle.states] in for await state in stream { states.record(state) } }
        handle.start()
        await gate.waitForArrivals()
        #expect(handle.state == .executing(nil) && handle.attempt == 1)
        #expect(seen.values == [.executing(nil)])
        gate.open()
        try await handle.value
        #expect(handle.state == .finished(.succeeded))
        await reader.value
        #expect(states.values == [.pending(.slot), .executing(nil), .finished(.succeeded)])
    }

    @Test("MG-9: many starts make one begin; a start ends a delay")
    func starts() async throws {
        let clock = ManualClock(), manager = TaskManager(options: .init(watchdog: nil, clock: clock))
        let handle = manager.add(
            Count(bodies: bodies), options: .init(startsImmediately: false, after: .seconds(5)))
        DispatchQueue.concurrentPerform(iterations: 20) { _ in handle.start() }
        #expect(handle.state == .pending(.delay) || bodies.count <= 1)
        handle.start()
        _ = try await handle.value
        handle.start()
        #expect(bodies.count == 1)
        #expect(clock.scheduledCount == 0)
    }

    @Test("MG-10: cancelling a wait ends that wait alone")
    func cancelledWaits() async throws {
        let gate = Gate(), handle = TaskManager().add(Count(number: 1, gate: gate, bodies: bodies))
        let waiting = Task { try await handle.value }
        await gate.waitForArrivals()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(handle.state == .executing(nil))
        gate.open()
        #expect(try await handle.value == 1)
    }

    @Test("MG-11: identifiers grow from 0, print as handle and numbers, and survive their manager")
    func identifiers() async throws {
        var manager: TaskManager? = TaskManager()
        let number = manager?.identifier ?? -1
        let first = manager?.add(Count(bodies: bodies)), second = manager?.add(Count(bodies: bodies))
        #expect(first?.description == "handle.\(number).0" && second?.description == "handle.\(number).1")
        _ = try await second?.value
        _ = try await first?.value
        manager = nil
        #expect(
            first?.debugDescription
                == "handle.\(number).0 count finished: succeeded attempt 1 <unowned>"
        )
    }

    @Test("MG-12: a handle does not keep its manager; calls on an ended one do nothing")
    func lifetime() async throws {
        var manager: TaskManager? = TaskManager()
        weak let gone = manager
        let handle = manager?.add(Count(number: 2, bodies: bodies))
        _ = try await handle?.value
        manager = nil
        await eventually { gone == nil }
        handle?.cancel()
        handle?.start()
        #expect(handle?.state == .finished(.succeeded))
        #expect(await (try? handle?.value) == 2)
    }

    @Test("MG-13: a callback is withdrawn by its subscription, by its owner, and not once it has begun")
    func withdrawing() async {
        final class Owner: Sendable {}
        let manager = TaskManager(), reported = Recorder<String>(), owner = Owner()
        let handle = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        let old = handle.onEnd { _ in reported.record("old") }
        handle.onSuccess(for: owner) { _ in reported.record("owned") }
        handle.onSuccess { _ in reported.record("new") }
        handle.onFailure { _ in reported.record("failed") }
        old.cancel()
        handle.removeCallbacks(of: owner)
        handle.start()
        await reported.waitForCount(1)
        handle.onEnd { _ in reported.record("late") }.cancel()
        #expect(reported.values == ["new", "late"])
    }

    @Test("MG-14: onEnd follows the completion in order of registration, also after the end")
    func onEnd() async {
        let manager = TaskManager(), reported = Recorder<Int>()
        let handle = manager.add(
            Count(bodies: bodies), options: .init(startsImmediately: false)
        ) { _ in reported.record(0) }
        handle.onEnd { _ in reported.record(1) }
        handle.onEnd { _ in reported.record(2) }
        handle.start()
        await reported.waitForCount(3)
        handle.onEnd { _ in reported.record(3) }
        #expect(reported.values == [0, 1, 2, 3])
    }

    @Test("MG-15: interceptors and reactors are readable in order; managers are numbered")
    func making() {
        let first = TaskManager(
            interceptors: [Asking(name: "a") { _ in .execute }, Asking(name: "b") { _ in .execute }],
            reactors: [Reacting(name: "c")])
        #expect(first.interceptors.map(\.name) == ["a", "b"] && first.reactors.map(\.name) == ["c"])
        #expect(TaskManager().identifier > first.identifier)
        #expect(TaskManager.shared.interceptors.isEmpty && TaskManager.shared.reactors.isEmpty)
    }

    @Test("MG-18: a delay holds back interception and begin")
    func delays() async throws {
        let clock = ManualClock(), asked = Recorder<Int>()
        let manager = TaskManager(
            interceptors: [
                Asking { context in
                    asked.record(context.attempt)
                    return .execute
                }
            ], options: .init(watchdog: nil, clock: clock))
        let handle = manager.add(Count(bodies: bodies), options: .init(after: .seconds(5)))
        clock.advance(by: .seconds(4.9))
        #expect(handle.state == .pending(.delay) && asked.count == 0)
        clock.advance(by: .seconds(0.2))
        _ = try await handle.value
        #expect(asked.values == [1])
    }

    @Test("MG-19: a callback runs on the queue it names")
    func queues() async {
        let queue = DispatchQueue(label: "test"), key = DispatchSpecificKey<Int>(),
            reported = Recorder<Int?>()
        queue.setSpecific(key: key, value: 5)
        TaskManager().add(Count(bodies: bodies), on: queue) { _ in
            reported.record(DispatchQueue.getSpecific(key: key))
        }
        await reported.waitForCount(1)
        #expect(reported.values == [5])
    }

    @Test("MG-20: cancelling the task that runs cancels the managed task")
    func cancelledRun() async throws {
        let manager = TaskManager(), gate = Gate(), task = Count(number: 4, gate: gate, bodies: bodies)
        let running = Task { try await manager.run(task) }
        await gate.waitForArrivals()
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(task.ended.values.map(\.code) == [.cancelled])
        gate.open()
        #expect(try await manager.run(task) == 4)
    }
}
