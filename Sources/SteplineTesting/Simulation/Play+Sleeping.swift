import SteplineSupport

// The runtime asks a task's preferred executor to perform a sleep, if it can. The interface isn't public yet, so it is
// used only with compiler versions whose interface is known. Apple's systems have it from macOS 26.4 on, which is later
// than the package's minimum.
#if compiler(>=6.3) && compiler(<6.4) && !canImport(Darwin)
    @_spi(ExperimentalScheduling) import _Concurrency

    extension Play: SchedulingExecutor {
        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            let job = UnownedJob(job)
            guard let delay = delay as? Duration else { return enqueue(ExecutorJob(job)) }
            wait(delay, for: job)
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            let job = UnownedJob(job)
            guard let left = clock.now.duration(to: instant) as? Duration else {
                return enqueue(ExecutorJob(job))
            }
            // The sleeping task has read the clock since this thread took it up.
            let (worked, passed) = elapsed
            wait(RoundWait.meant(by: left, worked: worked, passed: passed), for: job)
        }
    }
#endif

/// The reconstruction of an intended delay from an absolute deadline.
enum RoundWait {
    private static let units: [Int64] = {
        let seconds: [Int64] = [3600, 1800, 600, 300, 60, 30, 10, 5, 2, 1]
        let parts = (0..<9).flatMap { power -> [Int64] in
            let part = (0..<power).reduce(Int64(100_000_000)) { part, _ in part / 10 }
            return [5 * part, 2 * part, part]
        }
        return seconds.map { $0 * 1_000_000_000 } + parts
    }()

    /// Returns the intended delay: the remaining time plus the time since the clock reading, rounded.
    ///
    /// The real duration of work must not influence a simulation. Usually only this thread's working time lies in
    /// between; if the thread was delayed, all elapsed time does. Every interval contains a round number. The candidate
    /// that is less likely to be round by chance is the intended one.
    static func meant(by left: Duration, worked: Duration, passed: Duration) -> Duration {
        let (near, far) = (roundest(from: left, within: worked), roundest(from: left, within: passed))
        return near.chance <= far.chance ? near.wait : far.wait
    }

    /// Returns the roundest delay in an interval, and the probability of such a one in an interval of this length.
    private static func roundest(
        from least: Duration, within span: Duration
    ) -> (wait: Duration, chance: Double) {
        let (low, high) = (max(1, nanoseconds(least)), nanoseconds(least + span))
        for unit in units {
            let (count, rest) = low.quotientAndRemainder(dividingBy: unit)
            let round = (rest == 0 ? count : count + 1).multipliedReportingOverflow(by: unit)
            if !round.overflow, round.partialValue <= high {
                return (.nanoseconds(round.partialValue), max(span, .microseconds(1)) / .nanoseconds(unit))
            }
        }
        return (.nanoseconds(low), .infinity)
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || isTooMuch ? (seconds < 0 ? .min : .max) : sum
    }
}
