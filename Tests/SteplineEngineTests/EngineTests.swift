import Dispatch
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

import struct Foundation.Date

@testable import SteplineEngine

private struct Named: EngineTimer, ExpressibleByStringLiteral {
    let name: String
    var purpose: ClockPurpose { .wait }

    init(stringLiteral name: String) { self.name = name }
}

/// A machine that does as it is told, so that the engine around it can be seen at work.
private struct Parrot: Machine {
    enum Effect: Sendable { case say(String) }

    var count = 0
    var kept: (any Sendable)?
    var fired: [Named] = []

    mutating func timerFired(_ timer: Named, _ turn: inout Turn<Effect, Named>) {
        fired.append(timer)
        turn.tell(.say("timer \(timer.name)"))
    }
}

private final class Cage: EngineFace {
    let engine: Engine<Parrot>
    let engineClock: EngineClock
    let said = Locked<[String]>([])
    let listener: @Sendable (Cage, String) -> Void

    init(clock: any StepClock = .system, listener: @escaping @Sendable (Cage, String) -> Void = { _, _ in }) {
        engine = Engine(Parrot())
        engineClock = EngineClock(clock)
        self.listener = listener
    }

    func perform(_ effect: Parrot.Effect) {
        guard case .say(let word) = effect else { return }
        said.withLock { $0.append(word) }
        listener(self, word)
    }
}

/// A clock that has gone on by three seconds each time it is read, and makes no call.
private final class HastyClock: StepClock {
    let seconds = Locked(0)
    let delays = Locked<[Duration]>([])

    var now: Date { Date(timeIntervalSinceReferenceDate: 0).addingTimeInterval(uptime.inSeconds) }
    var uptime: Duration {
        .seconds(
            seconds.withLock { seconds in
                seconds += 3
                return seconds
            })
    }
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        delays.withLock { $0.append(delay) }
        return Subscription {}
    }
}

/// An object that asks the engine when it is freed.
private final class NosyGarbage: Sendable {
    let cage: Cage
    init(_ cage: Cage) { self.cage = cage }
    deinit { cage.send { machine, _ in machine.count += 1 } }
}

/// A clock whose subscriptions hold something.
private final class LadenClock: StepClock {
    let base = ManualClock()
    let load = Locked<NosyGarbage?>(nil)

    var now: Date { base.now }
    var uptime: Duration { base.uptime }
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        let scheduled = base.schedule(after: delay, body)
        let load = load.withLock { load in
            defer { load = nil }
            return load
        }
        return Subscription {
            withExtendedLifetime(load) {}
            scheduled.cancel()
        }
    }
}

/// A clock that makes its calls when the test does, also those that nobody wants any more.
private final class StubbornClock: StepClock {
    let calls = Locked<[@Sendable () -> Void]>([])
    let cancelled = Locked(0)
    /// The work that runs during a call of the clock.
    let meanwhile = Locked<(@Sendable () -> Void)?>(nil)

