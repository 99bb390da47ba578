import SteplineEngine
import SteplineSupport

extension WorkflowCore {
    /// The fault that is planned for an attempt; nil for nearly all.
    @inline(__always)
    func fault(of job: TaskJob) -> BodyFault? {
        hasFaults || Stages.areAny ? foundFault(of: job) : nil
    }

    private func foundFault(of job: TaskJob) -> BodyFault? {
        let stage = Stages.current
        guard hasFaults || stage?.faults.isEmpty == false else { return nil }
        let (name, attempt) = (look { $0.name(job.number) }, Int(job.attempt))
        return ownFaults?.fault(ofTask: name, attempt: attempt)
            ?? stage?.faults.fault(ofTask: name, attempt: attempt)
    }

    /// Its own faults, and those of the workflows around it.
    private var ownFaults: FaultPlan? {
        guard hasFaults else { return nil }
        guard let outer = surroundings.withLock({ $0.faults }) else { return faults }
        return faults.isEmpty ? outer : FaultPlan(faults.list + outer.list)
    }

    /// Hands the faults on to a workflow inside.
    func handFaults(to inside: WorkflowCore) { inside.inherit(ownFaults) }

    /// Runs the body of an attempt with a fault.
    func run(_ job: TaskJob, _ fault: BodyFault) -> BodyEnd {
        switch fault {
        case .fails(let error, afterBody: false):
            return .over(failure(of: job.number, error))
        case .fails(let error, afterBody: true):
            let end = failure(of: job.number, error)
            // Stored before the body begins: any thread may report its end.
            look { $0.rare.wrongEnds[job.number] = RareTaskState.WrongEnd(attempt: job.attempt, end: end) }
            return runAsItIs(job)
        case .delayed(let delay):
            let waiting = Stages.task { [self] in
                do {
                    try await options.clock.sleep(for: delay)
                    // The body may block, which a Swift thread mustn't.
                    Workers.shared.enqueue(DelayedBody(self, job))
                } catch {
                    end(job, with: error)
                }
            }
            return continues(job, waiting)
        case .hangs:
            let hanging = Stages.task { [self] in
                // Resumes when the attempt is stopped: that cancels this Swift task.
                await Stages.hang()
                end(job, with: CancellationError())
            }
            return continues(job, hanging)
        }
    }

    private func end(_ job: TaskJob, with error: any Error) {
        let end = failure(of: job.number, error)
        change { $0.bodyEnded(job, .over(end), &$1) }
    }
}

/// A body that begins later than its attempt.
private final class DelayedBody: WorkerJob {
    private let core: WorkflowCore
    private let job: TaskJob

    init(_ core: WorkflowCore, _ job: TaskJob) {
        self.core = core
        self.job = job
    }

    func run(on worker: Worker) {
        // The attempt may have been stopped since the job was enqueued.
        guard let job = core.change({ $0.stillBegins(job, &$1) }) else { return }
        worker.beginBody()
        let end = PropagatedValues.call(with: core.propagatedValues) { core.runAsItIs(job) }
        core.change { $0.bodyEnded(job, end, &$1) }
    }
}
