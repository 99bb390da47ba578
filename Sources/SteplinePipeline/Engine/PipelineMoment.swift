import Foundation
import SteplineSupport

/// One moment on both scales of a clock: the steady one and the calendar.
struct PipelineMoment {
    let uptime: Duration
    private let now: Date

    init(_ clock: any StepClock) {
        uptime = clock.uptime
        now = clock.now
    }

    /// A moment whose date isn't known: the beginning of the calendar's scale.
    init(uptime: Duration) {
        self.uptime = uptime
        now = Date(timeIntervalSinceReferenceDate: 0)
    }

    /// The date of another reading of the steady scale.
    func date(of uptime: Duration) -> Date {
        now.addingTimeInterval((uptime - self.uptime).inSeconds)
    }
}
