import SteplineSupport

/// What only some tasks have, by task number: a workflow that uses none of it pays for none of it.
struct TaskTables {
    /// Who drives the machine, and alone gets at it; not weak, which would slow every other reference to it.
    unowned var core: WorkflowCore?
    /// Tasks about to be handed to operation queues or to the executor.
    var handed: [(number: Int32, ticket: UInt32)] = []
    /// Tasks that were, and found the workflow's limit reached.
    var putOff: [Int32] = []
    /// Whether the workflow has an operation queue or an executor.
    var hasQueue = false
    /// The workflow's name.
    var name: String
    var options: [Int32: TaskOptions] = [:]
    /// Objects made for tasks that were added as closures, when somebody asked for them.
    var faces: [Int32: WorkflowTask] = [:]
    /// Which prerequisite is under which key.
    var keys: [Int32: [PrerequisiteKey: Int32]] = [:]
    /// Prerequisites that were given without a key, where some have one.
    var unkeyed: [Int32: [Int32]] = [:]
    /// What is to be called when the live attempt is stopped.
    var stopHandlers: [Int32: StopHandlers] = [:]
    /// The last time a body was told to be stalled.
    var stalls: [Int32: (attempt: UInt32, waited: Duration)] = [:]
    var timers: [TaskTimer: ArmedTimer] = [:]
    var lastTimer: UInt64 = 0
    /// How many attempts there were since the last start, reset or retry by hand.
    var tries: [Int32: Int] = [:]
    /// The last cancels that came while something was still to be told.
    var cancelMarks: [Int32: CancelMark] = [:]
    /// Tasks that some thread is telling about right now.
    var telling: [Int32: Telling] = [:]
    /// How often completion is to be told, once what was decided before it has been.
    var heldCompletions = 0
    /// How many threads are telling of completion right now.
    var completionsTold = 0
    /// How many threads are sending messages right now.
    var senders = 0
    /// Who waits for the end of a task.
    var waiters: [Int32: [@Sendable (WorkflowTask.Snapshot) -> Void]] = [:]
    /// What a condition was fulfilled with.
    var fulfilments: [Int32: (any Sendable)?] = [:]
    /// What attempts have reported of their progress.
    var progress: [Int32: TaskProgress] = [:]
    /// Those who wait in `run()`.
    var runners: [OneShot<RunReport>] = []
    var hasCleanups = false
    /// How many cleanups were cancelled as they weren't needed.
    var notNeeded = 0
    /// Whether the workflow's deadline has passed in this run.
    var isOverdue = false
    var groups = GroupTable()
    /// What is kept of attempts, if anything is.
    var log: AttemptLog?
    /// The tasks by name, kept where names must be unique.
    var taken: [String: Int32] = [:]
}

/// What an attempt has said of its progress.
struct TaskProgress: Sendable {
    var attempt: Int
    var fraction: Double
    var text: String?
}

/// A thread that tells of a task; nobody else does meanwhile, so that each listener hears things in order.
struct Telling {
    let thread: ObjectIdentifier
    var depth = 1
    /// What has come to be told meanwhile.
    var followUps: [TaskChange] = []
    /// The steps still to be begun, of the outermost change first.
    var steps: [TellingStep] = []

    /// Takes out the next step, with the thread that tells it.
    mutating func takeStep() -> (step: TellingStep, thread: ObjectIdentifier)? {
        steps.isEmpty ? nil : (steps.removeFirst(), thread)
    }
}

/// One call to one who is told of a change.
struct TellingStep {
    let call: @Sendable () -> Void
    /// The number of the event, if it is about a success or failure: a cancel withdraws what hasn't begun.
    var ending: Int?
}

/// When a task was reached by a cancel last, and by whose.
struct CancelMark {
    let event: Int
    let thread: ObjectIdentifier

    /// Whether it withdraws the end with that number: not if the thread that tells of it is sending the cancel,
    /// as that one tells it first.
    func withdraws(_ ending: Int?, on teller: ObjectIdentifier?) -> Bool {
        ending.map { $0 <= event && thread != teller } ?? false
    }
}

struct StopHandlers {
    var attempt: UInt32
    var handlers: [@Sendable () -> Void] = []
}

/// Which timer of which task; the workflow's own has the number -1.
struct TaskTimer: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        /// Ends the attempt, or the wait before the next one.
        case attempt
        /// Gives up a stopped body.
        case abandon
        /// Ends all attempts.
        case deadline
        case watchdog
    }

    let index: Int32
    let kind: Kind
}

struct ArmedTimer {
    let id: UInt64
    var subscription: Subscription?
}

extension TaskTables {
    /// Forgets how often a task was tried, as it begins anew by hand.
    mutating func forgetTries(_ number: Int32) {
        if !tries.isEmpty { tries[number] = nil }
    }
}
