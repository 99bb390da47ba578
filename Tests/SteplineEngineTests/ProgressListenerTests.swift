import SteplineEngine
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Listeners for progress", .timeLimit(.minutes(5)))
struct ProgressListenerTests {
    @Test func `a listener that is ended before it follows its events finishes them`() {
        let listener = ProgressListener(.anywhere, nil, reading: { 1 }) { _ in }
        let events = EventStream<Int>()
        listener.end()
        listener.follow(events)
        // A source drops a reader whose stream has finished.
        #expect(events.state.withLock { $0.isFinished })
    }

    @Test func `a listener calls with the newest value until it is ended`() async {
        let value = Locked(0), calls = Recorder<Int>()
        let listener = ProgressListener(.anywhere, nil, reading: { value.withLock { $0 } }) {
            calls.record($0)
        }
        let events = EventStream<Int>()
        listener.follow(events)
        value.withLock { $0 = 7 }
        events.append(1, isReplaceable: false)?.wake()
        await calls.waitForCount(1)
        #expect(calls.values == [7])
        listener.end()
        #expect(events.state.withLock { $0.isFinished })
    }
}
