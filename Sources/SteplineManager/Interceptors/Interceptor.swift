/// Changes, holds, delays or rejects tasks before they run.
///
/// A manager asks its interceptors in order, about one task at a time. Other tasks wait for this answer, also if its
/// task is cancelled meanwhile. Without an answer within ``TaskManager/Options/answerTimeout`` the task fails with
/// `.interceptorTimedOut`, and the manager asks about the next task.
///
/// Calls of one manager don't overlap, with one exception: a call that exceeded the time limit may still run. Its later
/// answer and its changes of the task are ignored.
public protocol Interceptor: Sendable {
    /// The name in errors, events and `explain()`; by default the type's name.
    var name: String { get }

    /// The maximum number and age of held tasks; unlimited by default.
    var holdLimits: HoldLimits { get }

    /// Decides about a task before its first attempt, and may change the task.
    ///
    /// - Parameters:
    ///   - task: The task to inspect or change.
    ///   - context: The state of the interceptor and the task.
    /// - Returns: The decision.
    /// - Throws: An error that fails the task.
    func intercept<T: ManagedTask>(_ task: inout T, context: InterceptContext) async throws
        -> InterceptCommand
}

extension Interceptor {
    /// The name of the type.
    public var name: String { String(describing: Self.self) }

    /// Limits that never apply.
    public var holdLimits: HoldLimits { HoldLimits() }
}

/// The decision of an interceptor about a task.
public enum InterceptCommand: Sendable {
    /// Run the task and release the tasks that this interceptor holds.
    case execute
    /// Hold the task until this interceptor releases it.
    case hold
    /// End the task without running it.
    case discard
    /// Run the task, overriding the decisions of other interceptors.
    case forceExecute
    /// Run the task after this time, without asking the interceptors again.
    case delay(Duration)
    /// Fail the task with this error.
    case fail(any Error)
}

/// The information for an interceptor's decision.
public struct InterceptContext: Sendable {
    /// The number of tasks that this interceptor holds, without the current one.
    public let heldCount: Int
    /// The handle of the task.
    public let handle: AnyTaskHandle
    /// The next attempt, from 1.
    public let attempt: Int
}

/// The limits for held tasks, and the action at a limit.
public struct HoldLimits: Sendable, Equatable {
    /// The action for held tasks at a limit.
    public enum Action: Sendable, Equatable {
        /// Run the tasks.
        case release
        /// Fail the tasks with ``TaskManagerError/Code/holdExpired``.
        case fail
    }

    /// The number of held tasks that triggers the action.
    public var count: Int?
    /// The age of the oldest held task that triggers the action.
    public var age: Duration?
    /// The action at a limit.
    public var then: Action

    /// Creates limits; without arguments there are none.
    public init(count: Int? = nil, age: Duration? = nil, then: Action = .release) {
        self.count = count
        self.age = age
        self.then = then
    }
}
