import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport

/// A random graph of every kind of task whose results differ from attempt to attempt, with the rule for each result.
///
/// The sources number their attempts. So a result that was made from a former attempt of a prerequisite never equals
/// one that is made from the present attempt. Messages are sent when the clock is read: before any transaction of any
/// workflow, on the thread that is about to make it.
final class ResetModel: Sendable {
    struct RandomFailure: Error {}

    private struct State {
        var random: StableRandom
        /// How many attempts have begun.
        var draws = 0
        var areBodiesFaulty = true
        var messagesLeft = 0
        var readingsUntilMessage = 0
        var sent: [String] = []
    }

    let workflow: Workflow
    let pool: ConcurrencyPool
    private let reachesInside: Bool
    private let clock: ReentrantClock
    private let state: Locked<State>
    private let contents: Contents

    /// The constant parts, made before the run.
    fileprivate struct Contents: Sendable {
        var rules: [@Sendable () -> String?] = []
        var conditions: [TaskRef<Int>] = []
        /// Tasks with a workflow inside.
        var enclosing: [SubworkflowTask] = []
        var subscriptions: [Subscription] = []
    }

    /// Adds tasks of random kinds.
    fileprivate struct Builder {
        let workflow: Workflow
        let pool: ConcurrencyPool
        let options: WorkflowOptions
        /// Whether sub-workflows have sub-workflows.
        let nests: Bool
        let draw: @Sendable (_ canFail: Bool) throws -> Int
        var random: StableRandom
        var contents = Contents()
        var made: [TaskRef<Int>] = []
    }

    /// Makes a graph, and draws its messages, from the seed of the simulation.
    ///
    /// - Parameter reachesInside: Also nests sub-workflows in sub-workflows, and resets, retries and starts what is
    ///   inside.
    init(_ simulation: Simulation, reachesInside: Bool) throws {
        self.reachesInside = reachesInside
        var random = StableRandom(seed: simulation.seed)
        clock = ReentrantClock(simulation.clock)
        pool = ConcurrencyPool("pool", capacity: 1 + random.below(2))
        let graces: [Duration] = [.zero, .milliseconds(1), .seconds(3_600)]
        let options = WorkflowOptions(
            maximumConcurrency: random.below(2) == 0 ? nil : 1 + random.below(3),
            grace: graces[random.below(3)], clock: clock)
        workflow = Workflow("resets", options: options)
        let state = Locked(State(random: StableRandom(seed: simulation.seed &+ 0x5E7)))
        self.state = state
        var builder = Builder(
            workflow: workflow, pool: pool, options: options, nests: reachesInside,
            draw: { canFail in
                try state.withLock { state in
                    state.draws += 1
                    if canFail, state.areBodiesFaulty, state.random.below(4) == 0 { throw RandomFailure() }
                    return state.draws * 100
                }
            }, random: random)
        let count = 3 + builder.random.below(6)
        for number in 0..<count { try builder.add("\(number)") }
        contents = builder.contents
    }

    // MARK: Messages

    /// Sends so many messages at random readings of the clock from now on.
    func sendMessages(_ count: Int) {
        state.withLock { state in
            state.messagesLeft = count
            state.readingsUntilMessage = state.random.below(12)
        }
        clock.onCall { [weak self] in self?.clockIsRead() }
    }

    /// Sends no more messages, and lets no body fail any more.
    func calmDown() {
        clock.onCall(nil)
        state.withLock { $0.areBodiesFaulty = false }
    }

    /// The messages sent so far.
    var sent: [String] { state.withLock { $0.sent } }

    private func clockIsRead() {
        let choice: Int? = state.withLock { state in
            state.readingsUntilMessage -= 1
            guard state.readingsUntilMessage <= 0, state.messagesLeft > 0 else { return nil }
            state.messagesLeft -= 1
            state.readingsUntilMessage = 1 + state.random.below(24)
            return state.random.below(reachesInside ? 22 : 20)
        }
        if let choice { sendMessage(choice) }
    }

    private func sendMessage(_ choice: Int) {
        let outer = workflow.allTasks
        let index = state.withLock { $0.random.below(1_000_000) }
        let task = outer[index % outer.count]
        switch choice {
        case 0: send("cancel all") { workflow.cancel() }
        case 1, 2: send("reset all") { workflow.reset() }
        case 3: send("retry all") { workflow.retry() }
        case 4: send("start all") { try? workflow.start() }
        case 5: send("cancel \(task.name)") { task.cancel() }
        case 6: send("retry \(task.name)") { task.retry() }
        case 7: send("start \(task.name)") { try? task.start() }
        case 8: send("rerun \(task.name)") { try? workflow.rerun(from: task) }
        case 9, 10:
            guard !contents.conditions.isEmpty else { return }
            let condition = contents.conditions[index % contents.conditions.count]
            send("fulfill \(condition.task.name)") { _ = condition.fulfill(with: index) }
        case 11, 12, 20, 21:
            guard !contents.enclosing.isEmpty else { return }
            let inside = contents.enclosing[index % contents.enclosing.count].subworkflow
            sendMessage(choice, index, to: inside)
        default: send("reset \(task.name)") { task.reset() }
        }
    }

