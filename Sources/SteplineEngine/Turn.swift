public import SteplineSupport

/// One event's way through a machine: the time it came, and what it leads to.
///
/// It knows what is decided, and not who decides: the parts of a machine write into it, too.
///
/// What is decided in a turn is done after the lock is released: first the timers, then what this turn ``order(_:)``s, by
/// the thread that sent the event; then what it ``tell(_:)``s, by one thread at a time, in the order decided.
@usableFromInline
package struct Turn<Effect, Timer: Hashable & Sendable> {
    /// A timer that is to be set.
    @usableFromInline
    package struct TimerOrder: Sendable {
        let timer: Timer
        let number: UInt64
        let delay: Duration
        /// When the delay begins.
        let start: Instant
    }

    @usableFromInline
    struct ArmedTimer {
        let number: UInt64
        /// Nil until the clock has answered.
        var subscription: Subscription?
    }

    /// When the event came, read before the lock was taken.
    @usableFromInline package internal(set) var now: Instant

    @usableFromInline var hasWork = false
    @usableFromInline var orders: [Effect] = []
    @usableFromInline var news = FIFO<Effect>()
    @usableFromInline var isTelling = false
    /// The thread that tells; nil while that passes to a worker.
    private var teller: UInt?
    /// How many of the news a sender still tells itself: those that were there when it sent.
    private var allowance = 0
    @usableFromInline var timerOrders: [TimerOrder] = []
    @usableFromInline var withdrawn: [Subscription] = []
    @usableFromInline var waiters: [any Waiter] = []
    @usableFromInline var garbage: [any Sendable] = []
    @usableFromInline var timers: [Timer: ArmedTimer] = [:]
    private var lastTimer: UInt64 = 0

    package init(now: Instant = .zero) { self.now = now }

    /// Something for the thread that sent the event: what starts work, ends it, or wakes somebody.
    @inlinable
    package mutating func order(_ effect: Effect) {
        orders.append(effect)
        hasWork = true
    }

    /// Something that others hear of: all of it is told in order, by one thread at a time.
    @inlinable
    package mutating func tell(_ effect: Effect) {
        news.append(effect)
        hasWork = true
    }

    /// Whether something is to be told, which may take as long as a user likes.
    @inlinable
    package var hasNews: Bool { !news.isEmpty }

    /// Whether the thread that sent the event will be the one who tells: nobody else is at it.
    @inlinable
    package var willTell: Bool { !isTelling && !news.isEmpty }

    /// Wakes somebody who waits, by the thread that sent the event.
    @inlinable
    package mutating func wake(_ waiter: any Waiter) {
        waiters.append(waiter)
        hasWork = true
    }

    /// Lets go of something a user made, which may be freed by that: after the lock.
    @inlinable
    package mutating func letGo(of value: (any Sendable)?) {
        guard let value else { return }
        // What ends lets go of several things at once: room for them is made at once, too.
        if garbage.isEmpty { garbage.reserveCapacity(8) }
        garbage.append(value)
        hasWork = true
    }

    // MARK: Timers

    /// Sets a timer, in place of the one of the same name if there is one; a negative delay counts as none.
    package mutating func set(_ timer: Timer, after delay: Duration) {
        withdraw(timer)
        lastTimer += 1
        timers[timer] = ArmedTimer(number: lastTimer)
        timerOrders.append(TimerOrder(timer: timer, number: lastTimer, delay: max(delay, .zero), start: now))
        hasWork = true
    }

    /// Withdraws a timer, if it is set.
    @inlinable
    package mutating func withdraw(_ timer: Timer) {
        if !timers.isEmpty { withdrawSet(timer) }
    }

    @usableFromInline
    mutating func withdrawSet(_ timer: Timer) {
        if let armed = timers.removeValue(forKey: timer) { withdraw(armed) }
    }

    /// Withdraws all timers: the machine has come to its end.
    package mutating func withdrawAllTimers() {
        guard !timers.isEmpty else { return }
        for armed in timers.values { withdraw(armed) }
        timers = [:]
    }

    private mutating func withdraw(_ armed: ArmedTimer) {
        if let subscription = armed.subscription {
            withdrawn.append(subscription)
            hasWork = true
        }
    }

    /// Whether a timer is set.
    @inlinable
    package func isSet(_ timer: Timer) -> Bool { timers[timer] != nil }

    /// The clock has taken an order; false if the timer was withdrawn or set anew meanwhile.
    mutating func keep(_ subscription: Subscription, of order: TimerOrder) -> Bool {
        guard timers[order.timer]?.number == order.number else { return false }
        timers[order.timer]?.subscription = subscription
        return true
    }

    /// A timer is due; false if it was withdrawn or set anew meanwhile.
    mutating func claim(_ timer: Timer, number: UInt64) -> Bool {
        guard timers[timer]?.number == number else { return false }
        // What a user's clock has made.
        letGo(of: timers.removeValue(forKey: timer)?.subscription)
        return true
    }
}

extension Turn {
    /// What the thread that sent an event does once it has released the lock.
    @usableFromInline
    struct Work {
        @usableFromInline let orders: [Effect]
        @usableFromInline let timerOrders: [TimerOrder]
        @usableFromInline let withdrawn: [Subscription]
        @usableFromInline let waiters: [any Waiter]
        @usableFromInline let garbage: [any Sendable]
        /// Whether it is also the one who tells.
        @usableFromInline let tells: Bool
    }

    /// Takes out what this thread has to do.
    @usableFromInline
    mutating func takeWork() -> Work {
        hasWork = false
        let tells = !isTelling && !news.isEmpty
        if tells {
            isTelling = true
            teller = currentThread()
            allowance = news.count
        } else if isTelling, teller == currentThread() {
            // A callback of the teller has sent this event: the same thread also tells what comes of it.
            allowance = news.count
        }
        defer {
            orders = []
            timerOrders = []
            withdrawn = []
            waiters = []
            garbage = []
        }
        return Work(
            orders: orders, timerOrders: timerOrders, withdrawn: withdrawn, waiters: waiters,
            garbage: garbage,
            tells: tells
        )
    }

    /// The next action of the thread that tells.
    @usableFromInline
    enum Telling {
        case tell(Effect)
        /// The rest came from other threads, and is for a worker.
        case handOver
        /// Nothing is left, and the next sender with news is the next teller.
        case done
    }

    /// Takes the next of the news for a sender, which tells no more than what was there when it sent.
    @usableFromInline
    mutating func nextNewsOfSender() -> Telling {
        if allowance == 0, !news.isEmpty {
            teller = nil
            return .handOver
        }
        allowance -= 1
        return nextNews().map { .tell($0) } ?? .done
    }

    /// Takes the next of the news for a worker; nil if nothing is left.
    @inlinable
    mutating func nextNews() -> Effect? {
        if let next = news.popFirst() { return next }
        isTelling = false
        return nil
    }

    /// Puts back what the teller has taken and leaves to a worker.
    mutating func putBack(_ effect: Effect) {
        news.putBack(effect)
        teller = nil
    }

    /// A worker begins to tell: what its callbacks send is told by it, too.
    mutating func telling(by thread: UInt) { teller = thread }
}
