import Foundation
package import SteplineSupport

/// How a worker works.
package struct WorkerSettings: Sendable {
    /// How many steps it runs at once.
    package var slots: Int
    /// After how long without anything to do it leaves; nil for never.
    package var idle: Duration?
    /// For how long bodies may go on once it is asked to leave; then what isn't over is given back.
    package var grace: Duration
    /// The clock of its lease, its heartbeats and all its waits.
    package var clock: any StepClock

    package init(
        slots: Int = 4, idle: Duration? = nil, grace: Duration = .seconds(5), clock: any StepClock = .lease
    ) {
        self.slots = slots
        self.idle = idle
        self.grace = grace
        self.clock = clock
    }

    /// How many steps at once a worker can be asked to run.
    package static let slotCounts = 1...10_000

    /// What was asked for; what wasn't is as is usual: a slot for each core.
    package init(asked slots: Int?, idle: Duration?, grace: Duration?) {
        self.init(slots: slots ?? ProcessInfo.processInfo.activeProcessorCount, idle: idle)
        if let grace { self.grace = grace }
    }
}

/// What a worker tells of itself.
package enum WorkerNews: Sendable {
    case joined(name: String)
    case began(ClaimedStep)
    case ended(WorkedStep, isRefused: Bool)
    case handedBack(ClaimedStep, reason: String)
    case unknown(ClaimedStep, reason: String)
    /// It was taken for dead, and goes on as a new worker.
    case lost
    /// It owns a run from now on, whose owner was gone.
    case owns(RunID)
    /// It owns that run no longer.
    case owned(RunID)
    /// It can't take over that run, whose owner is gone, and leaves it to others for a while.
    case cannotOwn(RunID, reason: String)
    case left
}
