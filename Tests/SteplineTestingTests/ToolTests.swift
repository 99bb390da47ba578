import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Tools for tests", .timeLimit(.minutes(5)))
struct ToolTests {
    @Test("PL-56: a manual clock stands still until it is moved, and calls each at its own time")
    func manualClock() {
        let clock = ManualClock()
        let lines = Recorder<Duration>()
        for seconds in [3, 1, 2] { clock.schedule(after: .seconds(seconds)) { lines.record(clock.uptime) } }
        clock.schedule(after: .seconds(2)) { lines.record(.zero) }.cancel()
        #expect(clock.scheduledCount == 3)
        clock.advance(by: .milliseconds(999))
        #expect(lines.count == 0)
        clock.advance(by: .seconds(5))
        #expect(lines.values == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(clock.uptime == .milliseconds(5999))
        #expect(abs(clock.now.timeIntervalSinceReferenceDate - 5.999) < 1e-9)
        #expect(clock.scheduledCount == 0)
    }

    @Test("PL-56: a timer set by a callback within the same advance fires in it")
    func chained() {
        let clock = ManualClock()
        let lines = Recorder<Duration>()
        clock.schedule(after: .seconds(1)) {
            clock.schedule(after: .seconds(1)) { lines.record(clock.uptime) }
        }
        clock.advance(by: .seconds(10))
        #expect(lines.values == [.seconds(2)])
    }

    @Test("a wait for an event that never comes ends by a cancel, such as a test's time limit")
    func cancelledWaits() async {
        let clock = ManualClock()
        let lines = Recorder<Int>()
        let waits = [
            Task { await lines.waitForCount(1) }, Task { await clock.waitForScheduled() },
            Task { await clock.waitForScheduled(after: .seconds(1)) },
        ]
        for wait in waits { wait.cancel() }
        for wait in waits { await wait.value }
        lines.record(1)
        clock.schedule(after: .seconds(1)) {}
    }

    @Test("A clock that runs by itself wakes who sleeps on it; a cancelled sleeper throws")
    func sleeping() async throws {
        try await ManualClock(runsByItself: true).sleep(for: .seconds(86400))
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForScheduled()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test("a clock that runs by itself lets no deadline or time-out pass while a body works")
    func limits() async throws {
        for _ in 1...50 {
            let clock = ManualClock(runsByItself: true)
            let pipeline = Pipeline("p", options: .init(deadline: .seconds(3600), clock: clock)) {
                BlockStep { () in 1 }
                BlockStep { number in number + 1 }
            }
            #expect(try await pipeline.run() == 2)
            let workflow = Workflow(options: .init(deadline: .seconds(60), clock: clock))
            let task = try workflow.add("t", options: .init(timeout: .seconds(30))) { () async in
                await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
                return 3
            }
            try await workflow.run()
            #expect(try await task.value == 3 && clock.uptime == .zero)
        }
    }

    @Test("a clock that runs by itself ends a back-off, and a deadline that is shorter than the back-off")
    func waitsAndLimits() async throws {
        let clock = ManualClock(runsByItself: true)
        let retry = RetryPolicy.constant(attempts: 5, delay: .seconds(100), cap: .seconds(100)) { _ in true }
        let pipeline = Pipeline("p", options: .init(deadline: .seconds(250), clock: clock)) {
            BlockStep { () throws -> Int in throw CocoaError(.fileNoSuchFile) }.retrying(retry)
        }
        let error = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect(error?.code == .timedOut && clock.uptime >= .seconds(250))
    }

    @Test("a clock that runs by itself ends delays of workflows and holds of managers")
    func delays() async throws {
        struct Hold: Interceptor {
            var holdLimits: HoldLimits { HoldLimits(count: 10, age: .seconds(60)) }

            func intercept<T: ManagedTask>(_ task: inout T, context: InterceptContext) async throws
                -> InterceptCommand
            { .hold }
        }
        let clock = ManualClock(runsByItself: true)
        let workflow = Workflow(options: .init(clock: clock))
        try workflow.addDelay("pause", .seconds(60))
        try await workflow.run()
        #expect(clock.uptime == .seconds(60))
        let manager = TaskManager(interceptors: [Hold()], options: .init(clock: clock))
        #expect(try await manager.add("held") { 3 }.value == 3 && clock.uptime == .seconds(120))
    }

    @Test("waiting for scheduled calls skips time limits, unless their length is given")
    func waitForWaits() async throws {
        let clock = ManualClock(), ends = Recorder<Void>()
        let limit = clock.scheduleInBackground(after: .seconds(10)) { ends.record(()) }
        await clock.waitForScheduled(after: .seconds(10))
        let waiting = Task { await clock.waitForScheduled() }
        clock.schedule(after: .seconds(20)) {}
        await waiting.value
        limit.cancel()
        clock.advance(by: .seconds(30))
        #expect(ends.count == 0)
    }

    @Test("A gate lets all through once it is open, with a thread or without")
    func gate() async {
        let gate = Gate()
        let passed = Recorder<Void>()
        let waiting = Task {
            await gate.wait()
            passed.record(())
        }
        await gate.waitForArrivals()
        #expect(!gate.isOpen && passed.count == 0)
        gate.open()
        gate.open()
        await waiting.value
        #expect(gate.isOpen && gate.block() && passed.count == 1)
    }

    @Test("A recorder keeps the order, and wakes each who waits for a count")
    func recorder() async {
        let recorder = Recorder<Int>()
        let waits = [1, 2, 2].map { count in Task { await recorder.waitForCount(count) } }
        recorder.record(1)
        recorder.record(2)
        for wait in waits { await wait.value }
        #expect(recorder.values == [1, 2])
        await recorder.waitForCount(0)
    }
}
