public import SteplineSupport

/// A transaction of a machine: its time, and the effects that its event leads to.
///
/// One value serves all transactions of an engine, one after the other, under the engine's lock. The parts of a
/// machine, such as ``Callbacks``, record their effects here as well.
///
/// After unlock the engine cancels withdrawn timers and sets the new ones. The sending thread then performs the effects
/// of ``order(_:)`` and wakes the waiters. The effects of ``tell(_:)``, the news, are performed last, by one thread at
/// a time and in the order recorded.
///
/// The performing thread is chosen as follows. `isTelling` is true from the first news item until the list is empty.
///
/// | `isTelling` | `teller` | The news are performed by |
/// | --- | --- | --- |
/// | false | any | the next sender with news |
/// | true | a thread | that thread, up to `allowance` items, or a worker |
/// | true | nil | a worker job that is enqueued, or a worker that has just begun it |
@usableFromInline
package struct Turn<Effect, Timer: Hashable & Sendable> {
    /// A request to set a timer.
    @usableFromInline
    package struct TimerOrder: Sendable {
        @usableFromInline let timer: Timer
        /// The number of this setting, by which `keep` and `claim` recognize an older one.
        @usableFromInline let number: UInt64
        @usableFromInline let delay: Duration
        /// The time at which the delay begins.
        @usableFromInline let start: Instant

        @inlinable
        init(timer: Timer, number: UInt64, delay: Duration, start: Instant) {
            self.timer = timer
            self.number = number
            self.delay = delay
            self.start = start
        }
    }

    @usableFromInline
    struct ArmedTimer {
        @usableFromInline let number: UInt64
        /// The clock's subscription; nil until the clock has returned it.
        @usableFromInline var subscription: Subscription?

        @inlinable
        init(number: UInt64) { self.number = number }
    }

    /// The time of the event, read before the lock was taken.
    @usableFromInline package internal(set) var now: Instant

    @usableFromInline var hasWork = false
    @usableFromInline var orders: [Effect] = []
    @usableFromInline var news = FIFO<Effect>()
    @usableFromInline var isTelling = false
    /// The thread that performs news; nil while the news pass to a worker.
    @usableFromInline var teller: UInt?
    /// The number of news that the sender still performs: those that existed when this thread last sent an event.
    ///
    /// A nested event of a callback raises the number to all news in the list, including those of other threads.
    @usableFromInline var allowance = 0
    @usableFromInline var timerOrders: [TimerOrder] = []
    @usableFromInline var withdrawn: [Subscription] = []
    @usableFromInline var waiters: [any Waiter] = []
    @usableFromInline var garbage: [any Sendable] = []
    @usableFromInline var timers: [Timer: ArmedTimer] = [:]
    @usableFromInline var lastTimer: UInt64 = 0

    @inlinable
    package init(now: Instant = .zero) { self.now = now }

    /// Records an effect for the sending thread, such as starting, ending or waking work.
    @inlinable
    package mutating func order(_ effect: Effect) {
        orders.append(effect)
        hasWork = true
    }

    /// Records a news item for listeners; one thread at a time performs all news in order.
    @inlinable
    package mutating func tell(_ effect: Effect) {
        news.append(effect)
        hasWork = true
    }

    /// Whether news wait to be performed, which can take as long as user code likes.
    @inlinable
    package var hasNews: Bool { !news.isEmpty }

    /// Whether news of this or an earlier transaction are still to be performed, or being performed.
    @inlinable
    package var hasPendingNews: Bool { isTelling || !news.isEmpty }

    /// Whether another thread or a worker performs news, which this thread may wait for.
    package var isTellingElsewhere: Bool { isTelling && teller != currentThread() }

    /// Whether another thread performs news at this moment.
    package var isNotifyingElsewhere: Bool { isTelling && teller != nil && teller != currentThread() }

    /// Whether the sending thread will perform the news, because no other thread does.
    @inlinable
    package var willTell: Bool { !isTelling && !news.isEmpty }

    /// Wakes a waiter after unlock, on the sending thread.
    @inlinable
    package mutating func wake(_ waiter: any Waiter) {
        waiters.append(waiter)
        hasWork = true
    }

    /// Releases a value after unlock, because its deinitializer may be user code.
    @inlinable
    package mutating func releaseAfterUnlock(_ value: (any Sendable)?) {
        guard let value else { return }
        // An ending task discards several values: reserve room for all of them.
        if garbage.isEmpty { garbage.reserveCapacity(8) }
        garbage.append(value)
        hasWork = true
    }

    // MARK: Timers

    /// Sets a timer, in place of the one of the same name if there is one; a negative delay counts as none.
    @inlinable
    package mutating func set(_ timer: Timer, after delay: Duration) {
        withdraw(timer)
        lastTimer += 1
        timers[timer] = ArmedTimer(number: lastTimer)
        // The delay begins at the event: the time until the clock is called, after unlock, is part of the delay.
        timerOrders.append(TimerOrder(timer: timer, number: lastTimer, delay: max(delay, .zero), start: now))
        hasWork = true
    }

    /// Withdraws a timer if it is set.
    @inlinable
    package mutating func withdraw(_ timer: Timer) {
        if !timers.isEmpty { withdrawSet(timer) }
    }

    @inlinable
    mutating func withdrawSet(_ timer: Timer) {
        if let armed = timers.removeValue(forKey: timer) { withdraw(armed) }
    }

    /// Withdraws all timers, at the end of the machine.
    @inlinable
    package mutating func withdrawAllTimers() {
        guard !timers.isEmpty else { return }
        for armed in timers.values { withdraw(armed) }
        timers = [:]
    }

    @inlinable
    mutating func withdraw(_ armed: ArmedTimer) {
        // Without a subscription the clock has not returned yet: `keep` then cancels the new timer.
        if let subscription = armed.subscription {
            withdrawn.append(subscription)
            hasWork = true
        }
    }

    /// Returns whether a timer is set.
    @inlinable
    package func isSet(_ timer: Timer) -> Bool { timers[timer] != nil }

    /// Stores the clock's subscription; returns false if the timer was withdrawn or set again meanwhile.
    @inlinable
    mutating func keep(_ subscription: Subscription, of order: TimerOrder) -> Bool {
        guard timers[order.timer]?.number == order.number else { return false }
        timers[order.timer]?.subscription = subscription
        return true
    }

    /// Claims a timer that fired; returns false if the timer was withdrawn or set again meanwhile.
    @inlinable
    mutating func claim(_ timer: Timer, number: UInt64) -> Bool {
        guard timers[timer]?.number == number else { return false }
        // A user's clock created the subscription: release it after unlock.
        releaseAfterUnlock(timers.removeValue(forKey: timer)?.subscription)
        return true
    }
}

