import SteplineSupport

extension PipelineEvent: CustomStringConvertible {
    /// The event as a single line: `3 feed step 2 of 3 "decode" succeeded after 0.25 seconds`.
    public var description: String { "\(number) \(pipeline) \(kind.text)" }
}

extension PipelineEvent.Kind {
    /// The event in words, without number and pipeline.
    fileprivate var text: String {
        switch self {
        case .started: "started"
        case .stepStarted(let step, let attempt): "\(step)\(Self.tries(attempt)) started"
        case .progressed(let step, let fraction, let completed, let total):
            "\(step) \(Self.progress(fraction, completed, total))"
        // The text of an error begins with pipeline and step.
        case .retrying(_, _, let error, let wait): "\(error); tries again in \(wait)"
        case .stepEnded(_, _, .failed(let error), let time): "\(error) (after \(time))"
        case .stalled(let step, let attempt, let time):
            "\(step)\(Self.tries(attempt)) has not ended for \(time)"
        case .stepEnded(let step, let attempt, let outcome, let time):
            "\(step)\(Self.tries(attempt)) \(Self.end(outcome, after: time))"
        case .cancelling(let reason): "is being cancelled: \(reason)"
        case .ended(.failed(let error)): error
        case .ended(let end): "\(end)"
        }
    }

    /// The text of the error that the event reports, which begins with the pipeline's name.
    fileprivate var error: String? {
        switch self {
        case .retrying(_, _, let error, _), .stepEnded(_, _, .failed(let error), _),
            .ended(.failed(let error)):
            error
        default: nil
        }
    }

    private static func tries(_ attempt: Int) -> String { attempt > 1 ? " (attempt \(attempt))" : "" }

    private static func progress(_ fraction: Double?, _ completed: Int64?, _ total: Int64?) -> String {
        // Rounded down, so 100 % means complete.
        if let fraction { return "is \(Int(fraction * 100)) % done" }
        return "has done \(completed ?? 0)\(total.map { " of \($0)" } ?? "")"
    }

    private static func end(_ outcome: PipelineEvent.StepOutcome, after time: Duration) -> String {
        outcome == .cancelled ? "was cancelled after \(time)" : "succeeded after \(time)"
    }

    /// The level in a log.
    var level: StepLog.Level {
        switch self {
        case .ended(.failed): .error
        case .retrying, .stalled: .warning
        case .started, .cancelling, .ended: .info
        case .stepStarted, .progressed, .stepEnded: .verbose
        }
    }

    /// The step that the event concerns, with its attempt.
    private var place: (step: StepPosition, attempt: Int?)? {
        switch self {
        case .stepStarted(let step, let attempt), .retrying(let step, let attempt, _, _),
            .stalled(let step, let attempt, _), .stepEnded(let step, let attempt, _, _):
            (step, attempt)
        case .progressed(let step, _, _, _): (step, nil)
        case .started, .cancelling, .ended: nil
        }
    }

    /// Further values for a log.
    fileprivate var metadata: [String: String] {
        var metadata: [String: String] = [:]
        if let place {
            metadata["step"] = place.step.name
            metadata["attempt"] = place.attempt.map(String.init)
        }
        if case .stepEnded(_, _, _, let time) = self { metadata["duration"] = "\(time)" }
        metadata["error"] = error
        return metadata
    }
}

extension PipelineEvent.End: CustomStringConvertible {
    /// The end with its error or reason, such as `was cancelled: requested`.
    public var description: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed(let error): "failed: \(error)"
        case .cancelled(let reason): "was cancelled: \(reason)"
        }
    }
}

extension StepLog {
    /// Logs an event of the named pipeline.
    func log(_ event: PipelineEvent, of pipeline: String) {
        let metadata = ["pipeline": pipeline, "id": event.pipeline].merging(event.kind.metadata) { $1 }
        // The text of an error begins with the pipeline's name already.
        let text = event.kind.error == nil ? "\(pipeline) \(event.kind.text)" : event.kind.text
        // Names and errors come from users and may contain URLs: redact the whole text.
        log(
            event.kind.level, Redaction.standard.text(text), tags: [StepLog.Tag.decision],
            metadata: Redaction.standard.values(metadata), source: "SteplinePipeline")
    }
}
