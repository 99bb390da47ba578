import SteplineSupport

/// The callbacks that wait for an actor, oldest first.
///
/// An actor runs Swift tasks in any order. So one task at a time runs the callbacks of an actor, in the order in which they
/// were added. The line of an actor exists from its first callback until none is left.
enum ActorLine {
    /// An actor, on a stage or elsewhere: a simulation runs its own callbacks only.
    private struct Key: Hashable {
        let actor: ObjectIdentifier
        let stage: ObjectIdentifier?
    }

    /// After how many callbacks the actor may run something else.
    private static let share = 32
    private static let lines = Locked<[Key: FIFO<@Sendable () -> Void>]>([:])

    /// Adds a callback; returns at once.
    static func add(_ work: @escaping @Sendable () -> Void, to actor: any Actor) {
        let key = Key(actor: ObjectIdentifier(actor), stage: Stages.current.map { ObjectIdentifier($0) })
        let isFirst = lines.withLock { lines in
            let isFirst = lines[key] == nil
            lines[key, default: FIFO()].append(work)
            return isFirst
        }
        if isFirst { start(key, actor) }
    }

    private static func start(_ key: Key, _ actor: any Actor) {
        Stages.task { await run(key, on: actor) }
    }

    private static func run(_ key: Key, on actor: isolated any Actor) {
        for _ in 0..<share {
            guard let work = next(key) else { return }
            work()
        }
        start(key, actor)
    }

    private static func next(_ key: Key) -> (@Sendable () -> Void)? {
        lines.withLock { lines in
            if let work = lines[key]?.popFirst() { return work }
            lines[key] = nil
            return nil
        }
    }
}
