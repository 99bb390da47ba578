public import Synchronization

/// The task-local variables that reach the code which pipelines, workflows and managers call.
///
/// Steps and bodies run on other threads or in Swift tasks of their own, which don't inherit the caller's task-local
/// values. Register a variable once, at the start of the program:
///
///     TaskLocals.propagate(Trace.$id)
///     try await Trace.$id.withValue("r-17") { try await workflow.run() }
///
/// Bodies, callbacks, interceptors and reactors then see the value that the variable had in `start()`, `run()`,
/// `outcome()` or `add(_:)`. They see the default of all other task-local variables. A registration can't be taken
/// back. Work on other machines gets no values.
public enum TaskLocals {
    /// Propagates a task-local variable from now on.
    ///
    /// Each run reads the variable at its start, and each body is called with the value.
    ///
    /// - Parameter local: The variable, for example `Trace.$id`.
    public static func propagate<Value: Sendable>(_ local: TaskLocal<Value>) {
        PropagatedValues.register(local) { BoundValue(local: local, value: local.get()) }
    }

    /// Propagates an optional task-local variable from now on; a run without a value keeps none.
    ///
    /// - Parameter local: The variable, for example `Trace.$id`.
    public static func propagate<Value: Sendable>(_ local: TaskLocal<Value?>) {
        PropagatedValues.register(local) {
            let value = local.get()
            return BoundValue(local: local, value: value, isEmpty: value == nil)
        }
    }
}

/// The values of the registered task-local variables at one moment.
@usableFromInline
package final class PropagatedValues: Sendable {
    private struct Local: Sendable {
        let id: ObjectIdentifier
        /// Reads the current value.
        let read: @Sendable () -> any Binding
    }

    private static let locals = Locked<[Local]>([])
    @usableFromInline static let areAny = Atomic(false)

    private let values: [any Binding]

    private init(_ values: [any Binding]) { self.values = values }

    fileprivate static func register(_ local: AnyObject, read: @escaping @Sendable () -> any Binding) {
        let id = ObjectIdentifier(local)
        locals.withLock { locals in
            if !locals.contains(where: { $0.id == id }) { locals.append(Local(id: id, read: read)) }
        }
        areAny.store(true, ordering: .releasing)
    }

    /// The values of the current code; nil without a registered variable that has one.
    ///
    /// Costs one atomic load as long as no variable is registered.
    package static var current: PropagatedValues? {
        guard areAny.load(ordering: .acquiring) else { return nil }
        // A copy of the list: a variable's default may be the user's code.
        let values = locals.withLock { $0 }.map { $0.read() }
        return values.allSatisfy(\.isEmpty) ? nil : PropagatedValues(values)
    }

    /// Calls a closure with the values of a run; `values` is nil for a run without any.
    ///
    /// This thread may run code of another run, for example a callback that is called by the body which ends it. The
    /// other run's values are replaced. Costs one atomic load as long as no variable is registered.
    @inlinable
    package static func call<Answer>(
        with values: @autoclosure () -> PropagatedValues?, _ body: () throws -> Answer
    ) rethrows -> Answer {
        guard areAny.load(ordering: .relaxed), let values = replacement(values()) else { return try body() }
        return try values.run(body)
    }

    /// Calls an async closure with the values of a run, like the synchronous variant.
    package static func call<Answer>(
        with values: PropagatedValues?, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        guard let values = replacement(values) else { return try await body() }
        return try await values.run(body)
    }

    /// The values to bind for a run; nil if the current ones are right.
    @usableFromInline
    static func replacement(_ values: PropagatedValues?) -> PropagatedValues? {
        if let values { return values }
        guard areAny.load(ordering: .relaxed), let current else { return nil }
        return PropagatedValues(current.values.compactMap { $0.emptied })
    }

    /// Returns a closure that calls `body` with the current values.
    package static func bound(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let values = current else { return body }
        return { values.run(body) }
    }

    /// Calls a closure with the values.
    @usableFromInline
    package func run<Answer>(_ body: () throws -> Answer) rethrows -> Answer { try run(from: 0, body) }

    private func run<Answer>(from index: Int, _ body: () throws -> Answer) rethrows -> Answer {
        guard index < values.count else { return try body() }
        return try values[index].bind { try run(from: index + 1, body) }
    }

    /// Calls an async closure with the values.
    package func run<Answer>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        try await run(from: 0, body)
    }

    private func run<Answer>(
        from index: Int, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        guard index < values.count else { return try await body() }
        return try await values[index].bind { try await run(from: index + 1, body) }
    }
}

/// A task-local variable and its value, without the type of the value.
private protocol Binding: Sendable {
    /// Whether the variable is optional and has no value.
    var isEmpty: Bool { get }
    /// The variable without a value; nil if it always has one.
    var emptied: (any Binding)? { get }

    func bind<Answer>(_ body: () throws -> Answer) rethrows -> Answer

    func bind<Answer>(
        isolation: isolated (any Actor)?, _ body: () async throws -> Answer
    ) async rethrows -> Answer
}

extension Binding {
    func bind<Answer>(
        here isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        try await bind(isolation: isolation, body)
    }
}

private struct BoundValue<Value: Sendable>: Binding {
    let local: TaskLocal<Value>
    let value: Value
    var isEmpty = false

    var emptied: (any Binding)? {
        guard let type = Value.self as? any ExpressibleByNilLiteral.Type else { return nil }
        return (type.init(nilLiteral: ()) as? Value).map {
            BoundValue(local: local, value: $0, isEmpty: true)
        }
    }

    func bind<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        try local.withValue(value, operation: body)
    }

    func bind<Answer>(
        isolation: isolated (any Actor)?, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        try await local.withValue(value, operation: body, isolation: isolation)
    }
}