    /// Sends a message to a workflow inside, or to one of its tasks.
    private func sendMessage(_ choice: Int, _ index: Int, to inside: Workflow) {
        let tasks = inside.allTasks
        guard !tasks.isEmpty else { return }
        let task = tasks[index % tasks.count]
        switch choice {
        case 12 where reachesInside: send("retry \(task.name)") { task.retry() }
        case 20: send("reset \(inside.name)") { inside.reset() }
        case 21: send("reset \(task.name)") { task.reset() }
        default: send("cancel \(task.name)") { task.cancel() }
        }
        // Nothing else starts a task that is reset inside, and the task around waits for it.
        if choice >= 20 { send("start \(inside.name)") { try? inside.start() } }
    }

    private func send(_ text: String, _ message: () -> Void) {
        state.withLock { $0.sent.append(text) }
        message()
    }

    // MARK: At rest

    /// The wrong results of Finished tasks, given the present results of their prerequisites.
    func faults() -> [String] { contents.rules.compactMap { $0() } }

    /// Brings everything to its end.
    func finish() async {
        for _ in 0..<6 {
            workflow.retry()
            _ = await workflow.outcome()
            if !workflow.hasUnfinishedTasks { return }
            for task in contents.enclosing where !task.isPending && task.subworkflow.hasUnfinishedTasks {
                task.subworkflow.retry()
                _ = await task.subworkflow.outcome()
            }
        }
    }

    /// How each task stands, for messages.
    var states: [String] {
        workflow.allTasks.map { "\($0.name): \($0.state) \($0.result.map { "\($0)" } ?? "")" }
    }
}

extension ResetModel.Builder {
    mutating func add(_ name: String) throws {
        let before = (0..<random.below(3)).compactMap { _ in
            made.isEmpty ? nil : made[random.below(made.count)]
        }
        let reference = try add(name, Array(Set(before)).sorted { $0.task.name < $1.task.name })
        made.append(reference)
        if random.below(4) == 0 { contents.subscriptions.append(reference.task.observe { _ in }) }
        if random.below(8) == 0 { try workflow.addCleanup("\(name) cleanup", after: [reference.task]) {} }
    }

    private mutating func add(_ name: String, _ before: [TaskRef<Int>]) throws -> TaskRef<Int> {
        let options = taskOptions()
        let draw = draw
        guard let first = before.first else {
            if random.below(4) == 0 { return try addCondition(name) }
            return try workflow.add(name, options: options) { try draw(true) }
        }
        switch random.below(9) {
        case 0, 1, 2: return try addMap(name, before, options)
        case 3, 4: return try addSubworkflow(name, first)
        case 5: return try addPipeline(name, first, options)
        case 6: return try addAllowing(name, first, options)
        case 7:
            let sum = try workflow.add(name, afterAll: before, options: options) {
                inputs async throws -> Int in
                await Task.yield()
                _ = try draw(true)
                return inputs.reduce(1, +)
            }
            return rule(for: sum) { Self.sum(before) }
        default:
            let sum = try workflow.add(name, afterAll: before, options: options) { $0.reduce(1, +) }
            return rule(for: sum) { Self.sum(before) }
        }
    }

    private mutating func taskOptions() -> TaskOptions {
        var options = TaskOptions()
        if random.below(4) == 0 { options.pools = [pool: 1] }
        if random.below(4) == 0 {
            options.retry = .constant(attempts: 2, delay: .milliseconds(1)) { $0 is ResetModel.RandomFailure }
        }
        return options
    }

    /// The sum of results and 1; nil while there is a result missing.
    private static func sum(_ before: [TaskRef<Int>]) -> Int? {
        before.reduce(1) { sum, task in sum.flatMap { sum in task.result.map { sum + $0 } } }
    }

    /// Has the result of a Finished task compared with what it would be now.
    private mutating func rule<Value: Equatable & Sendable>(
        for task: TaskRef<Value>, _ expected: @escaping @Sendable () -> Value?
    ) -> TaskRef<Value> {
        contents.rules.append {
            guard let result = task.result else { return nil }
            let expected = expected()
            if result == expected { return nil }
            return "\(task.task.name) is \(result), expected \(expected.map { "\($0)" } ?? "no result")"
        }
        return task
    }

    private mutating func addCondition(_ name: String) throws -> TaskRef<Int> {
        let isWaiting = random.below(2) == 0
        let condition = try workflow.addCondition(
            name, of: Int.self, whenUnfulfilled: isWaiting ? .wait : .fail)
        contents.conditions.append(condition)
        let draw = draw
        // The run would wait for ever, as nothing else fulfils the condition.
        contents.subscriptions.append(
            condition.task.observe { change in
                guard change.newState == .executing || change.newState == .failed else { return }
                if let value = try? draw(false) { _ = condition.fulfill(with: value) }
            })
        return condition
    }

