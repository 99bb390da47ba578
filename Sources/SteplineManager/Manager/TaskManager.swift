import SteplineSupport
import Synchronization

/// A manager of tasks: interceptors adapt tasks before they run, reactors handle results afterwards.
///
///     let manager = TaskManager("cities", interceptors: [Batcher()], reactors: [Login()])
///     let city = try await manager.run(LoadCity(id: 7))
///
/// All methods are callable from any thread. When the last reference is released, tasks that continue by themselves
/// finish and are reported. Tasks that only a call could move on are cancelled, and the event streams finish.
///
/// The object owns a `ManagerCore`, which runs the decisions of a `ManagerMachine`. Begin reading at
/// `ManagerMachine`.
public final class TaskManager: Sendable {
    /// A manager without interceptors and reactors, shared by the process.
    public static let shared = TaskManager("shared")

    private static let count = Atomic(0)

    /// The name in logs and explanations.
    public let name: String
    /// The number of the manager in this process, from 0.
    public let identifier: Int
    let core: ManagerCore

    /// Creates a manager, whose interceptors and reactors never change.
    ///
    /// - Parameters:
    ///   - name: The name in logs and explanations.
    ///   - interceptors: The interceptors, in the order in which they are asked.
    ///   - reactors: The reactors, in the order in which they are asked.
    ///   - options: The settings of all tasks.
    public convenience init(
        _ name: String = "tasks", interceptors: [any Interceptor] = [], reactors: [any Reactor] = [],
        options: Options = Options()
    ) {
        self.init(name, interceptors: interceptors, reactors: reactors, options: options, laneOf: nil)
    }

    /// Creates a manager whose bodies use the lanes that `laneOf` returns.
    package init(
        _ name: String, interceptors: [any Interceptor], reactors: [any Reactor], options: Options,
        laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?
    ) {
        self.name = name
        identifier = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        let rules = ManagerRules(
            interceptors: interceptors.map(\.name), reactors: reactors.map(\.name),
            answerTimeout: options.answerTimeout, grace: options.grace,
            maximumWaiting: options.maximumWaiting)
        let machine = ManagerMachine(
            identifier: identifier, rules, maximumConcurrency: options.maximumConcurrency,
            watchdog: options.watchdog, log: options.log)
        core = ManagerCore(
            name, interceptors: interceptors, reactors: reactors, clock: options.clock, log: options.log,
            executor: options.executor, laneOf: laneOf, machine)
    }

    deinit { core.update { $0.ownerIsGone(&$1) } }

    /// The interceptors, in the order in which they are asked.
    public var interceptors: [any Interceptor] { core.interceptors }

    /// The reactors, in the order in which they are asked.
    public var reactors: [any Reactor] { core.reactors }
}
