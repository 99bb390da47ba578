public import Foundation
import SteplineSupport

/// The base class of all steps: an asynchronous `Operation` with content.
///
/// Subclass it directly only if the body ends with a callback; otherwise use ``BlockStep``, ``BasicStep`` or
/// ``AsyncStep``. A direct subclass also conforms to ``Step`` and overrides `main()`. `main()` reads and changes
/// ``content`` and may return before the work is done. Call ``finish(throwing:)`` once, on any thread, to end the
/// attempt.
///
/// A step works in a pipeline, which drives it, or alone: set ``content``, call `start()` or put it in any
/// `OperationQueue`; afterwards ``content`` and ``error`` tell the result. Alone it makes one attempt, and
/// name, queue, retries and time-out are without effect. A step runs once; ``Step/makeCopy()``
/// makes another.
open class StepOperation: Operation, @unchecked Sendable {  // `state` has a lock
    let state = Locked(StepState())

    /// Creates an unused step.
    public override init() {
        super.init()
    }

    /// Removes the step from its dependencies: on Linux they would keep a pointer to a step that never ran.
    deinit {
        guard hasDependencies else { return }
        for other in super.dependencies { super.removeDependency(other) }
    }

    // MARK: What subclasses declare

    /// The entries that the step reads; none unless overridden.
    open var inputs: [AnyContentKey] { [] }

    /// The entries that the step writes, its main output first; none unless overridden.
    open var outputs: [AnyContentKey] { [] }

    /// The invalid settings of the step that are known before the run, one sentence each.
    ///
    /// `Pipeline.check()` reads this property; it must not access files or the network.
    open var configurationProblems: [String] { [] }

    /// The files that the step has written completely when it ends.
    open var produces: [URL] { [] }

    /// Whether the body can run again after a failure; read if a retry policy is set.
    open var isRepeatable: Bool { true }

    /// Creates an unused step with the same configuration.
    ///
    /// - Throws: A ``PipelineError`` `.notCopyable`, unless overridden.
    open func makeCopy() throws -> any Step {
        throw PipelineError.notCopyable(type(of: self))
    }

    // MARK: What is told about it

    /// The content: the step's input before the run, and the next step's input after it.
    ///
    /// A body may change the content until it ends; later changes are ignored.
    public final var content: Content {
        get { state.withLock { $0.content } }
        set { replaceContent(newValue) }
        // Move the content out, so the body modifies it in place; a concurrent reader sees empty content meanwhile.
        _modify {
            var bag = state.withLock { $0.takeContent() }
            defer { replaceContent(bag) }
            yield &bag
        }
    }

    /// The options of the step.
    ///
    /// Fixed from the start on: later changes are ignored.
    package final var options: StepOptions {
        get { optionsBox?.options ?? StepOptions() }
        set {
            let box = StepOptionsBox(newValue)
            // The previous options may own user closures: release them after unlock.
            _ = state.withLock { state -> StepOptionsBox? in
                guard state.phase == .idle else { return nil }
                defer { state.options = box }
                return state.options
            }
        }
    }

    /// The error that the step ended with.
    public final var error: (any Error)? { state.withLock { $0.error } }

    /// The running attempt: its position, number, cancellation state and progress report.
    public final var context: StepContext {
        StepContext(step: self, attempt: Int(state.withLock { $0.attempt }))
    }

    /// The name in errors and events: the given name, or the class name.
    final var displayName: String {
        optionsBox?.options.name ?? typeName
    }

    /// Copies the options of another step.
    package final func takeOptions(of other: StepOperation) {
        let options = other.optionsBox
        // The previous options may own user closures: release them after unlock.
        _ = state.withLock { state in
            defer { state.options = options }
            return state.options
        }
        takeKeys(of: other)
    }

    /// Copies the replacing keys of another step, if both have the same class.
    func takeKeys(of other: StepOperation) {}

    final var optionsBox: StepOptionsBox? { state.withLock { $0.options } }

    /// The share of the pipeline's progress, limited so that the sum of all shares stays finite.
    final var weight: Double {
        let weight = optionsBox?.options.weight ?? 1
        return weight > 0 ? min(weight, 1e100) : 0
    }

