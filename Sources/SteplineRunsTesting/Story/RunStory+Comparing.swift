import SteplineWorkflow

extension RunStory {
    /// What differs from another run of the same workflow, a line each: states, results, errors, attempts, and what was
    /// told of each task, in its order.
    package func differences(from expected: RunStory) -> [String] {
        let (found, wanted) = (ends, expected.ends)
        let (told, toTell) = (tellings, expected.tellings)
        return Set(wanted.keys).union(found.keys).sorted().compactMap { name in
            Self.difference(name, "is", found[name], wanted[name])
        }
            + Set(toTell.keys).union(told.keys).sorted().compactMap { name in
                Self.difference(name, "was told of as", told[name], toTell[name])
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
                text += ", \(task.end.result ?? "nothing")"
            }
            return text + (task.end.error.map { ", \($0)" } ?? "")
        }
    }

    /// How many attempts have begun.
    ///
    /// Their numbers say more: a run that is kept gives one to the cancelling of a task that hadn't begun.
    private var begunAttempts: [String: Int] {
        parts.reduce(into: [:]) { begun, part in
            for (name, event) in part.events where event.kind == .started { begun[name, default: 0] += 1 }
        }
    }

    /// What was told of each task, and of each workflow.
    private var tellings: [String: String] {
        var tellings: [String: String] = [:]
        for part in parts {
            for (name, event) in part.events {
                guard let words = event.kind.words else { continue }
                // A workflow inside may go on for a while when the task around has failed.
                if event.task == nil, !part.name.isEmpty, event.kind != .willStart { continue }
                // A workflow inside has the name of its task.
                var subject = event.task == nil ? "the workflow \(name)" : name
                // A condition may be fulfilled before it begins, and after that.
                if case .fulfilled = event.kind { subject += ", as a condition," }
                let attempt = event.attempt > 1 ? " \(event.attempt)" : ""
                tellings[subject, default: ""] += " \(words)\(attempt);"
            }
        }
        return tellings
    }
}

extension WorkflowEvent.Kind {
    /// What runs of the same workflow tell alike; nil for what depends on time.
    fileprivate var words: String? {
        switch self {
        // Whether a body that was stopped is heard of once more depends on what it is doing just then.
        case .endIgnored, .letGo, .abandoned, .stalled: nil
        // Complete it is twice if its last task is run again.
        case .didFinish: nil
        // Of several failures the first is named, whichever that is.
        case .blocked: "blocked"
        default: "\(self)"
        }
    }
}
