import Dispatch
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
    private var idleRounds = 0
    private var rounds = 0
    private var lastBegun = -1
    private var lastLook: UInt64 = 0
    private var hasEntered = false

    /// 1 the first time, to be added to the number of those who look out.
    mutating func enters() -> Int {
        defer { hasEntered = true }
        return hasEntered ? 0 : 1
    }

    /// Whether it should take a task: there are some, and nobody else gets through them as fast.
    ///
    /// Where bodies are short, a helper would only be in the other's way.
    mutating func shouldTake(_ machine: inout WorkflowState) -> Bool {
        // At the limit it is the end of a body that calls for a worker.
        guard !machine.queue.isEmpty, machine.liveBodies < machine.limit else {
            idleRounds += 1
            return false
        }
        idleRounds = 0
        if machine.workers == machine.lookouts { return true }
        let now = DispatchTime.now().uptimeNanoseconds
        let done = machine.begun &- lastBegun
        let isSlow = lastBegun >= 0 && UInt64(clamping: done) &* UInt64(machine.shortBody) < now &- lastLook
        lastBegun = machine.begun
        lastLook = now
        return isSlow
    }

    var isOver: Bool { idleRounds > 20 }

    /// Lets some microseconds pass.
    mutating func pause() {
        rounds += 1
        usleep(rounds < 4 ? 5 : 50)
    }
}

/// Finds out whether a worker is worth its while, as bodies may be too short to be shared.
struct Pace {
    private var count = 0
    private var since: Int64 = 0

    /// Whether the last bodies took so little time that one thread alone would be as fast.
    mutating func isTooFast(at time: Int64, _ machine: borrowing WorkflowState) -> Bool {
        count += 1
        guard count >= 64 else { return false }
        let isTooFast = time - since < 64 * machine.shortBody
        count = 0
        since = time
        return isTooFast
    }
}

extension WorkflowState {
    /// The time, in nanoseconds from body to body, below which one thread does as well as two, that would mostly
    /// wait for each other: what the machine takes for a body, and some more; it takes longer where it is read.
    var shortBody: Int64 { isHeard ? 2_500 : 1_000 }
}
