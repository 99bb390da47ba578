import SteplineEngine
import SteplineSupport

/// The state that only some tasks have, by task number; other tasks pay nothing for it.
struct RareTaskState: Sendable {
    /// The state of a task with options.
    struct Live: Sendable {
        /// The places of its attempt in pools, asked for or held.
        var places = Places.none
        /// The wait before its next attempt, once the old body is over.
        var wait = Duration.zero
        /// How long its body had run when the watchdog reported it last.
        var stall = Duration.zero
        /// Whether its deadline is over, and the failure that follows is on its way.
        var isOverdue = false

        /// Whether its attempt has places in pools, or waits for them.
        var hasRequest: Bool { if case .none = places { false } else { true } }

        /// Whether it is the state of a task that hasn't begun.
        var isInitial: Bool { !hasRequest && wait == .zero && stall == .zero && !isOverdue }
    }

    enum Places: Sendable {
        case none
        case awaited(PoolRequest)
        case held(PoolRequest)
    }

    /// The handlers to call when an attempt is stopped.
    struct StopHandlers: Sendable {
        let attempt: UInt32
        /// The Swift task that the body runs in.
        var running: Task<Void, Never>?
        /// The handlers that a user has registered.
        var calls: [@Sendable () -> Void] = []

        /// All of it, as calls.
        var all: [@Sendable () -> Void] { running.map { running in calls + [{ running.cancel() }] } ?? calls }
    }

    /// The progress that attempts have reported.
    struct Progress: Sendable {
        let attempt: UInt32
        let fraction: Double
    }

    /// How an attempt ends whose body finishes, by a fault.
    struct WrongEnd: Sendable {
        let attempt: UInt32
        let end: AttemptResult
    }

    /// A task that has the results of a static map.
    struct Join: Sendable {
        let collectsFailures: Bool
        /// How the elements' results become the map's; nil if the map's result is stored whole.
        let list: ElementList?
    }

    var options = OptionsTable()
    /// The states of tasks that aren't the initial one.
    private var live: [Int32: Live] = [:]
    /// The elements that tasks of static lists were made for.
    var lists = ElementLists()
    /// The tasks that have the results of static maps.
    var joins: [Int32: Join] = [:]
    /// The tasks that run the elements of a list in an inner workflow.
    var maps: [Int32] = []
    var wrongEnds: [Int32: WrongEnd] = [:]
    /// The stop handlers of live attempts.
    var stopHandlers: [Int32: StopHandlers] = [:]
    /// The values of fulfilled conditions.
    var fulfilments: [Int32: (any Sendable)?] = [:]
    var failingConditions: Set<Int32> = []
    /// The conditions that their time-outs finish.
    var delays: Set<Int32> = []
    var progress: [Int32: Progress] = [:]
    var waiters: [Int32: Waiters] = [:]
    /// Objects of tasks that were added as closures, made when they are first asked for.
    var objects: [Int32: WorkflowTask] = [:]
    /// Which prerequisite is under which key.
    var keys: [Int32: [PrerequisiteKey: Int32]] = [:]
    /// Prerequisites that were given without a key, where some have one.
    var unkeyed: [Int32: [Int32]] = [:]
    /// The number of tasks with the fact `.listenersPending`.
    var notifications = 0
    /// Of each task, how many queued effects `notified` do nothing, as a message has overtaken them.
    ///
    /// Effects are performed in order, so those of a task that do nothing come before the one that counts.
    var overtaken: [Int32: Int] = [:]
    /// The tasks with the fact `.listenersPending` that were started meanwhile.
    var startsWhenNotified: Set<Int32> = []
    /// Tasks that wait for the body of a cleanup that guards them, and cleanups that wait for the body of a guarded
    /// task.
    var heldByBodies: Set<Int32> = []
    var hasCleanups = false
    /// Queued tasks with pools that line up for their places when the workflow is no longer paused.
    var heldByPause: Set<Int32> = []
    /// Attempts that were stopped and haven't reported an end, of tasks whose bodies end by a call.
    ///
    /// While there is one, an end that names no attempt is ambiguous; see `WorkflowCore.endCurrent`.
    private(set) var unreported: [Int32: Set<UInt32>] = [:]

    subscript(live number: Int32) -> Live {
        get { live[number] ?? Live() }
        set { live[number] = newValue.isInitial ? nil : newValue }
    }

    /// The tasks that have places in pools, or wait for them.
    var requesting: [Int32] { live.filter(\.value.hasRequest).map(\.key) }

    /// Clears what bounds further attempts; the task runs no more of them.
    mutating func endAttempts(of number: Int32) {
        guard var state = live[number] else { return }
        (state.wait, state.stall, state.isOverdue) = (.zero, .zero, false)
        self[live: number] = state
    }

    /// An attempt was stopped whose body ends by a call.
    mutating func awaitReport(of number: Int32, _ attempt: UInt32) {
        unreported[number, default: []].insert(attempt)
    }

    /// An attempt has reported its end.
    mutating func hasReported(_ number: Int32, _ attempt: UInt32) {
        guard unreported[number]?.remove(attempt) != nil else { return }
        if unreported[number]?.isEmpty == true { unreported[number] = nil }
    }

    /// Frees what is held for a task that is over.
    mutating func forget(_ number: Int32, _ turn: inout WorkflowTurn) {
        // Options hold user closures, such as a retry policy.
        turn.releaseAfterUnlock(options.remove(number).map { Released($0) })
        live[number] = nil
        turn.releaseAfterUnlock(objects.removeValue(forKey: number))
        turn.releaseAfterUnlock((fulfilments.removeValue(forKey: number) ?? nil))
        turn.releaseAfterUnlock(keys.removeValue(forKey: number))
        progress[number] = nil
        unkeyed[number] = nil
        unreported[number] = nil
    }

    /// Something to be freed that is no `any Sendable` by itself.
    private struct Released: Sendable {
        let options: TaskOptions
        init(_ options: TaskOptions) { self.options = options }
    }
}

/// The names of tasks.
struct TaskNames {
    /// The names given, up to the last one that isn't empty.
    private var given = ContiguousArray<String>()
    private var count = 0
    /// The task of each name; nil where names may repeat.
    private var owners: [String: Int32]?
    /// The workflow's own.
    var workflow: String

    init(_ workflow: String, areUnique: Bool) {
        self.workflow = workflow
        owners = areUnique ? [:] : nil
    }

    /// The name given; empty for the default.
    subscript(_ number: Int32) -> String { Int(number) < given.count ? given[Int(number)] : "" }

    func isTaken(_ name: String) -> Bool { owners?[name] != nil }

    @inline(__always)
    mutating func append(_ name: String) {
        count += 1
        if !name.isEmpty { set(name, of: count - 1) }
    }

    mutating func take(_ name: String, for number: Int32) { owners?[name] = number }

    /// Renames a task.
    ///
    /// The owners stay as they are: `check()` reports names that became duplicates.
    mutating func rename(_ number: Int32, _ name: String) { set(name, of: Int(number)) }

    @inline(__always)
    private mutating func set(_ name: String, of number: Int) {
        guard number >= given.count else { return given[number] = name }
        while given.count < number { given.append("") }
        given.append(name)
    }
}
