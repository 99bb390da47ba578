/// The state of one step, as a value behind the step's lock.
///
/// | Body | Meaning | Left by |
/// | --- | --- | --- |
/// | none | no body is live | `begin` |
/// | onStack | the call of the body is on a thread's stack | `bodyReturned`, `finish` |
/// | finishedOnStack | `finish` was called during that call | `bodyReturned` |
/// | away | the call has returned, `finish` is missing | `finish` |
///
/// A body is live in all states except `none`. Only the live attempt can be ended, and only once. `phase` is the
/// operation's state: idle, executing, finished. A settled step is finished even if its body is still live.
///
/// All methods run under the lock and put discarded user objects into a ``StepRemains``.
struct StepState {
    enum Phase { case idle, executing, finished }

    /// The body of the latest attempt.
    private enum Body {
        /// The body is over, or none has begun.
        case none
        /// The call of the body is on a thread's stack.
        case onStack
        /// `finish` was called during the call; the end counts once the call returns.
        indirect case finishedOnStack(AttemptEnd)
        /// The call has returned; the end is still missing.
        case away
    }

    /// The pipeline that runs the step, retained while a body is live and its end is expected.
    private(set) var driver: (any StepDriver)?
    /// The pipeline that the step belongs to.
    private var ownerLink: PipelineLink?
    private(set) var content = Content()
    /// The options, replaced as a whole; nil for the defaults, which most steps have.
    var options: StepOptionsBox?
    private var stopHandlers: [@Sendable () -> Void] = []
    private var body = Body.none
    /// The error that the step ended with.
    private(set) var error: (any Error)?

    private(set) var attempt: UInt32 = 0
    /// The latest stopped attempt, which may not have begun.
    private var stoppedAttempt: UInt32 = 0
    private var indexNumber: Int32 = 0
    private(set) var phase = Phase.idle
    private(set) var isCancelled = false
    /// Whether the step was given dependencies on other operations.
    private(set) var hasDependencies = false
    /// Whether a foreign queue started the step while it belongs to a pipeline, and waits for its end.
    private var wasStartedByForeignQueue = false

    var index: Int { Int(indexNumber) }

    private var isLive: Bool { if case .none = body { false } else { true } }

    mutating func noteDependencies() { hasDependencies = true }

    // MARK: Belonging

    var owner: (any StepDriver)? { ownerLink?.pipeline }

    mutating func claim(for pipeline: PipelineLink, _ remains: inout StepRemains) -> PipelineError.Code? {
        // A used step stays used, even if its pipeline was freed.
        if phase != .idle { return .stepAlreadyRun }
        // The weak reference may yield the last strong one: the caller releases it after unlock.
        remains.owner = owner
        if remains.owner != nil { return .stepInUse }
        ownerLink = pipeline
        return nil
    }

    /// Releases the step from this pipeline; returns true if a foreign queue waits for an end that no pipeline will
    /// cause.
    mutating func release(from pipeline: PipelineLink) -> Bool {
        // Another pipeline may have claimed the step meanwhile.
        guard ownerLink === pipeline else { return false }
        ownerLink = nil
        return wasStartedByForeignQueue && phase == .idle
    }

    /// Whether a foreign queue waits for a step that was cancelled before its pipeline began it.
    var isAwaitedByForeignQueue: Bool { wasStartedByForeignQueue && isCancelled && phase == .idle }

    // MARK: An attempt's life

    enum BeginResult {
        /// The step belongs to a pipeline or was started, so it can't be started by hand.
        case refused
        case cancelled, first, again
    }

    /// Begins an attempt on this thread, unless the attempt or the step was stopped.
    mutating func begin(
        attempt number: UInt32, content bag: Content?, driver: (any StepDriver)?, index: Int,
        _ remains: inout StepRemains
    ) -> BeginResult {
        if driver == nil {
            remains.owner = owner
            // Without a driver this is a call of `start()`. A pipeline's step accepts it only to end after a
            // cancellation.
            guard phase == .idle, remains.owner == nil || isCancelled else {
                wasStartedByForeignQueue = phase == .idle
                return .refused
            }
        }
        indexNumber = Int32(clamping: index)
        // A stop can arrive before the attempt begins: the body then never runs.
        guard phase != .finished, !isStopped(number) else { return .cancelled }
        let isFirst = phase == .idle
        phase = .executing
        attempt = number
        if let bag { replaceContent(with: bag, &remains) }
        // The old driver may be the last reference to its pipeline: release it after unlock.
        remains.driver = self.driver
        self.driver = driver
        body = .onStack
        return isFirst ? .first : .again
    }