    var now: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var uptime: Duration { .zero }
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        calls.withLock { $0.append(body) }
        meanwhile.withLock { $0 }?()
        return Subscription { [self] in cancelled.withLock { $0 += 1 } }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct EngineTests {
    @Test
    func `decisions during a notification are reported after it, in order, on the same thread`() {
        let cage = Cage { cage, word in
            guard word == "first" else { return }
            cage.send { _, turn in turn.tell(.say("third")) }
            #expect(cage.said.withLock { $0 } == ["first"])
        }
        cage.send { _, turn in
            turn.tell(.say("first"))
            turn.tell(.say("second"))
        }
        #expect(cage.said.withLock { $0 } == ["first", "second", "third"])
    }

    @Test func `effects are performed by the sender of the event, though another thread is notifying`() async
    {
        let entered = Gate()
        let leave = DispatchSemaphore(value: 0)
        let cage = Cage { _, word in
            guard word == "slow" else { return }
            entered.open()
            leave.wait()
        }
        DispatchQueue.global().async { cage.send { _, turn in turn.tell(.say("slow")) } }
        await entered.wait()
        cage.send { _, turn in turn.order(.say("order")) }
        #expect(cage.said.withLock { $0 } == ["slow", "order"])
        // The notification waits for the thread that notifies.
        cage.send { _, turn in turn.tell(.say("told")) }
        #expect(cage.said.withLock { $0 } == ["slow", "order"])
        leave.signal()
        await eventually { cage.said.withLock { $0.count } == 3 }
        #expect(cage.said.withLock { $0 } == ["slow", "order", "told"])
    }

    @Test func `reported effects come in the order decided, each once, from however many threads`() async {
        let cage = Cage()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        cage.send { machine, turn in
                            machine.count += 1
                            turn.tell(.say("\(machine.count)"))
                        }
                    }
                }
            }
        }
        await eventually { cage.said.withLock { $0.count } == 2000 }
        #expect(cage.said.withLock { $0 } == (1...2000).map { "\($0)" })
    }

    @Test func `an engine holds no lock while it calls its clock`() {
        let clock = ReentrantClock(ManualClock())
        let cage = Cage(clock: clock)
        clock.onCall { _ = cage.engine.read(\.count) }
        cage.send { _, turn in turn.set("alarm", after: .seconds(1)) }
        cage.send { _, turn in turn.withdraw("alarm") }
        clock.onCall(nil)
        #expect(clock.callCount > 2)
    }

    @Test func `user values are released after the unlock`() {
        let cage = Cage()
        cage.send { [garbage = NosyGarbage(cage)] machine, _ in machine.kept = garbage }
        cage.send { machine, turn in
            turn.releaseAfterUnlock(machine.kept)
            machine.kept = nil
        }
        #expect(cage.engine.read(\.count) == 1)
    }

    @Test func `a timer that was reset or cancelled never fires at the old time`() {
        let clock = ManualClock()
        let cage = Cage(clock: clock)
        cage.send { _, turn in
            turn.set("a", after: .seconds(1))
            turn.set("b", after: .seconds(1))
        }
        cage.send { _, turn in
            turn.set("a", after: .seconds(5))
            turn.withdraw("b")
        }
        clock.advance(by: .seconds(2))
        #expect(cage.engine.read(\.fired) == [])
        clock.advance(by: .seconds(4))
        #expect(cage.engine.read(\.fired) == ["a"])
    }

    @Test func `a timer that fires after it was reset or cancelled does nothing`() {
        let clock = StubbornClock()
        let cage = Cage(clock: clock)
        cage.send { _, turn in turn.set("a", after: .seconds(1)) }
        cage.send { _, turn in turn.set("a", after: .seconds(5)) }
        #expect(clock.cancelled.withLock { $0 } == 1)
        let calls = clock.calls.withLock { $0 }
        calls[0]()
        #expect(cage.engine.read(\.fired) == [])
        calls[1]()
        calls[1]()
        #expect(cage.engine.read(\.fired) == ["a"])
    }

    @Test func `a timer withdrawn while the clock schedules it is cancelled afterwards`() {
        let clock = StubbornClock()
        let cage = Cage(clock: clock)
        clock.meanwhile.withLock { $0 = { cage.send { _, turn in turn.withdraw("a") } } }
        cage.send { _, turn in turn.set("a", after: .seconds(1)) }
        clock.meanwhile.withLock { $0 = nil }
        #expect(clock.cancelled.withLock { $0 } == 1)
    }

    @Test func `an engine that waits for a timer stays alive`() {
        let clock = ManualClock(), said = Locked<[String]>([])
        do {
            let cage = Cage(clock: clock) { _, word in said.withLock { $0.append(word) } }
            cage.send { _, turn in turn.set("alarm", after: .seconds(1)) }
        }
        clock.advance(by: .seconds(1))
        #expect(said.withLock { $0 } == ["timer alarm"])
    }

    @Test func `time doesn't go back if a sender reads the clock and then waits for the lock`() {
        let cage = Cage()
        let later = Instant(nanoseconds: 5), earlier = Instant(nanoseconds: 3)
        let times = [later, earlier].map { time in cage.send(at: time) { _, turn in turn.now } }
        #expect(times == [later, later])
    }

    @Test func `a timer counts from the decision, also where the clock was moved on before it was set`() async
    {
        let clock = HastyClock()
        let cage = Cage(clock: clock)
        cage.send { _, turn in turn.set("later", after: .seconds(10)) }
        #expect(clock.delays.withLock { $0 } == [.seconds(7)])
        cage.send { _, turn in turn.set("overdue", after: .seconds(2)) }
        await eventually { !cage.said.withLock { $0.isEmpty } }
        #expect(cage.said.withLock { $0 } == ["timer overdue"])
        #expect(clock.delays.withLock { $0.count } == 1)
    }

    @Test func `streams end when their machine is released`() async {
        var readers: EventReaders<Int>? = EventReaders()
        let stream = EventStream<Int>()
        readers?.add(stream)
        var turn = Turn<Parrot.Effect, Named>()
        readers?.send(1, &turn)
        readers = nil
        var seen: [Int] = []
        for await event in stream { seen.append(event) }
        #expect(seen == [1])
    }

    @Test func `a clock's object for a fired timer is released outside locks`() {
        let clock = LadenClock()
        let cage = Cage(clock: clock)
        clock.load.withLock { $0 = NosyGarbage(cage) }
        cage.send { _, turn in turn.set("laden", after: .seconds(1)) }
        clock.base.advance(by: .seconds(1))
        #expect(cage.engine.read(\.fired) == ["laden"] && cage.engine.read(\.count) == 1)
    }

    @Test func `a manual clock that was moved on between a decision and its timer makes it no later`() async {
        let clock = ManualClock(), calls = Recorder<String>()
        let engineClock = EngineClock(clock), start = engineClock.now()
        clock.advance(by: .seconds(4))
        let subscriptions = [
            engineClock.schedule(after: .seconds(10), from: start, for: .wait) { calls.record("ten") },
            engineClock.schedule(after: .seconds(3), from: start, for: .wait) { calls.record("three") },
        ]
        await calls.waitForCount(1)
        // A waiter finds the timer by its whole delay.
        await clock.waitForScheduled(after: .seconds(10))
        clock.advance(by: .seconds(5))
        #expect(calls.values == ["three"])
        clock.advance(by: .seconds(1))
        #expect(calls.values == ["three", "ten"])
        for subscription in subscriptions { subscription.cancel() }
    }
}