    /// Whether the step was cancelled, without calling an override of `isCancelled`.
    final var isMarkedCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The options, and whether the step was cancelled.
    final var runOptions: (options: StepOptionsBox?, isCancelled: Bool) {
        state.withLock { ($0.options, $0.isCancelled) }
    }

    /// Whether the step may depend on other operations.
    final var hasDependencies: Bool { state.withLock { $0.hasDependencies } }

    final var typeName: String { "\(type(of: self))" }

    private func replaceContent(_ bag: Content) {
        var remains = StepRemains()
        state.withLock { $0.setContent(bag, &remains) }
    }

    // MARK: The body

    /// Performs the step's work.
    ///
    /// Override this method in a direct subclass, without calling super, and call `finish` to end. Called once per
    /// attempt, with the same content.
    open override func main() {
        finish(throwing: PipelineError.notImplemented(type(of: self), "main()"))
    }

    /// Ends the running attempt; without an error, the next step receives ``content``.
    ///
    /// The first call counts; later calls do nothing. If a retry may have begun a new attempt meanwhile, call
    /// ``StepContext/finish(throwing:)`` of the intended attempt instead.
    ///
    /// - Parameter error: The error; nil for a success.
    public final func finish(throwing error: (any Error)? = nil) {
        end(attempt: nil, error: error, content: nil)
    }

    /// Whether the body starts a Swift task and returns at once, so that it may begin on any thread.
    var runsInTask: Bool { false }

    /// Whether `main()` only starts a transfer, without blocking and without user code, so that it may begin on any
    /// thread; set by an initializer, before the step is shared.
    package final var startsOnly = false

    /// Runs the body of an attempt; returns the end of a synchronous body, otherwise nil.
    func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        main()
        return nil
    }

    // MARK: Operation

    /// Always true: a step may end after `start()` has returned.
    public final override var isAsynchronous: Bool { true }

    /// Whether the body has begun and not ended.
    public final override var isExecuting: Bool { state.withLock { $0.phase == .executing } }

    /// Whether the step has ended.
    public final override var isFinished: Bool { state.withLock { $0.phase == .finished } }

    /// Whether the step was cancelled.
    open override var isCancelled: Bool { isMarkedCancelled }

    /// Runs a step without a pipeline.
    ///
    /// Does nothing if the step was started. A step in a pipeline is run by that pipeline; this method then only runs
    /// the step if it is cancelled. If the pipeline later releases the step without running it, the step runs on a
    /// worker thread.
    public final override func start() {
        if let end = runAttempt(1, content: nil) { settleAlone(end) }
    }

    /// Adds a dependency on another operation.
    ///
    /// A pipeline starts the step only after the dependency has finished, without occupying a thread.
    ///
    /// - Parameter operation: The operation to wait for.
    open override func addDependency(_ operation: Operation) {
        state.withLock { $0.noteDependencies() }
        super.addDependency(operation)
    }

    /// Cancels the step: a body that hasn't begun never begins, and a running body is notified.
    ///
    /// In a pipeline the whole pipeline is cancelled after the step has ended. If the body ends with another error than
    /// `CancellationError`, the pipeline fails with that error.
    open override func cancel() {
        // Mark the step first: `super.cancel()` makes a queue start the operation at once, ignoring its dependencies.
        let handlers = state.withLock { $0.stop(attempt: nil) }
        super.cancel()
        for handler in handlers { handler() }
        // A foreign queue started this step, and the pipeline hasn't begun it: end the step here, because the queue
        // waits.
        if state.withLock({ $0.isAwaitedByForeignQueue }) { settleAlone(.cancelled(nil)) }
        // Last: the pipeline may end the step in this call.
        state.withLock { $0.owner }?.stepWasCancelled(self)
    }

    /// Posts the change of `isExecuting` or `isFinished` to the operation's queue and dependents.
    final func announce(_ key: String) {
        willChangeValue(forKey: key)
        didChangeValue(forKey: key)
    }
}

extension StepPosition {
    /// Creates the position of a step at an index.
    init(of step: StepOperation, index: Int, count: Int) {
        self.init(name: step.displayName, type: step.typeName, index: index, count: count)
    }
}
