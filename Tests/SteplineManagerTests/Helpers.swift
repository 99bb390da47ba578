import SteplineManager
import SteplineSupport
import SteplineTesting

struct Broken: Error, Equatable {
    var number = 0
}

/// A task with fields that interceptors may change, and a body that counts.
struct Count: ManagedTask {
    var number = 0
    var gate: Gate?
    var fails = false
    let bodies: Recorder<Int>
    let ended = Recorder<TaskManagerError>()
    var name: String { "count" }

    func execute() async throws -> Int {
        bodies.record(number)
        await gate?.wait()
        if fails { throw Broken(number: number) }
        return number
    }

    func didCancel(because error: TaskManagerError) { ended.record(error) }
}

/// An interceptor made of a closure over the context.
struct Asking: Interceptor {
    var name = "asking"
    var holdLimits = HoldLimits()
    let answer: @Sendable (InterceptContext) async throws -> InterceptCommand

    func intercept<T: ManagedTask>(
        _ task: inout T, context: InterceptContext
    ) async throws -> InterceptCommand {
        try await answer(context)
    }
}

/// A reactor made of closures.
struct Reacting: Reactor {
    var name = "reacting"
    var configuration = ReactorConfiguration()
    var asks: @Sendable (_ failed: Bool, ReactionContext) async -> Bool = { failed, _ in failed }
    var runs: @Sendable (ReactorRun) async throws -> Void = { _ in }

    func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool {
        if case .failure = result { return await asks(true, context) }
        return await asks(false, context)
    }

    func execute(_ run: ReactorRun) async throws { try await runs(run) }
}

extension TaskHandle {
    /// The code of the manager's error that it failed with; `.cancelled` if it was cancelled.
    var endCode: TaskManagerError.Code? {
        get async {
            switch await outcome() {
            case .success: nil
            case .failure(let error): (error as? TaskManagerError)?.code
            case .cancelled: .cancelled
            }
        }
    }

    /// Why it was cancelled; nil if it wasn't.
    var endReason: CancellationReason? { get async { await outcome().cancellation } }
}
