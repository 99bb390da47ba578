import SteplineEngine

/// The kind of thread that a pipeline runs on, which decides whether the next step may run here.
enum PipelinePlace {
    /// A worker: any step without a queue may run here.
    case worker(Worker)
    /// The queue of the step that has just run.
    case queue(StepQueue)
    /// A foreign thread, on which an async body or a callback has ended.
    ///
    /// Only a body that starts a Swift task may begin here. On Swift's cooperative threads, a blocking body would delay
    /// every `await` of the process.
    case foreign
    /// The stack of a caller of `start()`, or a timer's thread: no step may run here.
    case callersStack

    func suits(_ step: StepOperation, on queue: StepQueue?) -> Bool {
        switch self {
        case .worker: queue == nil
        case .queue(let own): own === queue
        case .foreign: queue == nil && step.runsInTask
        case .callersStack: false
        }
    }
}
