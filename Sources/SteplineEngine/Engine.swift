public import SteplineSupport

/// A machine with its lock, its pending effects and its timers.
///
/// This is the only way to a machine. ``read(_:)`` and ``look(_:)`` inspect the machine under the lock.
/// ``EngineFace/send(tellsElsewhere:_:)`` runs one transaction and performs its effects.
///
/// One transaction, on the sending thread:
///
/// 1. Read the clock, before the lock, because the clock may be a user's.
/// 2. Lock. The event changes the machine and records effects in the ``Turn``. Unlock.
/// 3. Cancel withdrawn timers and set new timers.
/// 4. Perform the ordered effects, then wake the waiters.
/// 5. Perform the news, unless another thread is performing news of this engine.
/// 6. Release the values that the machine discarded.
///
/// Invariant: no user code runs under the lock, including closures, clocks, descriptions and deinitializers. A
/// transaction without effects costs one lock and one clock reading.
@usableFromInline
package struct Engine<Logic: Machine>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var machine: Logic
        @usableFromInline var turn: Turn<Logic.Effect, Logic.Timer>

        @inlinable
        init(_ machine: Logic) {
            self.machine = machine
            turn = Turn()
        }
    }

    @usableFromInline let state: Locked<State>

    /// Creates an engine that owns the machine and its lock.
    @inlinable
    package init(_ machine: sending Logic) {
        state = Locked(State(machine))
    }

    /// Calls `look` with the machine under the lock; neither `look` nor its result may call user code.
    @inlinable
    package func read<Answer>(_ look: (Logic) -> Answer) -> Answer {
        state.withLock { look($0.machine) }
    }

    /// Calls `look` with the machine under the lock, without a copy of a large machine.
    ///
    /// Don't change the machine through the `inout` parameter: only a transaction performs effects.
    @inlinable
    package func look<Answer>(_ look: (inout Logic) -> Answer) -> Answer {
        state.withLock { look(&$0.machine) }
    }

    /// Synchronizes with all earlier transactions; see ``Locked/synchronize()``.
    package func synchronize() { state.synchronize() }
}

/// The object that owns an engine and performs the effects of its machine.
///
/// Users hold this object, for example a pipeline or a workflow's core. Any thread may send events.
@usableFromInline
package protocol EngineFace: AnyObject, Sendable {
    associatedtype Logic: Machine

    var engine: Engine<Logic> { get }

    /// The clock of all times in the engine.
    var engineClock: EngineClock { get }

    /// Performs one effect, without any lock held.
    func perform(_ effect: Logic.Effect)

    /// Whether this face belongs to a worker, which performs all news, including news from other threads.
    var tellsAllNews: Bool { get }

    /// Returns whether this effect calls user code on the performing thread.
    func mayBlock(_ news: Logic.Effect) -> Bool

    /// Sets a timer, which sends its event through this face on the clock's thread.
    ///
    /// A face that belongs to one thread forwards the call to the object that all threads share.
    func setTimer(_ order: Turn<Logic.Effect, Logic.Timer>.TimerOrder)
}

extension EngineFace {
    @usableFromInline package var tellsAllNews: Bool { false }

    @usableFromInline package func mayBlock(_ news: Logic.Effect) -> Bool { false }

    /// Runs one transaction and performs its effects before returning.
    ///
    /// This thread performs the ordered effects. It also performs the news, unless another thread is already doing so.
    /// News that other threads add meanwhile go to a worker, so they don't delay this sender.
    ///
    /// A callback among the news may send an event of the same engine. That nested call performs no news. The outer
    /// call then performs all news recorded until the nested event, including those of other threads. A face with
    /// ``tellsAllNews`` performs news until none is left.
    ///
    /// - Parameters:
    ///   - tellsElsewhere: Whether a worker performs news that may block. Pass true on Swift's cooperative threads,
    ///     which are few.
    ///   - event: The change to the machine, called under the lock.
    /// - Returns: The result of `event`.
    @inlinable
    @discardableResult
    package func send<Answer>(
        tellsElsewhere: Bool = false,
        _ event: (inout Logic, inout Turn<Logic.Effect, Logic.Timer>) -> Answer
    ) -> Answer {
        send(at: engineClock.now(), tellsElsewhere: tellsElsewhere, event)
    }

    /// Runs one transaction at a time that was read before; see ``send(tellsElsewhere:_:)``.
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
        // A withdrawn timer may fire before this line: `claim` then ignores its number.
        for subscription in work.withdrawn { subscription.cancel() }
        for order in work.timerOrders { setTimer(order) }
        for effect in work.orders { perform(effect) }
        for waiter in work.waiters { waiter.wake() }
        // `work` keeps the discarded values until this method returns: their deinitializers run without the lock.
        guard work.tells else { return }
        if tellsAllNews {
            // Lock once per effect: a news item leaves the list only when its predecessor is performed, which keeps the
            // order.
            while let effect = engine.state.withLock({ $0.turn.nextNews() }) { perform(effect) }
        } else {
            tellOwnNews(unlessBlocking: tellsElsewhere)
        }
    }

    @inlinable
    func tellOwnNews(unlessBlocking: Bool) {
        while true {
            switch engine.state.withLock({ $0.turn.nextNewsOfSender() }) {
            case .tell(let effect):
                if unlessBlocking, mayBlock(effect) {
                    // The effect goes back to the front. A worker performs this effect and all later ones.
                    // `isTelling` stays true between the two locks: no other thread takes a later effect meanwhile.
                    engine.state.withLock { $0.turn.putBack(effect) }
                    return handNewsOver()
                }
                perform(effect)
            case .handOver: return handNewsOver()
            case .done: return
            }
        }
    }

    @inlinable
    func handNewsOver() { Workers.shared.enqueueNews { [self] in news(on: $0) } }

    /// Performs one share of the news on a worker; returns whether the rest wait for the worker's other jobs.
    @inlinable
    func news(on worker: Worker) -> Bool {
        let thread = currentThread()
        // Transactions that a callback starts on this thread leave their news to this loop.
        engine.state.withLock { $0.turn.telling(by: thread) }
        var notified = 0
        while let effect = engine.state.withLock({ $0.turn.nextNews() }) {
            // Count each callback as a body: the watch then detects a callback that blocks.
            worker.beginBody()
            perform(effect)
            notified += 1
            // Other waiting jobs get the thread after 64 news. `isTelling` stays true in the queue, so no sender
            // starts a second loop.
            if worker.mayChange(after: notified, of: 64) {
                engine.state.withLock { $0.turn.leavesNewsInQueue() }
                return true
            }
        }
        return false
    }

    @inlinable
    package func setTimer(_ order: Turn<Logic.Effect, Logic.Timer>.TimerOrder) {
        // Capture `self` strongly: an engine that only waits for a timer must stay alive.
        let subscription = engineClock.schedule(
            after: order.delay, from: order.start, for: order.timer.purpose
        ) { [self] in
            send { machine, turn in
                // The number differs if the timer was withdrawn or set again before this call got the lock.
                if turn.claim(order.timer, number: order.number) { machine.timerFired(order.timer, &turn) }
            }
        }
        let isNeeded = engine.state.withLock { $0.turn.keep(subscription, of: order) }
        // The timer fired, was withdrawn or was set again before the clock returned the subscription.
        if !isNeeded { subscription.cancel() }
    }
}

extension Turn {
    @inlinable
    mutating func begin(at time: Instant) {
        // The clock is read before the lock. A thread that waited for the lock may bring an earlier reading than its
        // predecessor.
        now = max(now, time)
    }
}
