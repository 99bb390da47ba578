public import SteplineSupport

/// A machine behind its lock, with what it has decided and nobody has done yet.
@usableFromInline
package struct Engine<Logic: Machine>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var machine: Logic
        @usableFromInline var turn: Turn<Logic.Effect, Logic.Timer>

        @usableFromInline
        init(_ machine: Logic) {
            self.machine = machine
            turn = Turn()
        }
    }

    @usableFromInline let state: Locked<State>

    /// Puts a machine behind a lock of its own.
    package init(_ machine: sending Logic) {
        state = Locked(State(machine))
    }

    /// Looks at the machine under its lock; what is returned must not call out either.
    @inlinable
    package func read<Answer>(_ look: (Logic) -> Answer) -> Answer {
        state.withLock { look($0.machine) }
    }

    /// The same of a machine that is large: it is passed `inout` so that it isn't copied.
    ///
    /// What it is told of, and what follows, goes by an event all the same.
    @inlinable
    package func look<Answer>(_ look: (inout Logic) -> Answer) -> Answer {
        state.withLock { look(&$0.machine) }
    }

    /// Comes behind all that was decided before; see ``Locked/comeBehind()``.
    package func comeBehind() { state.comeBehind() }
}

/// What stands around a machine: the object that users hold, which does what the machine decides.
@usableFromInline
package protocol EngineFace: AnyObject, Sendable {
    associatedtype Logic: Machine

    var engine: Engine<Logic> { get }

    /// The clock that all of the engine's time comes from.
    var engineClock: EngineClock { get }

    /// Does one thing that was decided; no lock is held.
    func perform(_ effect: Logic.Effect)

    /// Whether this face runs on a worker, which tells all news, also those of other threads.
    var tellsAllNews: Bool { get }

    /// Whether this news calls a user's code on the thread that performs it.
    func mayBlock(_ news: Logic.Effect) -> Bool

    /// Sets a timer, which sends its event through this face, on the clock's thread.
    ///
    /// A face that is one thread's own leaves that to the object that all threads share.
    func setTimer(_ order: Turn<Logic.Effect, Logic.Timer>.TimerOrder)
}

extension EngineFace {
    @usableFromInline package var tellsAllNews: Bool { false }

    @usableFromInline package func mayBlock(_ news: Logic.Effect) -> Bool { false }

    /// Sends the machine an event, and does what comes of it before it returns.
    ///
    /// Orders are carried out by this thread. News are told by it as well, unless another thread is telling. News that
    /// other threads add meanwhile are left to a worker, so that a sender is never held up by them. With
    /// `tellsElsewhere` a worker also gets those that may block: Swift's own threads are few.
    @inlinable
    @discardableResult
    package func send<Answer>(
        tellsElsewhere: Bool = false,
        _ event: (inout Logic, inout Turn<Logic.Effect, Logic.Timer>) -> Answer
    ) -> Answer {
        send(at: engineClock.now(), tellsElsewhere: tellsElsewhere, event)
    }

    /// The same, at a time that was read before.
    @inlinable
    @discardableResult
    package func send<Answer>(
        at now: Instant, tellsElsewhere: Bool = false,
        _ event: (inout Logic, inout Turn<Logic.Effect, Logic.Timer>) -> Answer
    ) -> Answer {
        let (answer, work) = engine.state.withLock {
            state -> (Answer, Turn<Logic.Effect, Logic.Timer>.Work?) in
            state.turn.begin(at: now)
            let answer = event(&state.machine, &state.turn)
            return (answer, state.turn.hasWork ? state.turn.takeWork() : nil)
        }
        if let work { carryOut(work, tellsElsewhere: tellsElsewhere) }
        return answer
    }

    @inlinable
    func carryOut(_ work: Turn<Logic.Effect, Logic.Timer>.Work, tellsElsewhere: Bool) {
        for subscription in work.withdrawn { subscription.cancel() }
        for order in work.timerOrders { setTimer(order) }
        for effect in work.orders { perform(effect) }
        for waiter in work.waiters { waiter.wake() }
        guard work.tells else { return }
        if tellsAllNews {
            while let effect = engine.state.withLock({ $0.turn.nextNews() }) { perform(effect) }
        } else {
            tellOwnNews(unlessBlocking: tellsElsewhere)
        }
    }

    @usableFromInline
    func tellOwnNews(unlessBlocking: Bool) {
        while true {
            switch engine.state.withLock({ $0.turn.nextNewsOfSender() }) {
            case .tell(let effect):
                if unlessBlocking, mayBlock(effect) {
                    engine.state.withLock { $0.turn.putBack(effect) }
                    return handNewsOver()
                }
                perform(effect)
            case .handOver: return handNewsOver()
            case .done: return
            }
        }
    }

    @usableFromInline
    func handNewsOver() { Workers.shared.enqueue(NewsJob(self)) }

    @usableFromInline
    package func setTimer(_ order: Turn<Logic.Effect, Logic.Timer>.TimerOrder) {
        // Held strongly: what waits for nothing but a timer stays alive.
        let subscription = engineClock.schedule(after: order.delay, from: order.start) { [self] in
            send { machine, turn in
                if turn.claim(order.timer, number: order.number) { machine.timerFired(order.timer, &turn) }
            }
        }
        let isWanted = engine.state.withLock { $0.turn.keep(subscription, of: order) }
        if !isWanted { subscription.cancel() }
    }
}

extension Turn {
    @inlinable
    mutating func begin(at time: Instant) {
        // The clock is read before the lock: who waited for that may bring an older reading than the one before.
        now = max(now, time)
    }
}
