import SteplineSupport
import SteplineWorkflow

/// The steps whose bodies run, indexed by claim and by task.
struct RunningSteps {
    typealias Key = WorkerSession.Key
    typealias Running = WorkerSession.Running

    private var byClaim: [Int: Running] = [:]  // by claim
    private var claims: [Key: Int] = [:]  // the latest claim of each task

    var count: Int { byClaim.count }
    var steps: [Running] { Array(byClaim.values) }

    /// The step whose body is the latest one of the task.
    subscript(key: Key) -> Running? { claims[key].flatMap { byClaim[$0] } }

    mutating func add(_ step: Running) {
        byClaim[step.claim.id] = step
        claims[step.key] = step.claim.id
    }

    /// Removes a step; returns whether its body was the task's latest one.
    mutating func remove(_ step: Running) -> Bool {
        byClaim[step.claim.id] = nil
        // A later attempt of the same task may have replaced this one.
        guard claims[step.key] == step.claim.id else { return false }
        claims[step.key] = nil
        return true
    }

    /// Stores the end of a step until its body returns.
    mutating func end(_ step: Running, as end: WorkedStep) { byClaim[step.claim.id]?.end = end }

    /// Requests a stop from the bodies of matching claims that weren't asked before.
    mutating func stop(where isMeant: (Int) -> Bool) {
        for (claim, step) in byClaim where !step.isStopping && isMeant(claim) {
            byClaim[claim]?.isStopRequested = true
            step.run.part(step.place).workflow.stopAlone(
                step.place.number, CancellationReason(.requested, "its run wants it no longer"))
        }
    }
}
