public import Foundation

/// A step with a closure as its body, synchronous or `async`.
///
///     BlockStep { (text: String) in text.uppercased() }
///     BlockStep(from: .bodyData, to: .count) { data in data.count }
///
/// A closure that waits should be `async`, so it occupies no thread.
public final class BlockStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    private enum Body {
        case plain(@Sendable (Input, StepContext) throws -> Output)
        case async(@Sendable (Input, StepContext) async throws -> Output)
    }

    /// The key of the closure's input.
    public let inputKey: ContentKey<Input>
    /// The key of the closure's result.
    public let outputKey: ContentKey<Output>

    private let body: Body

    private init(_ inputKey: ContentKey<Input>, _ outputKey: ContentKey<Output>, _ body: Body) {
        self.inputKey = inputKey
        self.outputKey = outputKey
        self.body = body
        super.init()
    }

    private convenience init(
        _ inputKey: ContentKey<Input>, _ outputKey: ContentKey<Output>, _ queue: OperationQueue?, _ body: Body
    ) {
        self.init(inputKey, outputKey, body)
        // Steps with default options store no options object: don't create one for nil.
        if let queue { options.queue = queue }
    }

    /// Creates a step from a closure.
    ///
    /// - Parameters:
    ///   - inputKey: The key of the input.
    ///   - outputKey: The key of the result.
    ///   - queue: The queue of the body; nil for a worker thread.
    ///   - body: The closure.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil, _ body: @escaping @Sendable (Input) throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .plain { input, _ in try body(input) })
    }

    /// Creates a step from an `async` closure.
    ///
    /// - Parameters:
    ///   - inputKey: The key of the input.
    ///   - outputKey: The key of the result.
    ///   - queue: The queue that starts the body; nil for an unspecified thread.
    ///   - body: The closure, which runs in a Swift task.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil, _ body: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .async { input, _ in try await body(input) })
    }

    /// Creates a step from a closure with access to its attempt.
    ///
    /// - Parameters:
    ///   - inputKey: The key of the input.
    ///   - outputKey: The key of the result.
    ///   - queue: The queue of the body; nil for a worker thread.
    ///   - body: The closure.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable (Input, StepContext) throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .plain(body))
    }

    /// Creates a step from an `async` closure with access to its attempt.
    ///
    /// - Parameters:
    ///   - inputKey: The key of the input.
    ///   - outputKey: The key of the result.
    ///   - queue: The queue that starts the body; nil for an unspecified thread.
    ///   - body: The closure, which runs in a Swift task.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable (Input, StepContext) async throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .async(body))
    }

    /// The entry that the step reads.
    public override var inputs: [AnyContentKey] { inputKey.declared }

    /// The entry that the step writes.
    public override var outputs: [AnyContentKey] { outputKey.declared }

    /// Creates an unused step with the same closure, keys and options.
    public override func makeCopy() -> any Step {
        let copy = BlockStep(inputKey, outputKey, body)
        // The options include the queue that was given at creation.
        copy.takeOptions(of: self)
        return copy
    }

    override var runsInTask: Bool {
        // The call of an async body only starts a Swift task, so the call may occupy any thread.
        if case .async = body { true } else { false }
    }

    override func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        switch body {
        case .plain(let body):
            do {
                // A missing input throws here, and ends the attempt like an error of the body.
                let output = try body(bag.value(for: inputKey), context)
                return .succeeded(bag.storing(output, for: outputKey))
            } catch {
                return .failed(error)
            }
        case .async(let body):
            return runInTask(context) { [inputKey, outputKey] in
                let output = try await body(bag.value(for: inputKey), context)
                return bag.storing(output, for: outputKey)
            }
        }
    }
}

extension BlockStep where Input == Void {
    /// Creates a step from a closure without input.
    ///
    /// - Parameters:
    ///   - outputKey: The key of the result.
    ///   - queue: The queue of the body; nil for a worker thread.
    ///   - body: The closure.
    public convenience init(
        to outputKey: ContentKey<Output> = .body, on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable () throws -> Output
    ) {
        self.init(.nothing, outputKey, queue, .plain { _, _ in try body() })
    }

    /// Creates a step from an `async` closure without input.
    ///
    /// - Parameters:
    ///   - outputKey: The key of the result.
    ///   - queue: The queue that starts the body; nil for an unspecified thread.
    ///   - body: The closure, which runs in a Swift task.
    public convenience init(
        to outputKey: ContentKey<Output> = .body, on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable () async throws -> Output
    ) {
        self.init(.nothing, outputKey, queue, .async { _, _ in try await body() })
    }
}
