/// The place where the bodies of a run's steps execute.
package enum RunPlace: Sendable, Hashable {
    /// In this process, which owns the run.
    case process
    /// In worker processes; a worker takes the run over if this owner dies.
    case workers
    /// In worker processes, and the owner is one of them: if it leaves, another worker takes the run over.
    case worker
}
