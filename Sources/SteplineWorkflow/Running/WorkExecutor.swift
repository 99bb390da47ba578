public import SteplineSupport

/// Where a workflow runs the synchronous bodies of tasks that have no operation queue.
///
/// A workflow without one uses the worker threads of the process, and that is the fastest there is; an executor is for
/// those who must decide themselves where work runs: on one thread, at another pace, in an order of their own.
///
///     struct OnMain: WorkExecutor {
///         func run(_ batch: [ReadyWork]) { DispatchQueue.main.async { for work in batch { work() } } }
///     }
public protocol WorkExecutor: Sendable {
    /// Takes work that is ready, to be called soon, each piece on any thread.
    ///
    /// All that became ready at once comes as one batch, the most urgent first. Called on the thread where
    /// something has ended or was sent, which it must not block; no lock is held. Pieces may be called at the same
    /// time. A piece that is never called leaves its task Ready, and the workflow running.
    func run(_ batch: [ReadyWork])
}

/// A task that may begin.
public struct ReadyWork: Sendable {
    /// Which task.
    public let task: RunReport.TaskName
    /// How urgent it is.
    public let priority: Priority
    let home: WorkflowHome
    let external: ExternalTask

    /// Runs the body on this thread.
    ///
    /// Does nothing if the task was cancelled or reset meanwhile, or if it was called before.
    public func callAsFunction() { home.begin(external) }
}
