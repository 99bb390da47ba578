import SteplineSupport
import SteplineTesting
import Testing

@Suite("Event streams", .timeLimit(.minutes(5)))
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

    @Test("a reader that pauses misses no event")
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
}
