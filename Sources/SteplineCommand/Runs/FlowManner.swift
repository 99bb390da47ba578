/// The command-line settings for running a workflow file, stored so that another process can resume with them.
struct FlowManner: Codable {
    /// The number of simultaneous tasks; nil to use the file's.
    private var jobs: Int?
    /// Whether a failure cancels independent tasks; nil to use the file's setting.
    private var cancelsOthers: Bool?

    init(_ arguments: Arguments) {
        jobs = arguments[.jobs]
        if arguments.isOn(.failFast) { cancelsOthers = true }
        if arguments.isOn(.keepGoing) { cancelsOthers = false }
    }

    /// Applies the settings to a plan, including dependent ones.
    func settle(_ plan: inout FlowPlan) {
        if let jobs { plan.jobs = jobs }
        plan.settleLimits()
        if let cancelsOthers { plan.cancelOthersOnFailure(cancelsOthers) }
    }
}
