import Foundation
import SteplineSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How a worker without work looks out for some, and for how long.
struct Patience {
    private var rounds = 0
    private var idleRounds = 0
    private var lastBegun = -1
    private var hasEntered = false
    private let hasWorked: Bool

    init(hasWorked: Bool) {
        self.hasWorked = hasWorked
    }

    /// 1 the first time, to be added to the number of those who look out.
    mutating func enters() -> Int {
        defer { hasEntered = true }
        return hasEntered ? 0 : 1
    }

    /// Whether it should take a task: there are some, and nobody else gets through them as fast.
    mutating func shouldTake(_ machine: inout WorkflowState) -> Bool {
        guard !machine.queue.isEmpty else {
            idleRounds += 1
            return false
        }
        idleRounds = 0
        let isAlone = machine.workers == machine.lookouts
        let isSlow = lastBegun >= 0 && machine.begun &- lastBegun < 8
        lastBegun = machine.begun
        return isAlone || isSlow
    }

    var isOver: Bool { idleRounds > 20 }

    /// Lets some microseconds pass.
    mutating func pause() {
        rounds += 1
        if rounds < 4 { _ = sched_yield() } else { usleep(idleRounds > 0 ? 5 : 50) }
    }
}
