import SteplineSupport

/// A reference to a task of a workflow, with the type of its result.
///
/// Closures of other tasks may capture a reference: it doesn't retain the workflow.
public struct TaskRef<Output: Sendable>: Sendable, Hashable {
    @usableFromInline let home: WorkflowHome
    @usableFromInline let index: Int32

    @inlinable
    init(_ home: WorkflowHome, _ index: Int32) {
        self.home = home
        self.index = index
    }

    var core: WorkflowCore { home.core }

    /// Creates a reference to a task of a workflow, with the type of its result.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - type: The type of the result.
    /// - Throws: `.noWorkflow` for a task without a workflow.
    public init(_ task: WorkflowTask, as type: Output.Type = Output.self) throws {
        guard let home = task.home else { throw WorkflowError(.noWorkflow, task.name, "is in no workflow") }
        self.init(home.core, home.number)
    }

    /// The object of the task, created on demand.
    public var task: WorkflowTask { core.task(index) }

    /// The result of a Finished task, if it has this type.
    public var result: Output? { try? core.value(of: index) as Output }

    /// The prerequisite without the requirement to succeed: the dependent receives a `Result`.
    public var allowingFailure: FailureAllowed<Output> { FailureAllowed(reference: self) }

    /// The result, after the task has finished.
    ///
    /// Waiting doesn't start the task: start the workflow, or await its `run()`, and keep a reference to it until then.
    /// Cancelling the waiting Swift task ends the wait.
    ///
    /// - Throws: At any other end the task's error, `CancellationError`, or `.noResult` if the task can't run.
    ///   `.wrongType` for a result of another type, and `CancellationError` if the wait was cancelled.
    public var value: Output {
        get async throws {
            // Nil: the Swift task was cancelled while it waited.
            guard let snapshot = await core.end(of: index) else { throw CancellationError() }
            // The task may have been reset meanwhile: use the result of the awaited end.
            guard snapshot.state != .finished else { return try core.value(of: index, as: snapshot) }
            let (name, isReleased) = core.look {
                ($0.name(index), $0.isDisbanded && $0.tasks[index].blockage == .none)
            }
            switch snapshot.outcome(of: name) {
            case .failure(let error): throw error
            case .cancelled: throw CancellationError()
            case .success, nil:
                let cause =
                    isReleased
                    ? "its workflow was released before the task was started; keep a reference and start it"
                    : "can't run, because a task upstream failed or was cancelled"
                throw WorkflowError(.noResult, name, cause)
            }
        }
    }

    /// Returns whether both refer to the same task.
    public static func == (left: TaskRef, right: TaskRef) -> Bool {
        left.core === right.core && left.index == right.index
    }

    /// Hashes the identity of the task.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(core))
        hasher.combine(index)
    }
}

/// A prerequisite that is allowed to fail.
public struct FailureAllowed<Output: Sendable>: Sendable {
    let reference: TaskRef<Output>
}

/// A prerequisite whose result is passed to a closure.
///
/// Only ``TaskRef`` and ``FailureAllowed`` conform.
public protocol TypedPrerequisite: Sendable {
    /// The type of the closure's parameter.
    associatedtype Value: Sendable

    /// The task for the workflow.
    var link: TaskLink { get }

    /// Returns the closure's parameter, after the end of the task.
    ///
    /// - Throws: A ``WorkflowError`` `.noResult`, `.wrongType` or `.forgotten`, or the error of a store that holds the
    ///   result.
    func readValue() throws -> Value
}

/// The identification of a task for its workflow.
public struct TaskLink: Sendable {
    let core: WorkflowCore
    let index: Int32
    var allowsFailure = false

    var task: WorkflowTask { core.task(index) }
}

extension TaskRef: TypedPrerequisite {
    /// The task for the workflow.
    public var link: TaskLink { TaskLink(core: core, index: index) }

    /// Returns the result.
    ///
    /// - Throws: A ``WorkflowError`` `.noResult`, `.wrongType` or `.forgotten`, or the error of a store that holds the
    ///   result.
    @inlinable
    public func readValue() throws -> Output {
        try withUnsafeTemporaryAllocation(of: Output.self, capacity: 1) { place in
            // Most results have exactly this type. A cast also finds superclasses, optionals and stored results.
            guard let place = place.baseAddress, home.copyResult(of: index, as: Output.self, to: place) else {
                return try home.castResult(of: index)
            }
            return place.move()
        }
    }
}

