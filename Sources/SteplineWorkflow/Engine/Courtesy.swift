#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How often a thread of the workflow's own lets those go first that are sending messages, whose effects should be
/// done when they return.
///
/// Not for long: a sender may be in a callback that takes its time, or waits for what this thread is to do.
struct Courtesy {
    private var rounds: Int

    /// For threads that nobody waits for: a few milliseconds in all.
    static var ofWorkers: Courtesy { Courtesy(rounds: 40) }
    static var none: Courtesy { Courtesy(rounds: 0) }

    var isOver: Bool { rounds == 0 }

    mutating func giveWay() {
        rounds -= 1
        // Where a core is shared with many, a mere yield comes back before the sender has had its turn.
        if rounds > 20 { sched_yield() } else { usleep(50) }
    }
}
