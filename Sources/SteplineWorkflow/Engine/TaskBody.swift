/// The body of a task that has no object of its own.
@usableFromInline
class TaskBody: @unchecked Sendable {  // immutable; subclasses too
    @usableFromInline
    init() {}

    /// Whether it is run by ``runAsync()``, in a Swift task.
    var isAsync: Bool { false }

    /// The type of its result.
    var resultType: any Sendable.Type { Void.self }

    /// Runs the body on this thread and returns its result.
    @usableFromInline
    func run() throws -> any Sendable { () }

    /// Runs the body and returns its result.
    @usableFromInline
    func runAsync() async throws -> any Sendable { () }
}

/// A closure that returns its result on the thread it is called on.
@usableFromInline
final class SyncBody<Output: Sendable>: TaskBody, @unchecked Sendable {  // immutable
    @usableFromInline let body: @Sendable () throws -> Output

    @inlinable
    init(_ body: @escaping @Sendable () throws -> Output) { self.body = body }

    override var resultType: any Sendable.Type { Output.self }

    @inlinable
    override func run() throws -> any Sendable { try body() }
}

/// A closure that returns its result after some waiting.
final class AsyncBody<Output: Sendable>: TaskBody, @unchecked Sendable {  // immutable
    private let body: @Sendable () async throws -> Output

    init(_ body: @escaping @Sendable () async throws -> Output) { self.body = body }

    override var isAsync: Bool { true }

    override var resultType: any Sendable.Type { Output.self }

    override func runAsync() async throws -> any Sendable { try await body() }
}