extension Turn {
    /// The effects that the sending thread performs after unlock.
    @usableFromInline
    struct Work {
        @usableFromInline let orders: [Effect]
        @usableFromInline let timerOrders: [TimerOrder]
        @usableFromInline let withdrawn: [Subscription]
        @usableFromInline let waiters: [any Waiter]
        @usableFromInline let garbage: [any Sendable]
        /// Whether the sending thread also performs the news.
        @usableFromInline let tells: Bool

        @inlinable
        init(
            orders: [Effect], timerOrders: [TimerOrder], withdrawn: [Subscription],
            waiters: [any Waiter], garbage: [any Sendable], tells: Bool
        ) {
            self.orders = orders
            self.timerOrders = timerOrders
            self.withdrawn = withdrawn
            self.waiters = waiters
            self.garbage = garbage
            self.tells = tells
        }
    }

    /// Takes the work of the sending thread out of the transaction.
    @inlinable
    mutating func takeWork() -> Work {
        hasWork = false
        let tells = !isTelling && !news.isEmpty
        // Set under the lock: a second sender sees `isTelling` and leaves its news in the list.
        if tells {
            isTelling = true
            teller = currentThread()
            allowance = news.count
        } else if isTelling, teller == currentThread() {
            // `teller` stays set at the end of telling: its value counts only while `isTelling` is true.
            // A callback on the performing thread sent this event. The same thread performs the new items too, and
            // the items of other threads before them, to keep the order.
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

    /// The next action of the thread that performs news.
    @usableFromInline
    enum Telling {
        case tell(Effect)
        /// The remaining items came from other threads and go to a worker.
        case handOver
        /// The list is empty; the next sender with news performs them.
        case done
    }

    /// Takes the next item for a sender, which performs `allowance` items at most.
    @inlinable
    mutating func nextNewsOfSender() -> Telling {
        if allowance == 0, !news.isEmpty {
            // `isTelling` stays true: the news now belong to the worker job.
            teller = nil
            return .handOver
        }
        // With an empty list this can be -1: `takeWork` sets the number before the next item is performed.
        allowance -= 1
        return nextNews().map { .tell($0) } ?? .done
    }

    /// Takes the next item for a worker; returns nil and ends telling if the list is empty.
    @inlinable
    mutating func nextNews() -> Effect? {
        if let next = news.popFirst() { return next }
        isTelling = false
        return nil
    }

    /// Puts an item back at the front, for a worker.
    @inlinable
    mutating func putBack(_ effect: Effect) {
        news.putBack(effect)
        teller = nil
    }

    /// Records that the news wait in the queue of the workers.
    @inlinable
    mutating func leavesNewsInQueue() { teller = nil }

    /// Records the worker's thread, so its callbacks leave their news to the worker's loop.
    @inlinable
    mutating func telling(by thread: UInt) { teller = thread }
}
