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

    @Test("a stream that nobody can read any more takes nothing, and is left out from the next event on")
    func dropped() async {
        var readers = EventFanout<Int>()
        let kept = EventStream<Int>()
        readers.add(kept)
        do {
            let dropped = EventStream<Int>()
            readers.add(dropped)
            _ = readers.send(1)
        }
        _ = readers.send(2)
        #expect(!readers.isEmpty)
        _ = kept.finish()
        _ = readers.send(3)
        #expect(readers.isEmpty)
        var events: [Int] = []
        for await event in kept { events.append(event) }
        #expect(events == [1, 2])
    }

    @Test("who stops reading and goes on later misses nothing")
    func twoLoops() async {
        let stream = EventStream<Int>()
        for event in 1...40 { _ = stream.append(event, isReplaceable: false) }
        _ = stream.finish()
        var events: [Int] = []
        for await event in stream {
            events.append(event)
            if event == 7 { break }
        }
        for await event in stream { events.append(event) }
        #expect(events == Array(1...40))
    }

    @Test("a reader beside its writer gets everything in order, one by one, in bunches, and after a silence")
    func beside() async {
        var readers = EventFanout<Int>()
        let stream = EventStream<Int>()
        readers.add(stream)
        let seen = Recorder<Int>()
        let reading = Task { for await event in stream { seen.record(event) } }
        var next = 0
        for bunch in 0..<3000 {
            let events = Array(next..<next + bunch % 4)
            next += events.count
            let wakeups = bunch % 8 == 1 ? readers.send(events[0]) : readers.send(contentsOf: events)
            for wakeup in wakeups { wakeup() }
            // The reader has caught up now and then, and waits.
            if bunch % 1000 == 999 { await seen.waitForCount(next) }
        }
        for wakeup in readers.finish() { wakeup() }
        await reading.value
        #expect(seen.values == Array(0..<next))
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
