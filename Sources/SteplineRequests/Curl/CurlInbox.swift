/// What waits for a loop's thread, and whether the thread has to be woken for it: a machine that does nothing.
///
/// Whoever adds something wakes a thread that has said it falls asleep; one that hasn't looks here first.
struct CurlInbox<Command> {
    private var commands: [Command] = []
    private var isAsleep = false

    /// Adds a command; true if the thread has to be woken.
    mutating func add(_ command: Command) -> Bool {
        commands.append(command)
        defer { isAsleep = false }
        return isAsleep
    }

    /// Takes all commands; the thread is awake.
    mutating func take() -> [Command] {
        isAsleep = false
        defer { commands = [] }
        return commands
    }

    /// Whether the thread may wait: false if there is something to do.
    mutating func fallAsleep() -> Bool {
        isAsleep = commands.isEmpty
        return isAsleep
    }
}
