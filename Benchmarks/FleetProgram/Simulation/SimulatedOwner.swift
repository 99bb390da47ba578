import SteplineRuns

/// The owner of a run: what it knows of its chains, and what it has yet to say.
struct SimulatedOwner {
    let run: Int
    let id: RunID
    /// The place in each chain of the step that is offered or about to be.
    var next: [Int32]
    var unfinished: Int
    var leaseEnd = 0.0
    var isOver = false
    var isTalking = false
    var hasNews = true
    var isDue = false
    /// The chains whose next step is to be offered, and those of the round that it is in.
    var waiting: [Int32]
    var offering: [Int32] = []
    var looks = false
    var acknowledged: [AcknowledgedEnd] = []
    /// How many ends the store keeps for it.
    var ends = 0

    /// How many offers go into one write.
    static let most = 2048
    /// How often it looks for what nobody has told of, and for workers that are gone.
    static let pause = 1.0

    init(run: Int, _ plan: FleetPlan) {
        self.run = run
        id = RunID("fleet", key: String(run))
        next = [Int32](repeating: 0, count: plan.chainsOfRun)
        unfinished = plan.stepsOfRun
        waiting = (0..<Int32(plan.chainsOfRun)).map { $0 }
    }
}
