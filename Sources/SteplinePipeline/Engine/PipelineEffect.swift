public import SteplineEngine
import SteplineSupport

/// The next action of the thread that sent an event.
enum PipelineNext {
    case nothing
    /// Run the body of this attempt on this thread.
    case run(StepOperation, index: Int, attempt: UInt32, Content)
    /// Enqueue the pipeline as a job of the workers, which begins the attempt.
    case enqueue
    /// Add a job to the step's own queue, which begins the attempt.
    case enqueueOn(StepQueue, QueueTicket)
    /// Wait for the operations that the step depends on.
    case awaitOthers(StepOperation, QueueTicket)
}

/// The consequences of a body's end for the thread that it ended on.
struct PipelineAdvance {
    /// The step that has ended, whose waiters must be notified.
    var ended: StepEnd?
    /// The replaced content, released after unlock.
    var oldBag: Content?
    var next = PipelineNext.nothing
    /// The outcome of the pipeline; nil while it continues.
    var outcome: Outcome<Content>?
}

/// An effect of a pipeline's machine, performed after unlock.
@usableFromInline
package struct PipelineEffect {
    enum Kind {
        case proceed(PipelineNext)
        /// Call `cancel()` of a step that was cancelled while its body runs.
        case cancel(StepOperation)
        /// Notify the waiters of a step that has ended.
        case tellEnd(StepEnd)
        /// Stop an attempt's body; another attempt may follow.
        case stop(StepOperation, attempt: UInt32)
        /// Invalidate a job in a queue.
        case void(QueueTicket)
        /// Ask the step's retry policy about a timed-out attempt.
        case judgeTimeout(StepOperation, attempt: UInt32)
        /// Build the error of an exceeded deadline.
        case judgeDeadline
        case show(PipelineProgress, units: Int64)
        case deliver(Callbacks<PipelineEnd>.Delivery, Outcome<Content>)
        /// All callbacks for the end without a queue have been called.
        case endWasReported
        // Indirect: an event is several times larger than the other effects.
        indirect case log(PipelineEvent)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

/// The argument of the callbacks.
typealias PipelineEnd = Outcome<Content>

/// A transaction of a pipeline's machine.
@usableFromInline package typealias PipelineTurn = Turn<PipelineEffect, AttemptTimer>

extension PipelineTurn {
    mutating func order(_ kind: PipelineEffect.Kind) { order(PipelineEffect(kind)) }
    mutating func tell(_ kind: PipelineEffect.Kind) { tell(PipelineEffect(kind)) }
}
