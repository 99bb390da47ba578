import Foundation
import Stepline
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
