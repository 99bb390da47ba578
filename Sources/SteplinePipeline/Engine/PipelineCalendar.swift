import Foundation
import SteplineEngine
import SteplineSupport

/// How far a clock's calendar is from its steady scale, so that dates need no further reading of the clock.
struct PipelineCalendar {
    private let offset: Double

    private init(offset: Double) { self.offset = offset }

    /// Reads the user's clock, so it must not be called under a lock.
    init(_ clock: any StepClock) {
        let uptime = clock.uptime
        offset = clock.now.timeIntervalSinceReferenceDate - uptime.inSeconds
    }

    /// For a pipeline whose clock nobody has read.
    static let unknown = PipelineCalendar(offset: 0)

    func date(of moment: Instant) -> Date {
        Date(timeIntervalSinceReferenceDate: offset + moment.uptime.inSeconds)
    }
}
