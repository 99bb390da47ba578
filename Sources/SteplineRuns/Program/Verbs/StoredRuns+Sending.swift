package import Foundation
package import SteplineWorkflow

extension StoredRuns {
    private struct Sent: Encodable {
        let workflow: String
        let key: String
        let signal: String
        /// Whether the signal was stored, because it is the first of its kind.
        let isTaken: Bool
    }

    /// Cancels a run: through its owner, or at once if it has none.
    package func cancel(_ key: String, reason: String) throws -> RunsAnswer {
        let run = try run(key)
        if let ending = run.ending, !run.isOpen { throw ended(run.id, ending) }
        // Send the signal first: an owner that opens the run from here on receives it.
        let isTaken = try store.send(.cancel(reason), to: run.id, at: now)
        // Read again: an owner that has ended since the first read may have ended without the signal.
        let isOwned = try store.run(run.id)?.isOpen == true
        // Without an owner nothing would read the signal: end the run here.
        let isOver = try isOwned ? false : end(run.id, reason)
        if isJSON { return try RunsAnswer(json: sent(run, "cancel", isTaken)) }
        if isOver { return RunsAnswer(lines: ["\(run.id) is cancelled"]) }
        return RunsAnswer(
            lines: [
                isTaken
                    ? "\(run.id) is asked to stop, and is cancelled once its running steps end"
                    : "\(run.id) was already asked to stop"
            ])
    }

    /// Cancels a run without an owner; returns false if a process has opened the run meanwhile and receives the signal.
    private func end(_ id: RunID, _ reason: String) throws -> Bool {
        let open: any OpenRun
        do {
            // nil: a stored run keeps its input.
            open = try store.open(id, input: nil, as: RunOwner(since: now), at: now)
        } catch let error as RunStoreError where error.code == .inProgress {
            return false
        }
        if let ending = open.record.ending {
            // The run ended between the first read and the signal. Its ending stands. Writing it again removes the
            // signal, which would cancel the run when it is opened again.
            try open.end(ending, at: open.record.ended ?? now)
            throw ended(id, ending)
        }
        try open.end(.cancelled(reason), at: now)
        return true
    }

    private func ended(_ id: RunID, _ ending: RunEnding) -> RunsError {
        if case .cancelled(let reason) = ending { return RunsError("\(id) was cancelled already: \(reason)") }
        return RunsError("\(id) has ended already: it is \(RunState(ending).rawValue)")
    }

    /// Pauses a run: no step of it begins until its pause ends.
    package func pause(_ key: String) throws -> RunsAnswer {
        let run = try run(key)
        let isTaken = try store.pause(run.id)
        if isJSON { return try RunsAnswer(json: sent(run, "pause", isTaken)) }
        return RunsAnswer(lines: [
            "\(run.id) \(isTaken ? "is paused; running steps continue" : "was already paused")"
        ])
    }

    /// Ends the pause of a run; nil if no living owner goes on with it by that.
    package func resume(_ key: String) throws -> RunsAnswer? {
        let run = try run(key)
        let isTaken = try store.resume(run.id)
        // Without a living owner or a pause, nothing continues here: the caller runs the run itself.
        // Read again: an owner that has died since the first read continues nothing.
        guard isTaken, try store.run(run.id)?.isOpen == true else { return nil }
        if isJSON { return try RunsAnswer(json: sent(run, "resume", isTaken)) }
        return RunsAnswer(lines: ["\(run.id) continues"])
    }

    /// Fulfils a condition of a run, with the bytes of its value if it takes one.
    package func signal(_ key: String, condition: String, value: Data?) throws -> RunsAnswer {
        let run = try run(key)
        let isTaken = try store.send(.fulfil(condition: condition, value), to: run.id, at: now)
        let code: Int32 = isTaken ? 0 : 1
        if isJSON { return try RunsAnswer(json: sent(run, condition, isTaken), code: code) }
        let text =
            isTaken
            ? "\(condition) is fulfilled" : "\(condition) was already fulfilled; the earlier signal stays"
        return RunsAnswer(lines: [RunsText.oneLine("\(run.id): \(text)")], code: code)
    }

    /// Withdraws the signal of a condition.
    package func withdraw(_ key: String, condition: String) throws -> RunsAnswer {
        let run = try run(key)
        let isTaken = try store.withdraw(condition: condition, of: run.id)
        let code: Int32 = isTaken ? 0 : 1
        if isJSON { return try RunsAnswer(json: sent(run, condition, isTaken), code: code) }
        let text =
            isTaken ? "the signal for \(condition) is withdrawn" : "there is no signal for \(condition)"
        return RunsAnswer(lines: [RunsText.oneLine("\(run.id): \(text)")], code: code)
    }

    /// Throws an error if the workflow has no such condition, or the condition expects another type.
    package static func check(_ value: Data?, for condition: String, in workflow: Workflow) throws {
        try ConditionValue.check(value, for: condition, in: RunGraph(workflow), of: workflow.name)
    }

    private func sent(_ run: RunRecord, _ signal: String, _ isTaken: Bool) -> Sent {
        Sent(workflow: run.id.workflow, key: run.id.key, signal: signal, isTaken: isTaken)
    }
}
