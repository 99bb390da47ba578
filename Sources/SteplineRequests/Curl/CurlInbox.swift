/// The commands for a loop's thread, with the decision whether the thread must be woken.
///
/// A wake-up is needed only if the thread is about to sleep. The thread calls `fallAsleep` under the lock, which
/// succeeds only if no command is waiting. Interleaving: a command added before `fallAsleep` keeps the thread awake; a
/// command added afterwards wakes it.
struct CurlInbox<Command> {
    private var commands: [Command] = []
    private var isAsleep = false

    /// Adds a command; returns true if the thread must be woken.
    mutating func add(_ command: Command) -> Bool {
        commands.append(command)
        defer { isAsleep = false }
        return isAsleep
    }

    /// Takes all commands and marks the thread as awake.
    mutating func take() -> [Command] {
        isAsleep = false
        defer { commands = [] }
        return commands
    }

    /// Marks the thread as asleep; returns false if a command is waiting.
    mutating func fallAsleep() -> Bool {
        isAsleep = commands.isEmpty
        return isAsleep
    }
}