extension WorkflowHome {
    /// Copies the result of a Finished task to `place` if it has exactly this type; returns false otherwise.
    @usableFromInline
    final func copyResult(of number: Int32, as type: Any.Type, to place: UnsafeMutableRawPointer) -> Bool {
        core.look { $0.tasks.copyResult(number, as: type, to: place) }
    }

    @usableFromInline
    final func castResult<Output: Sendable>(of number: Int32) throws -> Output { try core.value(of: number) }
}

extension FailureAllowed: TypedPrerequisite {
    /// The task for the workflow.
    public var link: TaskLink {
        TaskLink(core: reference.core, index: reference.index, allowsFailure: true)
    }

    /// Returns the result, or the error of the failed task.
    ///
    /// - Throws: A ``WorkflowError`` `.wrongType` or `.forgotten`, or the error of a store that holds the result.
    public func readValue() throws -> Result<Output, any Error> {
        let snapshot = reference.core.look { $0.snapshot(reference.index) }
        if snapshot.state == .finished {
            return .success(try reference.core.value(of: reference.index, as: snapshot))
        }
        // Read during a check: the task hasn't ended.
        if snapshot.state != .failed { MissingResults.note() }
        let name = reference.core.look { $0.name(reference.index) }
        return .failure(snapshot.error ?? WorkflowError(.noResult, name, "has no result"))
    }
}

extension WorkflowCore {
    /// Returns the result of a Finished task; throws if it has another type.
    func value<Output: Sendable>(of number: Int32) throws -> Output {
        let (state, value) = look { ($0.tasks[number].state, $0.tasks.result(number)) }
        return try self.value(of: number, state, value)
    }

    /// Returns the result that a task had at a given end.
    func value<Output: Sendable>(of number: Int32, as end: WorkflowTask.Snapshot) throws -> Output {
        try value(of: number, end.state, end.value)
    }

    private func value<Output: Sendable>(
        of number: Int32, _ state: WorkflowTask.State, _ value: (any Sendable)?
    ) throws -> Output {
        if state == .finished {
            // `KeptResult` is a reference to a stored result: an existential `Output` must receive the stored value.
            if let output = value as? Output, !(Output.self == (any Sendable).self && output is KeptResult) {
                return output
            }
            if let kept = value as? KeptResult { return try unpack(kept, of: number) }
            if let inner = value as? Workflow, let task = inner.enclosingTask as? ResultSubworkflow<Output> {
                return try task.last.readValue()
            }
            // A task without a result finishes with nil, which fits `Void` and Optionals.
            if value == nil, Output.self == Void.self, let nothing = () as? Output { return nothing }
            if value == nil, let nothing = Optional<any Sendable>.none as? Output { return nothing }
        }
        let (name, isForgotten) = look { ($0.name(number), $0.tasks[number].facts.contains(.forgotten)) }
        // A forgotten task is still Finished, but its result was released.
        if isForgotten { throw WorkflowError(.forgotten, name, "its result is forgotten") }
        guard state == .finished else {
            MissingResults.note()
            throw WorkflowError(.noResult, name, "is \(state)")
        }
        let found = value.map { "\(Swift.type(of: $0))" } ?? "nothing"
        throw WorkflowError(.wrongType, name, "its result is \(found), but \(Output.self) is expected")
    }

    private func unpack<Output: Sendable>(_ kept: KeptResult, of number: Int32) throws -> Output {
        let value = try kept.load()
        // A stored nil means `Void`.
        if let output = (value ?? ()) as? Output { return output }
        throw WorkflowError(
            .wrongType, look { $0.name(number) }, "its kept result is no \(Output.self)")
    }

    /// Waits until the task has ended or can't run; returns its state then, or nil if the wait was cancelled.
    func end(of number: Int32) async -> WorkflowTask.Snapshot? {
        let waiter = EndWaiter()
        if let snapshot = look({ $0.await(number, waiter) }) { return snapshot }
        return await withTaskCancellationHandler {
            await waiter.value
        } onCancel: {
            // Removed first: a waiter in the machine could be woken again.
            look { $0.stopAwaiting(number, waiter) }
            // Resumes the wait with nil, unless the end came first.
            waiter.cancel()
        }
    }
}
