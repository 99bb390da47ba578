import Foundation
import SteplineSupport

/// One reading of a clock, and what turns other readings of its steady scale into dates.
struct PipelineMoment {
    let uptime: Duration
    let calendar: PipelineCalendar

    init(_ clock: any StepClock) {
        uptime = clock.uptime
        calendar = PipelineCalendar(offset: clock.now.timeIntervalSinceReferenceDate - uptime.inSeconds)
    }
}

/// How far a clock's calendar is from its steady scale, so that dates need no further reading of the clock.
struct PipelineCalendar {
    fileprivate let offset: Double

    /// For a pipeline whose clock nobody has read.
    static let unknown = PipelineCalendar(offset: 0)

    func date(of uptime: Duration) -> Date {
        Date(timeIntervalSinceReferenceDate: offset + uptime.inSeconds)
    }
}
