import SteplineManager
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Reasons that tasks wait for", .timeLimit(.minutes(5)))
struct ExplainTests {
    let bodies = Recorder<Int>(), clock = ManualClock()

    /// Waits until a task is explained by this code and these causes.
    private func explains(
        _ handle: TaskHandle<Int>, _ code: Explanation.Code, by causes: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await eventually(
            "\(handle.explain()), causes \(handle.explain().causes)", sourceLocation: sourceLocation
        ) {
            handle.explain().code == code && handle.explain().causes == causes
        }
    }

    @Test("MG-82: a task that isn't started or is delayed has the code for that, and its own subject")
    func waiting() {
        let manager = TaskManager("cities", options: .init(clock: clock))
        let started = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        clock.advance(by: .seconds(3))
        let explanation = started.explain()
        #expect(explanation.code == .notStarted && explanation.subject == "count (\(started))")
        #expect(explanation.causes == [] && explanation.attempt == nil)
        // How long it has waited.
        #expect(explanation.description.contains("3 s"))
        let delayed = manager.add(Count(bodies: bodies), options: .init(after: .seconds(5)))
        #expect(delayed.explain().code == .delayed && delayed.explain().subject == "count (\(delayed))")
        #expect(delayed.explain().description.contains("5 s"))
        #expect(manager.explain().subject == "manager cities" && manager.explain().code == .running)
        let idle = TaskManager("empty").explain()
        #expect(idle.subject == "manager empty" && idle.code == .idle)
        manager.cancelAll()
    }

    @Test("MG-82: a task in interception or held names the interceptor, and the limits of the hold")
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
        await explains(first, .interception, by: ["keeper"])
        await explains(second, .interception, by: ["keeper"])
        gate.open()
        await explains(second, .held, by: ["keeper"])
        let held = second.explain().description
        for limit in ["1 others", "5", "60 s"] { #expect(held.contains(limit), "\(held)") }
        manager.cancelAll()
    }

    @Test("MG-82: a queued task names the tasks that have the slots, and how many are before it")
    func slots() async {
        let gate = Gate()
        let manager = TaskManager(options: .init(maximumConcurrency: 1, clock: clock))
        let live = manager.add(Count(gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        let next = manager.add(Count(bodies: bodies)), last = manager.add(Count(bodies: bodies))
        let urgent = manager.add(Count(bodies: bodies), options: .init(priority: .high))
        for (before, handle) in [urgent, next, last].enumerated() {
            let explanation = handle.explain()
            #expect(explanation.code == .queued && explanation.causes == ["count (\(live))"])
            #expect(explanation.description.contains("after \(before) others"), "\(explanation)")
        }
        clock.advance(by: .seconds(7))
        #expect(live.explain().code == .running && live.explain().attempt == 1)
        #expect(live.explain().description.contains("7 s"))
        manager.pause()
        #expect(next.explain().code == .paused)
        manager.cancelAll("enough")
        clock.advance(by: .seconds(2))
        let end = next.explain()
        #expect(end.code == .cancelled && end.subject == "count (\(next))")
        #expect(end.description.contains("enough") && end.description.contains("2 s"), "\(end)")
        gate.open()
    }

    @Test("MG-82: a task names the run that suspends it or that it waits for, and its back-off and end")
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
        await explains(failing, .reaction, by: ["login"])
        let suspended = manager.add(Count(number: 1, bodies: bodies))
        #expect(suspended.explain().code == .suspended && suspended.explain().causes == ["login"])
        gate.open()
        await explains(failing, .backingOff)
        #expect(failing.explain().description.contains("4 s"))
        #expect(try await suspended.value == 1)
        #expect(suspended.explain().code == .succeeded && suspended.explain().attempt == 1)
        failing.cancel()
    }
}
