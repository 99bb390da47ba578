import SteplineSupport
import Synchronization

/// One front door for tasks of a kind: adapted by interceptors before they run, reacted to by reactors after.
///
///     let manager = TaskManager("cities", interceptors: [Batcher()], reactors: [Login()])
///     let city = try await manager.run(LoadCity(id: 7))
///
/// Everything may be called from any thread. When the last reference goes, what executes or goes on by itself
/// finishes and is told; what only somebody could move is cancelled, and the streams of events end.
public final class TaskManager: Sendable {
    /// A manager without interceptors and reactors.
    public static let shared = TaskManager("shared")

    private static let count = Atomic(0)

    /// Its name, for people.
    public let name: String
    /// Its number in this process, from 0.
    public let identifier: Int
    let core: ManagerCore

    /// Makes a manager; its interceptors and reactors are fixed for life.
    public convenience init(
        _ name: String = "tasks", interceptors: [any Interceptor] = [], reactors: [any Reactor] = [],
        options: Options = Options()
    ) {
        self.init(name, interceptors: interceptors, reactors: reactors, options: options, laneOf: nil)
    }

    /// Makes a manager whose bodies take the lanes that `laneOf` says.
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
