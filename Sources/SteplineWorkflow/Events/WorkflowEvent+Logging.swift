import SteplineSupport

extension WorkflowEvent.Kind {
    /// The level in a log.
    var level: StepLog.Level {
        switch self {
        case .failed, .settled(.failed), .settled(.deadlineExceeded): .error
        case .attemptFailed, .stalled, .abandoned, .endIgnored, .settled(.incomplete): .warning
        case .settled, .willStart, .willCancel, .willReset, .willRetry: .info
        default: .verbose
        }
    }

    fileprivate var error: String? {
        switch self {
        case .failed(let error), .attemptFailed(let error, _): error
        default: nil
        }
    }
}

extension StepLog {
    /// Logs an event of the named workflow.
    func log(_ event: WorkflowEvent, in workflow: String) {
        var metadata = ["workflow": workflow]
        if let task = event.task {
            metadata["task"] = event.name
            metadata["id"] = "\(task)"
            metadata["attempt"] = "\(event.attempt)"
            metadata["error"] = event.kind.error
        }
        let subject = event.task == nil ? event.text : "\(workflow): \(event.text)"
        // Names and errors come from users and may contain URLs: redact the whole text.
        log(
            event.kind.level, Redaction.standard.text(subject), tags: [StepLog.Tag.decision],
            metadata: Redaction.standard.values(metadata), source: "SteplineWorkflow")
    }
}
