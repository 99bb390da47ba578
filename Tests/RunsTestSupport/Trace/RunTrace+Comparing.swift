import SteplineWorkflow

extension RunTrace {
    /// Returns the differences from another run of the same workflow, one line each.
    ///
    /// Compares states, results, errors, attempts, and the events of each task in order.
    package func differences(from expected: RunTrace) -> [String] {
        let (found, expectedEnds) = (ends, expected.ends)
        let (reported, toTell) = (tellings, expected.tellings)
        return Set(expectedEnds.keys).union(found.keys).sorted().compactMap { name in
            Self.difference(name, "is", found[name], expectedEnds[name])
        }
            + Set(toTell.keys).union(reported.keys).sorted().compactMap { name in
                Self.difference(name, "was told of as", reported[name], toTell[name])
            }
    }

    private static func difference(
        _ name: String, _ words: String, _ found: String?, _ expected: String?
    ) -> String? {
        found == expected ? nil : "\(name) \(words) \(found ?? "nothing"), and not \(expected ?? "at all")"
    }

    /// How each task has ended, by name.
    private var ends: [String: String] {
        let begun = begunAttempts
        return tasks.mapValues { task in
            var text = "\(task.end.state), attempts \(begun[task.name] ?? 0)"
            if task.end.state == .finished, !task.isSubworkflow {
                let inOrder = task.hasAnyOrder ? (task.end.result as? [Int])?.sorted() : nil
                text += ", \(inOrder ?? task.end.result ?? "nothing")"
            }
            return text + (task.end.error.map { ", \($0)" } ?? "")
        }
    }

    /// The number of attempts that have started.
    ///
    /// Attempt numbers may be larger: a durable run numbers the cancellation of a task that never started.
    private var begunAttempts: [String: Int] {
        parts.reduce(into: [:]) { begun, part in
            for (name, event) in part.events where event.kind == .started { begun[name, default: 0] += 1 }
        }
    }

    /// The events of each task and of each workflow, as text.
    private var tellings: [String: String] {
        var tellings: [String: String] = [:]
        for part in parts {
            for (name, event) in part.events {
                guard let words = event.kind.words else { continue }
                // After its task has failed, an inner workflow may continue for a while, so its events depend on
                // timing.
                if event.task == nil, !part.name.isEmpty, event.kind != .willStart { continue }
                // An inner workflow has the name of its task, so name it differently.
                var subject = event.task == nil ? "the workflow \(name)" : name
                // A condition may be fulfilled before or after it starts, so keep that event apart.
                if case .fulfilled = event.kind { subject += ", as a condition," }
                let attempt = event.attempt > 1 ? " \(event.attempt)" : ""
                tellings[subject, default: ""] += " \(words)\(attempt);"
            }
        }
        return tellings
    }
}

extension WorkflowEvent.Kind {
    /// The text for events that all runs of a workflow have in common; nil for those that depend on timing.
    fileprivate var words: String? {
        switch self {
        // Whether a stopped body reports again depends on what it is doing at that moment.
        case .endIgnored, .released, .abandoned, .stalled: nil
        // Occurs twice if the last task is run again.
        case .didFinish: nil
        // Of several failures, any may be named as the cause.
        case .blocked: "blocked"
        default: "\(self)"
        }
    }
}
