/// What a command line says of how a workflow file is run; whoever goes on with the run in another's place keeps to it.
struct FlowManner: Codable {
    /// How many tasks run at once; nil if the file says it.
    private var jobs: Int?
    /// Whether a failure stops what doesn't depend on it; nil if the file says it.
    private var cancelsOthers: Bool?

    init(_ arguments: Arguments) {
        jobs = arguments[.jobs]
        if arguments.isOn(.failFast) { cancelsOthers = true }
        if arguments.isOn(.keepGoing) { cancelsOthers = false }
    }

    /// Has a plan go by it, and settles what follows from that.
    func settle(_ plan: inout FlowPlan) {
        if let jobs { plan.jobs = jobs }
        plan.settleLimits()
        if let cancelsOthers { plan.cancelOthersOnFailure(cancelsOthers) }
    }
}
