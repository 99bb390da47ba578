public import Foundation
import SteplineSupport

/// The class behind every step: an asynchronous `Operation` with a bag of content.
///
/// Derive from it directly only for a body that ends by a callback; ``BlockStep``, ``BasicStep`` and
/// ``AsyncStep`` are shorter for everything else. Such a subclass also conforms to ``Step``, overrides
/// `main()`, which may return before the work is done, reads and changes ``content``, and ends once, from any
/// thread, by ``finish(throwing:)``.
///
/// A step works in a pipeline, which drives it, or alone: set ``content``, call `start()` or put it in any
/// `OperationQueue`; afterwards ``content`` and ``error`` tell the result. Alone it makes one attempt, and
/// name, queue, retries and time-out are without effect. A step runs once; ``Step/makeCopy()``
/// makes another.
open class StepOperation: Operation, @unchecked Sendable {  // all state is behind `state`
    let state = Locked(StepState())

    /// Makes a step that has not run.
    public override init() {
        super.init()
    }

    /// What the step depends on must not find it among those that wait, as it would on Linux if the step never ran.
    deinit {
        guard hasDependencies else { return }
        for other in super.dependencies { super.removeDependency(other) }
    }

    // MARK: What subclasses declare

    /// The entries the step reads; none unless overridden.
    open var inputs: [AnyContentKey] { [] }

    /// The entries the step writes, the one it is there for first; none unless overridden.
    open var outputs: [AnyContentKey] { [] }

    /// What is known to be wrong with the step's settings before it runs, a sentence each.
    ///
    /// Asked by `Pipeline.check()`; must not touch files or network.
    open var configurationProblems: [String] { [] }

    /// The files that the step makes, whole, by the time it ends.
    open var produces: [URL] { [] }

    /// Whether the body can be run again after a failure; asked when a retry policy is set.
    open var isRepeatable: Bool { true }

    /// Makes an unused step with the same configuration.
    ///
    /// Throws a ``PipelineError`` `.notCopyable` unless overridden.
    open func makeCopy() throws -> any Step {
        throw PipelineError.notCopyable(type(of: self))
    }

    // MARK: What is told about it

    /// The bag: before the run what the step gets, after it what goes on to the next.
    ///
    /// A body may change it at will until it ends; later changes are ignored.
    public final var content: Content {
        get { state.withLock { $0.content } }
        set { replaceContent(newValue) }
        _modify {
            var bag = state.withLock { $0.takeContent() }
            defer { replaceContent(bag) }
            yield &bag
        }
    }

    /// How the step is run.
    ///
    /// Fixed from the start on: later changes are ignored.
    package final var options: StepOptions {
        get { optionsBox?.options ?? StepOptions() }
        set {
            let box = StepOptionsBox(newValue)
            // What is replaced may hold users' closures, and is freed once the lock is released.
            _ = state.withLock { state -> StepOptionsBox? in
                guard state.phase == .idle else { return nil }
                defer { state.options = box }
                return state.options
            }
        }
    }

    /// The error the step has ended with.
    public final var error: (any Error)? { state.withLock { $0.error } }

    /// The running attempt: its position and number, whether it was cancelled, and where to report progress.
    public final var context: StepContext {
        StepContext(step: self, attempt: Int(state.withLock { $0.attempt }))
    }

    /// The name in errors and events: the one given, or that of the class.
    final var displayName: String {
        optionsBox?.options.name ?? typeName
    }

    /// Takes another step's options, for a copy of it.
    package final func takeOptions(of other: StepOperation) {
        let options = other.optionsBox
        // What is replaced is freed once the lock is released.
        _ = state.withLock { state in
            defer { state.options = options }
            return state.options
        }
        takeKeys(of: other)
    }

    /// Takes the keys that another step was given, if it is of the same class.
    func takeKeys(of other: StepOperation) {}

    final var optionsBox: StepOptionsBox? { state.withLock { $0.options } }

    /// The share of the pipeline's progress: a number of which any count can be added up.
    final var weight: Double {
        let weight = optionsBox?.options.weight ?? 1
        return weight > 0 ? min(weight, 1e100) : 0
    }

    /// Whether the step was cancelled, without asking an override of the operation's own flag.
    final var isMarkedCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The options, and whether it was cancelled.
    final var runOptions: (options: StepOptionsBox?, isCancelled: Bool) {
        state.withLock { ($0.options, $0.isCancelled) }
    }

    /// Whether it may depend on other operations.
    final var hasDependencies: Bool { state.withLock { $0.hasDependencies } }

    final var typeName: String { "\(type(of: self))" }

    private func replaceContent(_ bag: Content) {
        var remains = StepRemains()
        state.withLock { $0.setContent(bag, &remains) }
    }

    // MARK: The body

    /// Does the step's work.
    ///
    /// Override it in a direct subclass, without calling super, and end by `finish`.
    ///
    /// Called once for each attempt, with the same bag.
    open override func main() {
        finish(throwing: PipelineError.notImplemented(type(of: self), "main()"))
    }

    /// Ends the running attempt; without an error, what ``content`` then holds goes on.
    ///
    /// The first call counts; later ones change nothing. Where a retry could have begun a new attempt
    /// meanwhile, end through the attempt's own ``StepContext/finish(throwing:)``.
    public final func finish(throwing error: (any Error)? = nil) {
        end(attempt: nil, error: error, content: nil)
    }

    /// Whether the body begins a Swift task and returns, so that it may begin anywhere.
    var runsInTask: Bool { false }

    /// Runs the body of an attempt that has begun: its end if the body is a plain function, else nil.
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

    /// Runs a step that belongs to no pipeline.
    ///
    /// Does nothing for one that has been started, or that does: its pipeline runs it, unless it is cancelled. If the
    /// pipeline lets go of it instead, it runs then, on a worker thread.
    public final override func start() {
        if let end = runAttempt(1, content: nil) { settleAlone(end) }
    }

    /// Makes the step wait for another operation.
    ///
    /// In a pipeline the step before hands on only once that operation has finished; no thread is held until then.
    open override func addDependency(_ operation: Operation) {
        state.withLock { $0.noteDependencies() }
        super.addDependency(operation)
    }

    /// Cancels the step: a body that hasn't begun never does, one that runs is told.
    ///
    /// In a pipeline this cancels the pipeline once the step has ended.
    open override func cancel() {
        // First of all: a queue starts an operation that is cancelled, whatever it depends on.
        let handlers = state.withLock { $0.stop(attempt: nil) }
        super.cancel()
        for handler in handlers { handler() }
        if state.withLock({ $0.isAwaitedInVain }) { settleAlone(.cancelled(nil)) }
        state.withLock { $0.owner }?.stepWasCancelled(self)
    }

    /// What `isExecuting` and `isFinished` say has changed: tells the operation's queue and dependents.
    final func announce(_ key: String) {
        willChangeValue(forKey: key)
        didChangeValue(forKey: key)
    }
}

extension StepPosition {
    /// The position of a step that stands, or is to stand, at an index.
    init(of step: StepOperation, index: Int, count: Int) {
        self.init(name: step.displayName, type: step.typeName, index: index, count: count)
    }
}
