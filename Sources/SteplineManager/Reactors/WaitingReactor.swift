/// A reactor whose yes to a result says how long that task is to wait at least before it is run again.
package protocol WaitingReactor: Reactor {
    func wait<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) -> Duration?
}
