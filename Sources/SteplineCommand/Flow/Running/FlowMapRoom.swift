import SteplineSupport

/// How much the results of a map's elements may take in memory together: each alone may be as large as a step makes it.
///
/// What was loaded or written by programs and never parsed doesn't count: that has limits of its own, and no formula
/// makes more of it.
final class FlowMapRoom: Sendable {
    /// The most, in bytes.
    static let standard = 256 << 20

    private let task: FlowTask
    private let setting: FlowSetting
    private let limit: Int
    private let left: Locked<ExpressionBudget>
    private let isFull = Locked(false)

    init(_ task: FlowTask, _ plan: FlowPlan, limit: Int = standard) {
        self.task = task
        setting = plan.setting
        self.limit = limit
        left = Locked(ExpressionBudget(limit))
    }

    /// Throws if there is no room any more, for which an element needn't be run.
    func begin() throws { if isFull.withLock({ $0 }) { throw failure } }

    /// How much its elements have left, in bytes.
    var taken: Int { left.withLock { $0.spent } }

    /// The result, which is kept until the map is over; throws if that is too much.
    func keep(_ result: FlowResult) throws -> FlowResult {
        guard case .json(let value) = result.value else { return result }
        do {
            try left.withLock { try $0.spend(copying: value) }
        } catch {
            isFull.withLock { $0 = true }
            throw failure
        }
        return result
    }

    private var failure: FlowFailure {
        setting.failure(
            ofResultOf: task,
            FlowError("the results of a map may take \(limit >> 20) MB together: end with a smaller value"))
    }
}
