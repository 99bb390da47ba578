import SteplineRunsTesting
import SteplineWorkflow

/// Fills a workflow with random tasks.
///
/// The graph and all results depend only on the seed. The kinds of tasks are chosen from ten basic ones and those of
/// the variety; see ``RandomRun/Variety``. A task may depend on the last eight of ``made``.
struct RandomGraph {
    /// The parameters of the next task.
    struct Spot {
        let name: String
        let number: Int
        let before: [TaskRef<Int>]
    }

    typealias Kind = @Sendable (inout RandomGraph, Spot) throws -> Void

    let workflow: Workflow
    let variety: RandomRun.Variety
    let version: Int
    /// The number of enclosing workflows.
    let level: Int
    let prefix: String
    let began: @Sendable (String) -> Void
    var random: StableRandom
    /// The tasks that others may depend on: each ends without messages, and isn't cancelled.
    var made: [TaskRef<Int>] = []

    init(
        _ workflow: Workflow, _ variety: RandomRun.Variety, _ version: Int, _ random: StableRandom,
        level: Int,
        prefix: String,
        _ began: @escaping @Sendable (String) -> Void
    ) {
        self.workflow = workflow
        self.variety = variety
        self.version = version
        self.random = random
        self.level = level
        self.prefix = prefix
        self.began = began
    }

    mutating func fill(_ count: Int) throws {
        for number in 0..<count {
            let before = (0..<random.below(3)).compactMap { _ in
                made.isEmpty ? nil : made[made.count - 1 - random.below(min(made.count, 8))]
            }
            try add(Spot(name: "\(prefix).\(number)", number: number, before: before))
        }
    }

    private mutating func add(_ spot: Spot) throws {
        let (name, number, before) = (spot.name, spot.number, spot.before)
        // No failures in nested workflows: which of their other tasks have run by then depends on timing.
        let fails = random.below(20) == 0 && level == 0
        let body: @Sendable ([Int]) throws -> Int = { [began] inputs in
            began(name)
            if fails { throw Refused(name) }
            return inputs.reduce(number + 1) { ($0 &* 31 &+ $1) & 0xFFFF }
        }
        let kind = random.below(10 + more.count)
        switch kind {
        case 10...: try more[kind - 10](&self, spot)
        case 0 where level == 0: try addSubworkflow(spot, of: 3)
        case 1: try addFulfilledCondition(spot)
        case 2 where !before.isEmpty: try addAllowing(spot)
        case 3:
            made.append(
                try workflow.add(name, afterAll: before, options: options(of: number)) { inputs in
                    await Task.yield()
                    return try body(inputs)
                })
        case 4 where number % 2 == 1: try addGrowingMap(spot)
        case 4: try addMap(spot)
        case 6 where level == 0: try addKeyedMap(spot)
        case 5 where !before.isEmpty:
            let name = name + RandomRun.cleanup
            try workflow.addCleanup(name, after: before.map(\.task)) { [began] in began(name) }
        default:
            made.append(try workflow.add(name, afterAll: before, options: options(of: number), body: body))
        }
    }

    func options(of number: Int) -> TaskOptions { TaskOptions(version: number % 3 == 1 ? version : 1) }

    private var more: [Kind] {
        switch variety {
        case .steady: []
        case .lasting: Self.lasting
        case .full: Self.lasting + Self.messaged
        }
    }

    private static let lasting: [Kind] = [
        { try $0.addRetried($1) },
        { try $0.addFailing($1) },
        { try $0.addTimedOut($1) },
        { try $0.addBlocked($1) },
        { try $0.addAllowingMany($1) },
        { try $0.addUnfulfilledCondition($1) },
        { try $0.addLimitedMap($1) },
        { try $0.addFailingMap($1) },
        { try $0.addNestedSubworkflow($1) },
        { try $0.addFailingSubworkflow($1) },
        { try $0.addPool($1) },
        { try $0.addPriorities($1) },
        { try $0.addOrderOnly($1) },
    ]

    private static let messaged: [Kind] = [
        { try $0.addCancelledWhilePending($1) },
        { try $0.addCancelledWhileExecuting($1) },
        { try $0.addRetriedByHand($1) },
        { try $0.addRerun($1) },
        { try $0.addCancelledCondition($1) },
        { try $0.addConditionFulfilledFromOutside($1) },
        { try $0.addCancelledSubworkflow($1) },
    ]

    /// Adds a plain task, also in place of a kind that isn't possible here.
    mutating func addPlain(_ spot: Spot) throws {
        made.append(
            try workflow.add(spot.name, afterAll: spot.before) { [began] inputs in
                began(spot.name)
                return inputs.reduce(spot.number + 1) { ($0 &* 31 &+ $1) & 0xFFFF }
            })
    }

    private mutating func addFulfilledCondition(_ spot: Spot) throws {
        let condition = try workflow.addCondition(spot.name, of: Int.self)
        try workflow.add("\(spot.name) by") { _ = condition.fulfill(with: spot.number) }
        made.append(condition)
    }

    private mutating func addAllowing(_ spot: Spot) throws {
        made.append(
            try workflow.add(spot.name, after: spot.before[0].allowingFailure) { [began] result in
                began(spot.name)
                return (try? result.get()) ?? -spot.number
            })
    }
}

/// The error of bodies that fail on purpose.
struct Refused: Error, CustomStringConvertible {
    let description: String
    init(_ name: String) { description = "\(name) is refused" }
}
