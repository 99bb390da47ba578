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

    /// Whether the attempt still counts.
    package var isRunning: Bool { core.look { $0.tasks[job.number].attempt.isRunning(job.attempt) } }

    /// The element of a growing map that the body runs for; nil for other tasks.
    package var element: (value: any Sendable, depth: Int)? {
        core.surroundings.withLock { $0.enclosingTask }?.grownElement(job.number)
    }

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
            // Before the transaction: what an element has found is prepared without the lock.
            let ends = own.map { body, end in (body.job, core.result(of: body.job, end)) }
            core.change { machine, turn in
                for (job, result) in ends {
                    if let result {
                        machine.bodyEnded(job, .over(result), &turn)
                    } else {
                        machine.bodyReturned(job, isOver: true, &turn)
                    }
                }
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

    /// Returns the result of an attempt; nil if its outcome was decided when it was stopped.
    fileprivate func result(of job: TaskJob, _ end: BodyElsewhere.End) -> AttemptResult? {
        switch end {
        case .finished(let value):
            do {
                return .finished(try prepared(value, of: job.number))
            } catch {
                return failure(of: job.number, error)
            }
        case .failed(let error, let wait): return .failed(TaskFailure(error), retryAfter: wait)
        case .stopped: return nil
        }
    }
}
