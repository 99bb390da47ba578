import Foundation
import SteplineEngine
import SteplineSupport

/// The offset between a clock's calendar and its monotonic scale, which dates events without another clock reading.
struct PipelineCalendar {
    private let offset: Double

    private init(offset: Double) { self.offset = offset }

    /// Reads the clock; don't call this under a lock, because the clock may be a user's.
    init(_ clock: any StepClock) {
        let uptime = clock.uptime
        // The second reading is later: all dates are late by the time between the readings.
        offset = clock.now.timeIntervalSinceReferenceDate - uptime.inSeconds
    }

    /// The calendar of a pipeline whose clock was never read.
    static let unknown = PipelineCalendar(offset: 0)

    func date(of moment: Instant) -> Date {
        Date(timeIntervalSinceReferenceDate: offset + moment.uptime.inSeconds)
    }
}