    /// Records that the body's call has returned; returns the end of the attempt, or nil if it is still missing.
    mutating func bodyReturned(_ end: AttemptEnd?, _ remains: inout StepRemains) -> AttemptEnd? {
        var end = end
        // `finish` was called on the stack: its end counts unless the body returned one itself.
        if case .finishedOnStack(let finished) = body {
            remains.end = finished
            if end == nil { end = finished }
        }
        guard let end else {
            if isLive { body = .away }
            return nil
        }
        bodyIsOver(&remains)
        return judged(end)
    }

    /// The result of a call of `finish`.
    enum FinishResult {
        /// The call has no effect: too late, or repeated.
        case ignored
        /// The end counts once the body returns, on the thread of the body.
        case whenBodyReturns
        case ended(AttemptEnd, attempt: UInt32, driver: (any StepDriver)?)
    }

    /// Ends the attempt with this number, or the live one.
    mutating func finish(
        _ number: UInt32?, error failure: (any Error)?, content bag: Content?, _ remains: inout StepRemains
    ) -> FinishResult {
        guard number == nil || number == attempt else { return .ignored }
        let end: AttemptEnd = failure.map { .failed($0, leaving: bag) } ?? .succeeded(bag ?? content)
        switch body {
        case .none, .finishedOnStack:
            return .ignored
        case .onStack:
            body = .finishedOnStack(end)
            return .whenBodyReturns
        case .away:
            let driver = driver
            bodyIsOver(&remains)
            return .ended(judged(end), attempt: attempt, driver: driver)
        }
    }

    private mutating func bodyIsOver(_ remains: inout StepRemains) {
        body = .none
        dropStopHandlers(&remains)
    }

    /// Returns an end after considering a cancellation, which an error of the body outranks.
    private func judged(_ end: AttemptEnd) -> AttemptEnd {
        switch end {
        case .succeeded(let bag) where isCancelled: .cancelled(bag)
        case .failed(let error, _) where error is CancellationError: .cancelled(nil)
        case .succeeded, .cancelled, .failed: end
        }
    }

    /// Ends the step, even if a body is still live; returns false if the step had ended.
    ///
    /// With `cancelling`, `remains.due` receives the handlers that stop the body.
    mutating func settle(
        content bag: Content?, error: (any Error)?, cancelling: Bool, _ remains: inout StepRemains
    ) -> Bool {
        guard phase != .finished else { return false }
        if cancelling {
            // Read by a live body through its context.
            isCancelled = true
            remains.due = stopHandlers
            stopHandlers = []
        }
        if let bag { replaceContent(with: bag, &remains) }
        self.error = error
        phase = .finished
        // A body that never ends retains its step: it must not retain the ended pipeline as well.
        remains.driver = driver
        driver = nil
        dropStopHandlers(&remains)
        return true
    }

    // MARK: Content

    /// Replaces the content, unless the step has ended.
    mutating func setContent(_ bag: Content, _ remains: inout StepRemains) {
        if phase != .finished { replaceContent(with: bag, &remains) }
    }

    /// Moves the content out for modification in place; an ended step keeps its content.
    mutating func takeContent() -> Content {
        let bag = content
        if phase != .finished { content = Content() }
        return bag
    }

    private mutating func replaceContent(with bag: Content, _ remains: inout StepRemains) {
        remains.content = content
        content = bag
    }

    private mutating func dropStopHandlers(_ remains: inout StepRemains) {
        guard !stopHandlers.isEmpty else { return }
        remains.stopHandlers += stopHandlers
        stopHandlers = []
    }

    // MARK: Stopping

    /// Returns whether an attempt was stopped, or was followed by another one.
    func isStopped(_ number: UInt32) -> Bool {
        isCancelled || number < attempt || number <= stoppedAttempt
    }

    /// Stops an attempt, or cancels the step if `number` is nil; returns the handlers to call once, after unlock.
    ///
    /// A late stop of an earlier attempt doesn't affect the current one.
    mutating func stop(attempt number: UInt32?) -> [@Sendable () -> Void] {
        if let number {
            guard number >= attempt else { return [] }
            // Future attempts: `number` may not have begun, so `begin` checks `stoppedAttempt`.
            stoppedAttempt = max(stoppedAttempt, number)
        } else {
            isCancelled = true
        }
        defer { stopHandlers = [] }
        return stopHandlers
    }

    /// Adds a handler for a stop of the attempt; returns false if the attempt was stopped and the handler must be
    /// called now.
    mutating func addStopHandler(_ number: UInt32, _ handler: @escaping @Sendable () -> Void) -> Bool {
        guard !isStopped(number) else { return false }
        // The handler of an ended attempt is dropped: it would never be called.
        if isLive, number == attempt { stopHandlers.append(handler) }
        return true
    }
}
