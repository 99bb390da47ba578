import SteplineSupport
import SteplineTesting
import Testing

@Suite("Event streams and the shared executor", .timeLimit(.minutes(5)))
struct EventStreamTests {
    @Test("PL-66: only the newest of a run of replaceable events is kept; all others come, in order")
    func coalescing() async {
        let stream = EventStream<Int>()
        for (event, isReplaceable) in [(1, false), (2, true), (3, true), (4, false), (5, true), (6, false)] {
            _ = stream.append(event, isReplaceable: isReplaceable)
        }
        _ = stream.finish()
        _ = stream.append(7, isReplaceable: false)
        var events: [Int] = []
        for await event in stream { events.append(event) }
        #expect(events == [1, 3, 4, 5, 6])
    }

    private final class Job: ExecutorJob {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        func runJob() { body() }
    }

    @Test("PL-45: an executor runs all its jobs, never more at once than it is wide")
    func width() async {
        let executor = SharedExecutor(width: 3)
        let gate = Gate()
        let running = Locked((now: 0, most: 0))
        let done = Recorder<Void>()
        for _ in 0..<2000 {
            executor.enqueue(
                Job {
                    running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    gate.block()
                    running.withLock { $0.now -= 1 }
                    done.record(())
                })
        }
        await gate.waitForArrivals(3)
        gate.open()
        await done.waitForCount(2000)
        #expect(running.withLock { $0.most } == 3)
    }
}
