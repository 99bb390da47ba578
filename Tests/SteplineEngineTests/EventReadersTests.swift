import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplineSupport

/// A machine that only tells its readers.
private struct Teller: Machine {
    enum Effect: Sendable {}

    var readers = EventReaders<Int>()

    mutating func timerFired(_ timer: AttemptTimer, _ turn: inout Turn<Effect, AttemptTimer>) {}
}

private final class TellerFace: EngineFace {
    let engine = Engine(Teller())
    let engineClock = EngineClock(.system)

    func perform(_ effect: Teller.Effect) {}

    func tell(_ events: [Int]) { send { $0.readers.send(contentsOf: events, &$1) } }
}

@Suite("Readers of events", .timeLimit(.minutes(5)))
struct EventReadersTests {
    @Test("a stream without a reader takes no event, and is removed at the next one")
    func dropped() async {
        let face = TellerFace()
        let kept = EventStream<Int>()
        face.send { machine, _ in machine.readers.add(kept) }
        do {
            let dropped = EventStream<Int>()
            face.send { machine, _ in machine.readers.add(dropped) }
            face.tell([1])
        }
        face.tell([2])
        #expect(!face.engine.read { $0.readers.isEmpty })
        _ = kept.finish()
        face.tell([3])
        #expect(face.engine.read { $0.readers.isEmpty })
        var events: [Int] = []
        for await event in kept { events.append(event) }
        #expect(events == [1, 2])
    }

    @Test("a reader that waits is woken by an event, and by the end")
    func woken() async {
        let face = TellerFace()
        let stream = EventStream<Int>()
        face.send { machine, _ in machine.readers.add(stream) }
        let seen = Recorder<Int>()
        let reading = Task { for await event in stream { seen.record(event) } }
        func waitForReader() async {
            await eventually { stream.state.withLock { $0.reader != nil } }
        }
        await waitForReader()
        face.tell([1])
        await seen.waitForCount(1)
        await waitForReader()
        face.send { $0.readers.finish(&$1) }
        await reading.value
        #expect(seen.values == [1])
    }

    @Test("a reader beside its writer gets everything in order, one by one, in bunches, and after a silence")
    func beside() async {
        let face = TellerFace()
        let stream = EventStream<Int>()
        face.send { machine, _ in machine.readers.add(stream) }
        let seen = Recorder<Int>()
        let reading = Task { for await event in stream { seen.record(event) } }
        var next = 0
        for bunch in 0..<3000 {
            let events = Array(next..<next + bunch % 4)
            next += events.count
            face.tell(events)
            // The reader has caught up now and then, and waits.
            if bunch % 1000 == 999 { await seen.waitForCount(next) }
        }
        face.send { $0.readers.finish(&$1) }
        await reading.value
        #expect(seen.values == Array(0..<next))
    }

    @Test func `dropped streams are removed without an event`() {
        let face = TellerFace()
        let kept = (0..<4).map { _ in EventStream<Int>() }
        for stream in kept { face.send { machine, _ in machine.readers.add(stream) } }
        for _ in 0..<1000 { face.send { machine, _ in machine.readers.add(EventStream<Int>()) } }
        #expect(face.engine.read { $0.readers.readers?.list.count ?? 0 } <= 16)
        face.tell([1])
        #expect(face.engine.read { $0.readers.readers?.list.count } == 4)
    }
}
