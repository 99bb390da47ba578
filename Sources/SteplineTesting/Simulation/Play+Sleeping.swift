import SteplineSupport

// The runtime asks the executor that a Swift task prefers to wait, if that can; the door is no public one yet, and is
// taken only where it is known to be as it is here.
#if compiler(>=6.3) && compiler(<6.4)
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
            // Who sleeps has read the clock since this thread took up what it does.
            let (worked, passed) = elapsed
            wait(RoundWait.meant(by: left, worked: worked, passed: passed), for: job)
        }
    }
#endif

/// What somebody meant to wait, who has said until when, by a clock that went on meanwhile.
enum RoundWait {
    private static let units: [Int64] = {
        let seconds: [Int64] = [3600, 1800, 600, 300, 60, 30, 10, 5, 2, 1]
        let parts = (0..<9).flatMap { power -> [Int64] in
            let part = (0..<power).reduce(Int64(100_000_000)) { part, _ in part / 10 }
            return [5 * part, 2 * part, part]
        }
        return seconds.map { $0 * 1_000_000_000 } + parts
    }()

    /// What is left, and the time since somebody has read the clock, rounded: chance that is a millisecond's work more or
    /// less isn't to make another story.
    ///
    /// Mostly no more than what this thread has worked lies between; but it may have been held up just there, and then all
    /// that has passed may. Something round is in any stretch: what is rounder than so short a one has by chance is meant.
    static func meant(by left: Duration, worked: Duration, passed: Duration) -> Duration {
        let (near, far) = (roundest(from: left, within: worked), roundest(from: left, within: passed))
        return near.chance <= far.chance ? near.wait : far.wait
    }

    /// The roundest in a stretch of time, and the chance that one like it is in a stretch of that length.
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
