import SteplineSupport
import SteplineWorkflow

/// The steps whose bodies a worker runs, by their claims and by the tasks that they are attempts of.
struct RunningSteps {
    typealias Key = WorkerDesk.Key
    typealias Running = WorkerDesk.Running

    private var byClaim: [Int: Running] = [:]
    private var claims: [Key: Int] = [:]

    var count: Int { byClaim.count }
    var steps: [Running] { Array(byClaim.values) }

    /// The step whose body is the task's last one.
    subscript(key: Key) -> Running? { claims[key].flatMap { byClaim[$0] } }

    mutating func add(_ step: Running) {
        byClaim[step.claim.id] = step
        claims[step.key] = step.claim.id
    }

    /// Takes a step out; whether the task's last body was its.
    mutating func remove(_ step: Running) -> Bool {
        byClaim[step.claim.id] = nil
        guard claims[step.key] == step.claim.id else { return false }
        claims[step.key] = nil
        return true
    }

    /// It has ended so, which is told when its body is over.
    mutating func end(_ step: Running, as end: WorkedStep) { byClaim[step.claim.id]?.end = end }

    /// Tells bodies to stop that haven't been told, by the claims of their steps.
    mutating func stop(where isMeant: (Int) -> Bool) {
        for (claim, step) in byClaim where !step.isStopping && isMeant(claim) {
            byClaim[claim]?.isToldToStop = true
            step.run.part(step.place).workflow.stopAlone(
                step.place.number, CancellationReason(.requested, "its run wants it no longer"))
        }
    }
}
