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
    var rounds: Int

    var isOver: Bool { rounds == 0 }

    mutating func giveWay() {
        rounds -= 1
        sched_yield()
    }
}
