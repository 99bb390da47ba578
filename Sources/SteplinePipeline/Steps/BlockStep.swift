public import Foundation

/// A step made from a closure, plain or `async`.
///
///     BlockStep { (text: String) in text.uppercased() }
///     BlockStep(from: .bodyData, to: .count) { data in data.count }
///
/// A closure that waits for something should be `async`: it then holds no thread.
public final class BlockStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    private enum Body {
        case plain(@Sendable (Input, StepContext) throws -> Output)
        case async(@Sendable (Input, StepContext) async throws -> Output)
    }

    /// The entry that the closure gets.
    public let inputKey: ContentKey<Input>
    /// The entry that its result is stored under.
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
        if let queue { options.queue = queue }
    }

    /// Makes a step from a closure.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil, _ body: @escaping @Sendable (Input) throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .plain { input, _ in try body(input) })
    }

    /// Makes a step from an `async` closure.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil, _ body: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .async { input, _ in try await body(input) })
    }

    /// Makes a step from a closure that also gets the attempt it runs in.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable (Input, StepContext) throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .plain(body))
    }

    /// Makes a step from an `async` closure that also gets the attempt it runs in.
    public convenience init(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body,
        on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable (Input, StepContext) async throws -> Output
    ) {
        self.init(inputKey, outputKey, queue, .async(body))
    }

    /// The entry the step reads.
    public override var inputs: [AnyContentKey] { inputKey.declared }

    /// The entry the step writes.
    public override var outputs: [AnyContentKey] { outputKey.declared }

    /// Makes an unused step with the same closure, keys and options.
    public override func makeCopy() -> any Step {
        let copy = BlockStep(inputKey, outputKey, body)
        copy.takeOptions(of: self)
        return copy
    }

    override var runsInTask: Bool {
        if case .async = body { true } else { false }
    }

    override func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        switch body {
        case .plain(let body):
            do {
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
    /// Makes a step from a closure without input.
    public convenience init(
        to outputKey: ContentKey<Output> = .body, on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable () throws -> Output
    ) {
        self.init(.nothing, outputKey, queue, .plain { _, _ in try body() })
    }

    /// Makes a step from an `async` closure without input.
    public convenience init(
        to outputKey: ContentKey<Output> = .body, on queue: OperationQueue? = nil,
        _ body: @escaping @Sendable () async throws -> Output
    ) {
        self.init(.nothing, outputKey, queue, .async { _, _ in try await body() })
    }
}
