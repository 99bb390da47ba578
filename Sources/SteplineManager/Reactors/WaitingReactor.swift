/// A reactor whose positive answer can include a minimum delay before the task runs again.
package protocol WaitingReactor: Reactor {
    func wait<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) -> Duration?
}
