import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("What a task waits for", .timeLimit(.minutes(5)))
struct ExplainTests {
    let bodies = Recorder<Int>(), clock = ManualClock()

    private func explains(_ handle: TaskHandle<Int>, _ text: String) async -> Bool {
        for _ in 0..<100_000 {
            if handle.explain().description.contains(text) { return true }
            await Task.yield()
        }
        Issue.record("\(handle.explain()) isn't \(text)")
        return false
    }

    @Test("MG-82: not started, delayed, and how long")
    func waiting() async {
        let manager = TaskManager("cities", options: .init(clock: clock))
        let started = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        clock.advance(by: .seconds(3))
        #expect(started.explain().description == "count (\(started)) waits for start(), for 3 s.")
        #expect(started.explain().code == .notStarted)
        let delayed = manager.add(Count(bodies: bodies), options: .init(after: .seconds(5)))
        #expect(delayed.explain().description.contains("waits for the end of its delay of 5 s, for 0 s"))
        #expect(manager.explain().description.contains("manager cities has 2 unfinished tasks"))
        #expect(TaskManager("empty").explain().description == "manager empty is idle.")
        manager.cancelAll()
    }

    @Test("MG-82: its turn, behind which interceptor; held by whom, how many, limits")
    func interception() async {
        let gate = Gate()
        let manager = TaskManager(
            interceptors: [
                Asking(name: "keeper", holdLimits: .init(count: 5, age: .seconds(60))) { context in
                    if context.handle.tags == ["first"] { await gate.wait() }
                    return .hold
                }
            ], options: .init(clock: clock))
        let first = manager.add(Count(bodies: bodies), options: .init(tags: ["first"]))
        let second = manager.add(Count(bodies: bodies))
        await gate.waitForArrivals()
        #expect(await explains(first, "waits for the answer of the interceptor keeper"))
        #expect(await explains(second, "waits for its turn with the interceptors, behind count at keeper"))
        gate.open()
        #expect(await explains(second, "is held by keeper with 1 others, at most 5, at most 60 s"))
        manager.cancelAll()
    }

    @Test("MG-82: its place in line and who has the slots; paused; a body since")
    func slots() async {
        let gate = Gate()
        let manager = TaskManager(options: .init(maximumConcurrency: 1, clock: clock))
        let live = manager.add(Count(gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        let next = manager.add(Count(bodies: bodies)), last = manager.add(Count(bodies: bodies))
        let urgent = manager.add(Count(bodies: bodies), options: .init(priority: .high))
        let slots = "1 of 1 are taken, by count (\(live))"
        #expect(urgent.explain().description.contains("waits for a slot, behind 0 others: \(slots)"))
        #expect(
            next.explain().description.contains("behind 1 others")
                && last.explain().description.contains("behind 2 others"))
        clock.advance(by: .seconds(7))
        #expect(live.explain().description.hasSuffix("executes attempt 1, for 7 s."))
        manager.pause()
        #expect(next.explain().description.contains("waits for the manager to be resumed"))
        manager.cancelAll("enough")
        clock.advance(by: .seconds(2))
        #expect(next.explain().description == "count (\(next)) was cancelled: enough, 2 s ago.")
        gate.open()
    }

    @Test("MG-82: suspended by which run; its runs; its back-off; how it ended")
    func reactions() async throws {
        let gate = Gate()
        let manager = TaskManager(
            reactors: [
                Reacting(
                    name: "login",
                    configuration: .init(
                        requeuesTask: true, suspendsTaskQueue: true,
                        backoff: .exponential(base: .seconds(4), jitter: .none)),
                    runs: { _ in await gate.wait() })
            ], options: .init(clock: clock))
        let failing = manager.add(Count(fails: true, bodies: bodies))
        await gate.waitForArrivals()
        #expect(await explains(failing, "waits for the runs of login"))
        let suspended = manager.add(Count(number: 1, bodies: bodies))
        #expect(suspended.explain().description.contains("waits for the suspending run of login"))
        gate.open()
        #expect(await explains(failing, "waits for the end of its back-off of 4 s"))
        #expect(try await suspended.value == 1)
        #expect(suspended.explain().description == "count (\(suspended)) succeeded in attempt 1, 0 s ago.")
        failing.cancel()
    }
}
