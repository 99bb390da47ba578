import SteplineSupport

/// A task of a workflow, and the type of its result.
///
/// It may be captured by other tasks' closures: it doesn't keep the workflow alive.
public struct TaskRef<Output: Sendable>: Sendable, Hashable {
    @usableFromInline let home: WorkflowHome
    @usableFromInline let index: Int32

    @inlinable
    init(_ home: WorkflowHome, _ index: Int32) {
        self.home = home
        self.index = index
    }

    var core: WorkflowCore { home.core }

    /// Names a task that is in a workflow, and says which type its result has.
    ///
    /// Throws `.noWorkflow` for one that is in none.
    public init(_ task: WorkflowTask, as type: Output.Type = Output.self) throws {
        guard let home = task.home else { throw WorkflowError(.noWorkflow, task.name, "is in no workflow") }
        self.init(home.core, home.number)
    }

    /// The task itself; an object is made for it if it has none.
    public var task: WorkflowTask { core.task(index) }

    /// The result, once the task is Finished and if it is of that type.
    public var result: Output? { try? core.value(of: index) }

    /// The task's failure is no obstacle: the dependent gets a `Result`.
    public var allowingFailure: FailureAllowed<Output> { FailureAllowed(reference: self) }

    /// Waits until the task is Finished, and returns its result.
    ///
    /// Throws once it is settled otherwise: the error it failed with, `CancellationError`, or `.noResult` if it can't
    /// run. Doesn't start it. Cancelling the Swift task that waits ends the wait.
    public var value: Output {
        get async throws {
            guard let snapshot = await core.end(of: index) else { throw CancellationError() }
            // The task may have been reset since, so its result is that of the end that was awaited.
            guard snapshot.state != .finished else { return try core.value(of: index, as: snapshot) }
            let name = core.look { $0.name(index) }
            switch snapshot.outcome(of: name) {
            case .failure(let error): throw error
            case .cancelled: throw CancellationError()
            case .success, nil: throw WorkflowError(.noResult, name, "can't run")
            }
        }
    }

    /// Whether they name the same task.
    public static func == (left: TaskRef, right: TaskRef) -> Bool {
        left.core === right.core && left.index == right.index
    }

    /// Hashes the task's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(core))
        hasher.combine(index)
    }
}

/// A prerequisite that may fail.
public struct FailureAllowed<Output: Sendable>: Sendable {
    let reference: TaskRef<Output>
}

/// A prerequisite whose result a closure gets as a parameter.
///
/// ``TaskRef`` and ``FailureAllowed`` are all there are.
public protocol TypedPrerequisite: Sendable {
    /// What the closure gets.
    associatedtype Value: Sendable

    /// Which task it is, for the workflow.
    var link: TaskLink { get }

    /// What the closure gets, once the task has ended.
    func readValue() throws -> Value
}

/// Names a task for its workflow.
public struct TaskLink: Sendable {
    let core: WorkflowCore
    let index: Int32
    var allowsFailure = false

    var task: WorkflowTask { core.task(index) }
}

extension TaskRef: TypedPrerequisite {
    /// Which task it is, for the workflow.
    public var link: TaskLink { TaskLink(core: core, index: index) }

    /// The result; throws if it has another type.
    public func readValue() throws -> Output { try core.value(of: index) }
}

extension FailureAllowed: TypedPrerequisite {
    /// Which task it is, for the workflow.
    public var link: TaskLink {
        TaskLink(core: reference.core, index: reference.index, allowsFailure: true)
    }

    /// The result, or what the task has failed with.
    public func readValue() throws -> Result<Output, any Error> {
        let snapshot = reference.core.look { $0.snapshot(reference.index) }
        if snapshot.state == .finished {
            return .success(try reference.core.value(of: reference.index, as: snapshot))
        }
        if snapshot.state != .failed { MissingResults.note() }
        let name = reference.core.look { $0.name(reference.index) }
        return .failure(snapshot.error ?? WorkflowError(.noResult, name, "has no result"))
    }
}

extension WorkflowCore {
    /// The result of a Finished task, if it is of that type.
    func value<Output: Sendable>(of number: Int32) throws -> Output {
        let (state, value) = look { ($0.tasks[number].state, $0.tasks.result(number)) }
        return try self.value(of: number, state, value)
    }

    /// The result that a task had at its end.
    func value<Output: Sendable>(of number: Int32, as end: WorkflowTask.Snapshot) throws -> Output {
        try value(of: number, end.state, end.value)
    }

    private func value<Output: Sendable>(
        of number: Int32, _ state: WorkflowTask.State, _ value: (any Sendable)?
    ) throws -> Output {
        if state == .finished {
            if let output = value as? Output, !(Output.self == (any Sendable).self && output is KeptResult) {
                return output
            }
            if let kept = value as? KeptResult { return try unpack(kept, of: number) }
            if value == nil, Output.self == Void.self, let nothing = () as? Output { return nothing }
            if value == nil, let nothing = Optional<any Sendable>.none as? Output { return nothing }
        }
        let (name, isForgotten) = look { ($0.name(number), $0.tasks[number].facts.contains(.forgotten)) }
        if isForgotten { throw WorkflowError(.forgotten, name, "its result is forgotten") }
        guard state == .finished else {
            MissingResults.note()
            throw WorkflowError(.noResult, name, "is \(state)")
        }
        let found = value.map { "\(Swift.type(of: $0))" } ?? "nothing"
        throw WorkflowError(.wrongType, name, "its result is \(found), but \(Output.self) is wanted")
    }

    private func unpack<Output: Sendable>(_ kept: KeptResult, of number: Int32) throws -> Output {
        let value = try kept.load()
        if let output = (value ?? ()) as? Output { return output }
        throw WorkflowError(
            .wrongType, look { $0.name(number) }, "its kept result is no \(Output.self)")
    }

    /// Waits until the task has ended or can't run, and returns how it stood then; nil if the wait was cancelled.
    func end(of number: Int32) async -> WorkflowTask.Snapshot? {
        let waiter = EndWaiter()
        if let snapshot = look({ $0.await(number, waiter) }) { return snapshot }
        return await withTaskCancellationHandler {
            await waiter.value
        } onCancel: {
            look { $0.stopAwaiting(number, waiter) }
            waiter.cancel()
        }
    }
}
