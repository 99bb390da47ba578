import Foundation
package import SteplineSupport

/// The limits and the clock of a worker.
package struct WorkerSettings: Sendable {
    /// The number of steps that run at the same time.
    package var slots: Int
    /// The time without work after which the worker leaves; nil for never.
    package var idle: Duration?
    /// The time that bodies have to end after `leave()`; remaining steps then return to the queue.
    package var grace: Duration
    /// The clock of the lease, the heartbeats and all waits.
    package var clock: any StepClock

    package init(
        slots: Int = 4, idle: Duration? = nil, grace: Duration = .seconds(5), clock: any StepClock = .lease
    ) {
        self.slots = slots
        self.idle = idle
        self.grace = grace
        self.clock = clock
    }

    /// The valid numbers of slots.
    package static let slotCounts = 1...10_000

    /// Creates settings from optional values; the default is one slot for each core.
    package init(asked slots: Int?, idle: Duration?, grace: Duration?) {
        self.init(slots: slots ?? ProcessInfo.processInfo.activeProcessorCount, idle: idle)
        if let grace { self.grace = grace }
    }
}

/// The events that a worker reports.
package enum WorkerNews: Sendable {
    case joined(name: String)
    case began(ClaimedStep)
    case ended(WorkedStep, isRefused: Bool)
    case returned(ClaimedStep, reason: String)
    case unknown(ClaimedStep, reason: String)
    /// A sweep has removed the worker after its lease expired; the worker continues under a new number, without claims.
    case lost
    /// The worker has taken over a run whose owner was gone.
    case owns(RunID)
    /// The worker has released that run.
    case owned(RunID)
    /// The worker can't own that run and won't try again for a while.
    case cannotOwn(RunID, reason: String)
    case left
}
