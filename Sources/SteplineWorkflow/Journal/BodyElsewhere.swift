import SteplineEngine
package import SteplineSupport

/// The body of an attempt that another process runs.
package struct BodyElsewhere: Sendable {
    /// How it has ended there.
    package enum End: Sendable {
        /// The body has made this result.
        case finished(any Sendable)
        /// The body has failed; another attempt follows after that time, if one is given.
        case failed(any Error, retryAfter: Duration?)
        /// The body was stopped, and none of its work continues.
        case stopped
    }

    let core: WorkflowCore
    let job: TaskJob

    /// The task's number in its workflow.
    package var number: Int { Int(job.number) }
    package var attempt: Int { Int(job.attempt) }
    /// How many attempts have failed before.
    package var failures: Int { core.look { Int($0.tasks[job.number].attempt.failures) } }
    package var priority: Int { core.look { Int($0.tasks[job.number].priority.rawValue) } }

    /// Why the workflow was cancelled last, if it was.
    package var cancellation: CancellationReason { core.look { $0.run.cancellation } }

    /// Calls a handler when the attempt is stopped, at once if it was.
    package func onStop(_ handler: @escaping @Sendable () -> Void) {
        core.onStop(job.number, job.attempt, handler)
    }

    /// Ends bodies: those of one workflow in one turn.
    package static func end(_ ends: some Sequence<(body: BodyElsewhere, end: End)>) {
        var rest = Array(ends)[...]
        while let core = rest.first?.body.core {
            // One transaction for successive bodies of a workflow, so their dependents become ready together.
            let own = rest.prefix { $0.body.core === core }
            rest = rest.dropFirst(own.count)
            core.change { machine, turn in
                for (body, end) in own { machine.endedElsewhere(body.job, end, &turn) }
            }
        }
    }
}

extension WorkflowCore {
    /// Hands a body to whoever runs it elsewhere; false if it is to be run here.
    func handElsewhere(_ job: TaskJob) -> Bool {
        // The workflow inside runs here. Its tasks hand over their own bodies.
        if job.traits.contains(.subworkflow) { return false }
        if case .nothing = job.work { return false }
        guard let journal = surroundings.withLock({ $0.journal }) else { return false }
        return journal.runsElsewhere(BodyElsewhere(core: self, job: job))
    }
}

extension WorkflowMachine {
    fileprivate mutating func endedElsewhere(
        _ job: TaskJob, _ end: BodyElsewhere.End, _ turn: inout WorkflowTurn
    ) {
        switch end {
        case .finished(let value): bodyEnded(job, .over(.finished(value)), &turn)
        case .failed(let error, let wait):
            bodyEnded(job, .over(.failed(TaskFailure(error), retryAfter: wait)), &turn)
        // The outcome was decided when the attempt was stopped; only the end of the body was awaited.
        case .stopped: bodyReturned(job, isOver: true, &turn)
        }
    }
}
