public import SteplineEngine
import SteplineSupport

/// Where the thread that has sent an event goes on.
enum PipelineNext {
    case nothing
    /// With the body of this attempt, on this thread.
    case run(StepOperation, index: Int, attempt: UInt32, Content)
    /// With nothing: the attempt begins by way of the workers.
    case enqueue
    /// With nothing: the attempt begins by way of the step's own queue.
    case enqueueOn(StepQueue, QueueTicket)
    /// With nothing: the step waits for operations that were made its dependencies.
    case awaitOthers(StepOperation, QueueTicket)
}

/// What an end of a body leads to for the thread it ended on.
struct PipelineAdvance {
    /// The step that has ended for good, and is to tell those who wait for it.
    var ended: StepEnd?
    /// The bag that was replaced: freed once the lock is released.
    var oldBag: Content?
    var next = PipelineNext.nothing
    /// How the pipeline ends by this; nil if it goes on.
    var outcome: Outcome<Content>?
}

/// Something that a pipeline's machine has decided, to be done once the lock is released.
@usableFromInline
package struct PipelineEffect {
    enum Kind {
        case goOn(PipelineNext)
        /// A step was cancelled while its body runs: its own `cancel()` is to be called.
        case cancel(StepOperation)
        /// A step has ended, and is to tell those who wait for it.
        case tellEnd(StepEnd)
        /// An attempt is to be stopped, though another may follow.
        case stop(StepOperation, attempt: UInt32)
        /// A job in a queue must not do anything any more.
        case void(QueueTicket)
        /// The time of an attempt is over: what that means is for the step's policy to say.
        case judgeTimeout(StepOperation, attempt: UInt32)
        /// The time of the whole run is over.
        case judgeDeadline
        case show(PipelineProgress, units: Int64)
        case deliver(Callbacks<PipelineEnd>.Delivery, Outcome<Content>)
        /// Those who were registered for the end have been told, as far as they have no queue of their own.
        case endIsTold
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

/// What callbacks are called with.
typealias PipelineEnd = Outcome<Content>

/// One event's way through a pipeline's machine.
@usableFromInline package typealias PipelineTurn = Turn<PipelineEffect, AttemptTimer>

extension PipelineTurn {
    mutating func order(_ kind: PipelineEffect.Kind) { order(PipelineEffect(kind)) }
    mutating func tell(_ kind: PipelineEffect.Kind) { tell(PipelineEffect(kind)) }
}
