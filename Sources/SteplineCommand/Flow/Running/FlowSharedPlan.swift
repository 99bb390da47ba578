/// A plan that all its tasks share, so that none has a copy of it.
final class FlowSharedPlan: Sendable {
    let plan: FlowPlan

    init(_ plan: FlowPlan) { self.plan = plan }
}
