import SteplineSupport

/// The queues of callbacks that wait for an actor, oldest first.
///
/// An actor runs Swift tasks in no fixed order. For each actor one task at a time runs the callbacks, in the order in
/// which they were added. An actor's queue exists from its first callback until the queue is empty.
enum ActorLine {
    /// An actor together with its stage: a simulation must run only its own callbacks.
    private struct Key: Hashable {
        let actor: ObjectIdentifier
        let stage: ObjectIdentifier?
    }

    /// The number of callbacks after which the actor may run other jobs.
    private static let share = 32
    private static let lines = Locked<[Key: FIFO<@Sendable () -> Void>]>([:])

    /// Adds a callback and returns at once.
    static func add(_ work: @escaping @Sendable () -> Void, to actor: any Actor) {
        let key = Key(actor: ObjectIdentifier(actor), stage: Stages.current.map { ObjectIdentifier($0) })
        let isFirst = lines.withLock { lines in
            let isFirst = lines[key] == nil
            lines[key, default: FIFO()].append(work)
            return isFirst
        }
        // Only the call that creates the queue starts a task. The task for an existing queue finds this callback.
        if isFirst { start(key, actor) }
    }

    private static func start(_ key: Key, _ actor: any Actor) {
        // The task retains the actor, so its identifier can't be reused while the queue exists.
        _ = Stages.detachedTask { await run(key, on: actor) }
    }

    private static func run(_ key: Key, on actor: isolated any Actor) {
        for _ in 0..<share {
            guard let work = next(key) else { return }
            work()
        }
        // Yield the actor: another task can run on it before this queue resumes.
        start(key, actor)
    }

    private static func next(_ key: Key) -> (@Sendable () -> Void)? {
        lines.withLock { lines in
            if let work = lines[key]?.popFirst() { return work }
            // Removed under the same lock as the check: a concurrent `add` either precedes the check or creates a new
            // queue.
            lines[key] = nil
            return nil
        }
    }
}
