import SteplineEngine
import SteplineSupport

/// The kind of thread that a pipeline runs on, which decides whether the next step may run here.
enum PipelinePlace {
    /// A worker: any step without a queue may run here.
    case worker(Worker)
    /// The queue of the step that has just run.
    case queue(StepQueue)
    /// The thread of a Swift task that starts the pipeline and waits for its end.
    ///
    /// Only a body without user code may begin here: the caller's task-local values are bound on this thread.
    case awaitingTask
    /// A foreign thread, on which an async body or a callback has ended.
    ///
    /// Only a body that never blocks may begin here. On Swift's cooperative threads, a blocking body would delay every
    /// `await` of the process.
    case foreign
    /// The stack of a caller of `start()`, or a timer's thread: no step may run here.
    case callersStack

    /// The place of a `run()`; in a simulation, every first body is a job of the stage, which chooses the order.
    static var ofRun: PipelinePlace { Stages.areAny ? .callersStack : .awaitingTask }

    /// Whether the thread may be one of Swift's cooperative threads: user code that may block goes to a worker.
    var isCooperative: Bool {
        switch self {
        case .awaitingTask, .foreign: true
        case .worker, .queue, .callersStack: false
        }
    }

    func suits(_ step: StepOperation, on queue: StepQueue?) -> Bool {
        switch self {
        case .worker: queue == nil
        case .queue(let own): own === queue
        case .awaitingTask: queue == nil && step.startsOnly
        case .foreign: queue == nil && (step.startsOnly || step.runsInTask)
        case .callersStack: false
        }
    }
}
