import SteplineSupport

extension ManagerEvent.Kind {
    /// The level of the event, for a task with the given end.
    func level(endingAs end: TaskState.End?) -> StepLog.Level {
        switch self {
        case .finished where end == .failed: .error
        case .stalled, .abandoned, .requeueLimit: .warning
        case .finished, .shuttingDown, .shutDown, .runBegan, .runEnded: .info
        default: .verbose
        }
    }

    /// The log tag of the event's origin.
    var tag: String {
        switch self {
        case .intercepted, .held, .released: StepLog.Tag.interceptor
        case .began, .attemptEnded, .lateEnd, .abandoned: StepLog.Tag.body
        case .runBegan, .runJoined, .runEnded, .requeued, .requeueLimit: StepLog.Tag.reactor
        case .added, .paused, .resumed, .shuttingDown: StepLog.Tag.caller
        case .queued, .finished, .suspended, .unsuspended, .stalled, .shutDown: StepLog.Tag.decision
        }
    }
}

extension StepLog {
    /// Logs an event of the named manager; the line of a task's end contains the error and the duration.
    func log(_ event: ManagerEvent, in manager: String, tags: Set<String>, _ report: TaskReport?) {
        var metadata = ["manager": manager]
        if let handle = event.handle {
            metadata["handle"] = "\(handle)"
            metadata["task"] = event.name
            metadata["attempt"] = "\(event.attempt)"
            metadata["tags"] = tags.sorted().joined(separator: ",")
        }
        if let report {
            metadata["duration"] = "\(report.duration)"
            // The record has ended and doesn't change: no lock is needed.
            if let error = report.record.failure {
                metadata["error"] = ErrorText.line(error)
                metadata["status"] = Self.status(of: error).map(String.init)
            }
        }
        log(
            event.kind.level(endingAs: event.end), Self.text(event, report),
            tags: [event.kind.tag] + tags.sorted(), metadata: Redaction.standard.values(metadata),
            source: "SteplineManager")
    }

    private static func text(_ event: ManagerEvent, _ report: TaskReport?) -> String {
        var text = event.text
        if let report, let error = report.record.failure {
            let attempts = event.attempt == 1 ? "1 attempt" : "\(event.attempt) attempts"
            text += " after \(attempts) in \(report.duration): \(ErrorText.line(error))"
        }
        // Names come from users and may contain URLs: redact the whole text.
        return Redaction.standard.text(text)
    }

    /// Returns the HTTP status of the first error in the chain of causes that has one.
    private static func status(of error: any Error) -> Int? {
        var cause: (any Error)? = error
        while let current = cause {
            if let status = (current as? any ErrorWithStatus)?.statusCode { return status }
            // A manager's error may wrap the error that has the status.
            cause = (current as? any ErrorWithCause)?.underlying
        }
        return nil
    }
}
