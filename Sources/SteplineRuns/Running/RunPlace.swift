/// Where the bodies of a run's steps are run.
package enum RunPlace: Sendable, Hashable {
    /// In this process, which owns the run.
    case process
    /// By workers, wherever they are; one of them takes the run over if its owner dies.
    case workers
    /// The same, where the owner is one of the workers: whom it leaves, the others take over.
    case worker
}
