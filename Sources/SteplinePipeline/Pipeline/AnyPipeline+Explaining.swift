import Foundation
import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// Describes what the pipeline waits for, and since when.
    public func explain() -> Explanation {
        // Read the user's clock before taking the lock.
        let calendar = PipelineCalendar(options.clock)
        return engine.read { $0.status }.explanation(of: name, calendar)
    }
}

extension PipelineStatus {
    /// Builds the explanation without the lock, because reading a step's dependencies may call user code.
    fileprivate func explanation(of name: String, _ calendar: PipelineCalendar) -> Explanation {
        switch state {
        case .ready:
            return Explanation(of: name, .notStarted, "waits for start()")
        case .ended(let outcome):
            return Explanation(of: name, outcome.explanationCode, "has ended: \(outcome)")
        case .running, .cancelling: break
        }
        guard let step = line.current?.step, let position = line.currentPosition else {
            return Explanation(of: name, .running, "continues with the first step")
        }
        let attempt = Int(life.attemptNumber)
        var causes = [position.name]
        if life.waitsForOthers {
            causes = step.dependencies.filter { !$0.isFinished }.map { $0.name ?? "\(type(of: $0))" }
        }
        let (code, what): (Explanation.Code, String) =
            switch life.phase {
            // Both phases are momentary: between two steps, or before the pipeline's end.
            case .waiting, .ended: (.running, "continues after \(position)")
            case .queued where life.waitsForOthers:
                (
                    .awaitsDependencies,
                    "waits for what \(position) depends on: \(causes.joined(separator: ", "))"
                )
            case .queued where life.waitsInQueue: (.queued, "waits for the queue of \(position) to run it")
            case .queued: (.queued, "waits for a free thread to run \(position)")
            case .running: (.running, "waits for the body of \(position) to end (attempt \(attempt))")
            case .backingOff: (.backingOff, "waits before attempt \(attempt + 1) of \(position)")
            // Only a time-out leads here: a body that is cancelled stays `running` until its end.
            case .stopping:
                (
                    .waitsForLastBody,
                    "waits for the timed-out body of \(position) to end, before attempt \(attempt + 1)"
                )
            }
        let cancelled = cancelReason.map { ", cancelled (\($0))," } ?? ""
        let time = calendar.date(of: life.since).ISO8601Format()
        return Explanation(
            of: name + cancelled, cancelReason == nil ? code : .cancelling, causes: causes,
            attempt: attempt > 0 ? attempt : nil, "\(what), since \(time)"
        )
    }
}

extension Explanation.Code {
    /// A step waits for operations that it depends on.
    public static let awaitsDependencies = Explanation.Code("awaitsDependencies")
}

extension Outcome {
    fileprivate var explanationCode: Explanation.Code {
        switch self {
        case .success: .succeeded
        case .failure: .failed
        case .cancelled: .cancelled
        }
    }
}
