import SteplineSupport

extension ManagerEvent.Kind {
    var level: StepLog.Level {
        switch self {
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
    /// Logs an event of the named manager.
    func log(_ event: ManagerEvent, in manager: String, tags: Set<String>) {
        var metadata = ["manager": manager]
        if let handle = event.handle {
            metadata["handle"] = "\(handle)"
            metadata["task"] = event.name
            metadata["attempt"] = "\(event.attempt)"
            metadata["tags"] = tags.sorted().joined(separator: ",")
        }
        log(
            event.kind.level, Self.text(event), tags: [event.kind.tag] + tags.sorted(), metadata: metadata,
            source: "SteplineManager")
    }

    private static func text(_ event: ManagerEvent) -> String {
        let subject = [event.handle.map { "\($0)" } ?? "", event.name].filter { !$0.isEmpty }
        let end = event.end.map { ": \($0.rawValue)" } ?? ""
        // Names come from users and may contain URLs: redact the whole text.
        return Redaction.standard.text((subject + [event.kind.rawValue]).joined(separator: " ") + end)
    }
}
