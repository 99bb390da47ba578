import Foundation
import SteplineSupport

/// When a Swift task was taken up: it may change executors on its way into a sleep.
struct SleepTrail {
    private var beginnings: (Beginning, Beginning, Beginning)

    /// Of one that is taken up now, on this thread.
    init() {
        let now = Beginning()
        beginnings = (now, now, now)
    }

    /// That of the same Swift task, which goes on now, on the same thread.
    func goingOn() -> SleepTrail {
        var trail = self
        trail.beginnings = (beginnings.1, beginnings.2, Beginning())
        return trail
    }

    /// How long it has been on its way.
    func elapsed() -> (worked: Duration, passed: Duration) {
        let (first, now) = (beginnings.0, Beginning())
        return (now.worked - first.worked, first.moment.duration(to: now.moment))
    }

    private struct Beginning {
        let moment = ContinuousClock.now
        /// How long this thread has worked until then.
        let worked = Self.timeOfThread()

        private static func timeOfThread() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
}