    private mutating func addMap(
        _ name: String, _ before: [TaskRef<Int>], _ options: TaskOptions
    ) throws -> TaskRef<Int> {
        let list: TaskRef<[Int]> = try workflow.add("\(name) list", afterAll: before) { (inputs: [Int]) in
            Self.list(inputs)
        }
        _ = rule(for: list) { Self.sum(before).map { sum in Self.list([sum - 1]) } }
        let draw = draw
        let byLastDigit: @Sendable (Int) -> String = { element in "k\(element % 10)" }
        let key = random.below(2) == 0 ? nil : byLastDigit
        let limit = random.below(2) == 0 ? nil : 1
        let body: @Sendable (Int) async throws -> Int = { element in
            await Task.yield()
            _ = try draw(true)
            return element * 2
        }
        let map = try workflow.map(
            "\(name) map", over: list, limit: limit, options: options, key: key, body: body)
        if let task = map.task as? SubworkflowTask { contents.enclosing.append(task) }
        _ = rule(for: map) { list.result?.map { $0 * 2 } }
        let sum = try workflow.add(name, after: map) { $0.reduce(0, +) }
        return rule(for: sum) { map.result.map { $0.reduce(0, +) } }
    }

    /// One to three elements, by the inputs.
    private static func list(_ inputs: [Int]) -> [Int] {
        let sum = inputs.reduce(0, +)
        return (0...(sum / 100 % 3)).map { sum + $0 }
    }

    private mutating func addSubworkflow(_ name: String, _ before: TaskRef<Int>) throws -> TaskRef<Int> {
        let inner = Workflow("\(name) inner", options: options)
        let first = try inner.add("\(name)/first", options: taskOptions()) { try before.readValue() + 1 }
        _ = rule(for: first) { before.result.map { $0 + 1 } }
        let deep = nests && random.below(2) == 0 ? try addInnermost(name, first, to: inner) : nil
        let draw = draw
        let body: @Sendable () async throws -> Int = {
            await Task.yield()
            _ = try draw(true)
            return try deep?.result.readValue() ?? first.readValue() + 1
        }
        let last =
            if let deep {
                try inner.add(
                    "\(name)/last", following: [TaskRef<Workflow>(deep.around)], options: taskOptions(),
                    body: body)
            } else {
                try inner.add("\(name)/last", following: [first], options: taskOptions(), body: body)
            }
        _ = rule(for: last) { first.result.map { $0 + 1 } }
        let task = SubworkflowTask(name: "\(name) around", subworkflow: inner)
        try workflow.add(task, prerequisites: [before.task])
        contents.enclosing.append(task)
        let after = try workflow.add(name, following: [TaskRef<Workflow>(task)]) { try last.readValue() }
        return rule(for: after) { before.result.map { $0 + 2 } }
    }

    /// Adds a task with a workflow inside whose result is one more than that of a task around it.
    private mutating func addInnermost(
        _ name: String, _ first: TaskRef<Int>, to inner: Workflow
    ) throws -> (around: WorkflowTask, result: TaskRef<Int>) {
        let innermost = Workflow("\(name) innermost", options: options)
        let deep = try innermost.add("\(name)/deep", options: taskOptions()) { try first.readValue() + 1 }
        _ = rule(for: deep) { first.result.map { $0 + 1 } }
        let task = SubworkflowTask(name: "\(name)/around", subworkflow: innermost)
        try inner.add(task, prerequisites: [first.task])
        contents.enclosing.append(task)
        return (task, deep)
    }

    private mutating func addPipeline(
        _ name: String, _ before: TaskRef<Int>, _ options: TaskOptions
    ) throws -> TaskRef<Int> {
        let draw = draw
        let task = PipelineTask(name: name, output: ContentKey<Int>("made"), options: options) {
            let made = before.result ?? -1
            return Pipeline {
                BlockStep(from: .nothing, to: ContentKey<Int>("made")) { () throws -> Int in
                    _ = try draw(true)
                    return made + 1
                }
            }
        }
        try workflow.add(task, prerequisites: [before.task])
        let made = try TaskRef<Int>(task)
        return rule(for: made) { before.result.map { $0 + 1 } }
    }

    private mutating func addAllowing(
        _ name: String, _ before: TaskRef<Int>, _ options: TaskOptions
    ) throws -> TaskRef<Int> {
        let task = try workflow.add(name, after: before.allowingFailure, options: options) { result in
            (try? result.get()).map { $0 + 1 } ?? -1
        }
        return rule(for: task) {
            if let result = before.result { return result + 1 }
            // A task that a failure blocks is allowed for as well, and may be cancelled later.
            return before.task.isReady || before.task.isExecuting ? nil : -1
        }
    }
}

extension StableRandom {
    /// Returns a number from 0 up to a bound that it doesn't reach.
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
