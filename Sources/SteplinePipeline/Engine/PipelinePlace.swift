import SteplineEngine

/// The thread that the pipeline is on, seen from the next step.
enum PipelinePlace {
    /// One of the workers: any step without a queue may run here.
    case worker(Worker)
    /// This is the queue of the step that has just run.
    case queue(StepQueue)
    /// Somebody else's thread, where an async body or a callback has ended: only a body that goes elsewhere at
    /// once may begin here. On Swift's own threads one that blocks would hold up every `await` of the process.
    case foreign
    /// No step may run here: the stack of whoever started, or a timer's thread.
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
