import SteplineManager
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Stalled tasks", .timeLimit(.minutes(5)))
struct WatchdogTests {
    let bodies = Recorder<Int>()

    /// Reads the stalled events of a manager.
    private func stalls(of manager: TaskManager) -> Recorder<String> {
        let stalls = Recorder<String>()
        let events = manager.events
        Task.detached {
            for await event in events where event.kind == .stalled {
                stalls.record("\(event.name) \(event.handle?.number ?? -1)")
            }
        }
        return stalls
    }

    @Test("MG-83: a body that doesn't end is named, again at each doubling, and not stopped")
    func body() async throws {
        let clock = ManualClock(), gate = Gate()
        let manager = TaskManager(options: .init(clock: clock)), stalls = stalls(of: manager)
        let handle = manager.add(Count(number: 3, gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(59))
        #expect(stalls.count == 0)
        clock.advance(by: .seconds(1))
        await stalls.waitForCount(1)
        clock.advance(by: .seconds(59))
        clock.advance(by: .seconds(1))
        await stalls.waitForCount(2)
        clock.advance(by: .seconds(119))
        clock.advance(by: .seconds(1))
        await stalls.waitForCount(3)
        gate.open()
        #expect(try await handle.value == 3)
        clock.advance(by: .seconds(10_000))
        #expect(stalls.values == ["count 0", "count 0", "count 0"])
        #expect(clock.scheduledCount == 0)
    }

    @Test("MG-83 MG-35: a task held without limits is named with its holder; a run and an interceptor, too")
    func others() async throws {
        let clock = ManualClock(), stuck = Gate(), running = Gate()
        let manager = TaskManager(
            interceptors: [Asking(name: "holder") { $0.handle.tags == ["held"] ? .hold : .execute }],
            reactors: [
                Reacting(
                    name: "runner", configuration: .init(requeuesTask: true),
                    runs: { _ in await running.wait() })
            ], options: .init(clock: clock))
        let stalls = stalls(of: manager)
        let failing = manager.add(Count(fails: true, bodies: bodies))
        await running.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(60))
        let held = manager.add(Count(bodies: bodies), options: .init(tags: ["held"]))
        await eventually { held.state == .pending(.held) }
        clock.advance(by: .seconds(60))
        await stalls.waitForCount(2)
        #expect(Set(stalls.values) == ["holder 1", "runner -1"])
        failing.cancel()
        held.cancel()
        running.open()
        let asking = TaskManager(
            interceptors: [
                Asking(name: "slow") { _ in
                    await stuck.wait()
                    return .execute
                }
            ], options: .init(answerTimeout: .seconds(1000), clock: clock))
        let slow = self.stalls(of: asking)
        asking.add(Count(bodies: bodies))
        await stuck.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(60))
        await slow.waitForCount(1)
        #expect(slow.values == ["slow 0"])
        stuck.open()
    }

    @Test("MG-83: nil turns it off")
    func off() async throws {
        let clock = ManualClock(), gate = Gate()
        let manager = TaskManager(options: .init(watchdog: nil, clock: clock))
        manager.add(Count(gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        #expect(clock.scheduledCount == 0)
        gate.open()
    }

    /// Keeps its completion, and never calls it.
    struct Silent: CallbackTask {
        let kept = Recorder<TaskCompletion<Int>>()
        func execute(_ done: TaskCompletion<Int>) { kept.record(done) }
    }

    @Test("MG-3 MG-83: a completion that is kept and never called is named, and ended by the time-out")
    func kept() async throws {
        let clock = ManualClock(), task = Silent()
        let manager = TaskManager("callbacks", options: .init(clock: clock)), stalls = stalls(of: manager)
        let handle = manager.add(task, options: .init(timeout: .seconds(90)))
        await task.kept.waitForCount(1)
        await eventually { handle.explain().description.contains("waits for the completion of attempt 1") }
        await clock.waitForScheduled(after: .seconds(90))
        clock.advance(by: .seconds(60))
        await stalls.waitForCount(1)
        #expect(
            manager.explain().description.contains("Silent (\(handle)) waits for the completion of attempt 1")
        )
        clock.advance(by: .seconds(30))
        #expect(await handle.endCode == .timedOut)
    }

    @Test("MG-83: two tasks that await each other for ever are both named")
    func deadlock() async throws {
        let clock = ManualClock(), handles = Recorder<TaskHandle<Int>>()
        let manager = TaskManager(options: .init(clock: clock)), stalls = stalls(of: manager)
        let both = [1, 0].map { other in
            manager.add("waits for \(other)", options: .init(deadline: .seconds(100))) {
                () async throws -> Int in
                await handles.waitForCount(2)
                return try await handles.values[other].value
            }
        }
        for handle in both { handles.record(handle) }
        await eventually { both.allSatisfy { $0.state == .executing(nil) } }
        await clock.waitForScheduled(after: .seconds(100))
        clock.advance(by: .seconds(60))
        await stalls.waitForCount(2)
        #expect(
            manager.explain().description.contains("waits for 0")
                && manager.explain().description.contains("waits for 1"))
        clock.advance(by: .seconds(40))
        for handle in both { #expect(await handle.endCode == .timedOut) }
    }
}
