/// Adapts, holds, delays or refuses tasks before they run.
///
/// A manager asks its interceptors in order, about one task at a time; no two calls of one manager overlap.
public protocol Interceptor: Sendable {
    /// What errors, events and `explain()` call it; by default its type's name.
    var name: String { get }

    /// How many tasks it may hold, and for how long; by default without limits.
    var holdLimits: HoldLimits { get }

    /// Looks at a task before its first attempt, may change it, and says what becomes of it.
    ///
    /// A throw fails the task with that error.
    func intercept<T: ManagedTask>(_ task: inout T, context: InterceptContext) async throws
        -> InterceptCommand
}

extension Interceptor {
    /// The name of the type.
    public var name: String { String(describing: Self.self) }

    /// None.
    public var holdLimits: HoldLimits { HoldLimits() }
}

/// What an interceptor says about a task.
public enum InterceptCommand: Sendable {
    /// Run it, and release what this interceptor holds.
    case execute
    /// Keep it until this interceptor releases it.
    case hold
    /// End it without running it.
    case discard
    /// Run it whatever the other interceptors say.
    case forceExecute
    /// Run it after this time, unasked.
    case delay(Duration)
    /// End it with this error.
    case fail(any Error)
}

/// What an interceptor is told beside the task.
public struct InterceptContext: Sendable {
    /// How many tasks this interceptor holds, this one not counted.
    public let heldCount: Int
    /// The handle of the task.
    public let handle: AnyTaskHandle
    /// The attempt to come, counted from 1.
    public let attempt: Int
}

/// When held tasks no longer wait for their interceptor, and what becomes of them then.
public struct HoldLimits: Sendable, Equatable {
    /// What becomes of held tasks at a limit.
    public enum Action: Sendable, Equatable {
        /// They run.
        case release
        /// They end with ``TaskManagerError/Code/holdExpired``.
        case fail
    }

    /// As many as this are enough.
    public var count: Int?
    /// The oldest waits no longer than this.
    public var age: Duration?
    /// What happens then.
    public var then: Action

    /// Makes limits; none by default.
    public init(count: Int? = nil, age: Duration? = nil, then: Action = .release) {
        self.count = count
        self.age = age
        self.then = then
    }
}
