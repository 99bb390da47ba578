import Foundation
import SteplineSupport

/// The moments at which a Swift task was taken up; a task may change executors on its way into a sleep.
struct SleepTrail {
    private var beginnings: (Beginning, Beginning, Beginning)

    /// Creates the trail of a task that is taken up now, on this thread.
    init() {
        let now = Beginning()
        beginnings = (now, now, now)
    }

    /// Returns the trail of the same task, which continues now on the same thread.
    func goingOn() -> SleepTrail {
        var trail = self
        trail.beginnings = (beginnings.1, beginnings.2, Beginning())
        return trail
    }

    /// Returns the working time and the elapsed time since the first moment.
    func elapsed() -> (worked: Duration, passed: Duration) {
        let (first, now) = (beginnings.0, Beginning())
        return (now.worked - first.worked, first.moment.duration(to: now.moment))
    }

    private struct Beginning {
        let moment = ContinuousClock.now
        /// The working time of this thread so far.
        let worked = Self.timeOfThread()

        private static func timeOfThread() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
}
