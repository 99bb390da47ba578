/// Where one step stands: a machine without threads, which the step keeps behind its lock.
///
/// An attempt's body is *live* until it has returned and, where it ends by `finish`, has been finished. Only
/// the live attempt can be ended, and only once.
struct StepState {
    enum Phase { case idle, executing, finished }

    /// The body of the latest attempt.
    private enum Body {
        /// It is over, or none has begun.
        case none
        /// The call that began it is on a thread's stack.
        case onStack
        /// It was finished while that call is still on the stack; the end counts once the call returns.
        indirect case finishedOnStack(AttemptEnd)
        /// The call has returned; its end is to come.
        case away
    }

    /// Who drives the step: its pipeline, kept alive for as long as the body is live and its end is expected.
    private(set) var driver: (any StepDriver)?
    /// The pipeline the step belongs to.
    private var ownerLink: PipelineLink?
    private(set) var content = Content()
    /// Set once and then replaced as a whole; nil for the defaults, which most steps have.
    var options: StepOptionsBox?
    private var stopHandlers: [@Sendable () -> Void] = []
    private var body = Body.none
    /// What the step has ended with.
    private(set) var error: (any Error)?

    private(set) var attempt: UInt32 = 0
    /// The latest attempt that was told to stop, which may not have begun.
    private var stoppedAttempt: UInt32 = 0
    private var indexNumber: Int32 = 0
    private(set) var phase = Phase.idle
    private(set) var isCancelled = false
    /// Whether somebody has made it depend on other operations.
    private(set) var hasDependencies = false
    /// Whether somebody else's queue started it while it belongs to a pipeline, and waits for its end.
    private var wasStartedInVain = false

    var index: Int { Int(indexNumber) }

    private var isLive: Bool { if case .none = body { false } else { true } }

    mutating func noteDependencies() { hasDependencies = true }

    // MARK: Belonging

    var owner: (any StepDriver)? { ownerLink?.pipeline }

    mutating func claim(for pipeline: PipelineLink, _ remains: inout StepRemains) -> PipelineError.Code? {
        if phase != .idle { return .stepAlreadyRun }
        remains.owner = owner
        if remains.owner != nil { return .stepInUse }
        ownerLink = pipeline
        return nil
    }

    /// Leaves that pipeline, if it belongs to no other by now; whether a queue waits for an end of which nobody takes care.
    mutating func release(from pipeline: PipelineLink) -> Bool {
        guard ownerLink === pipeline else { return false }
        ownerLink = nil
        return wasStartedInVain && phase == .idle
    }

    /// Whether a queue waits for the end of a step that is cancelled before its pipeline has begun it.
    var isAwaitedInVain: Bool { wasStartedInVain && isCancelled && phase == .idle }

    // MARK: An attempt's life

    enum BeginResult {
        /// A step that belongs to a pipeline, or has been started, can't be started by hand.
        case refused
        case cancelled, first, again
    }

    /// Begins an attempt on this thread, unless it or the step has been stopped.
    mutating func begin(
        attempt number: UInt32, content bag: Content?, driver: (any StepDriver)?, index: Int,
        _ remains: inout StepRemains
    ) -> BeginResult {
        if driver == nil {
            remains.owner = owner
            guard phase == .idle, remains.owner == nil || isCancelled else {
                wasStartedInVain = phase == .idle
                return .refused
            }
        }
        indexNumber = Int32(clamping: index)
        guard phase != .finished, !isStopped(number) else { return .cancelled }
        let isFirst = phase == .idle
        phase = .executing
        attempt = number
        if let bag { replaceContent(with: bag, &remains) }
        remains.driver = self.driver
        self.driver = driver
        body = .onStack
        return isFirst ? .first : .again
    }

    /// The thread that ran the body is back from it, with an end if the body was a plain function.
    mutating func bodyReturned(_ end: AttemptEnd?, _ remains: inout StepRemains) -> AttemptEnd? {
        var end = end
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

    /// What a call of `finish` comes to.
    enum FinishResult {
        /// Nothing: too late, or twice.
        case ignored
        /// It counts as soon as the body returns, on that thread.
        case whenBodyReturns
        case ended(AttemptEnd, attempt: UInt32, driver: (any StepDriver)?)
    }

    /// Ends the attempt of that number, or whichever is live.
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

    /// What an end counts as in view of a cancellation; an error of the body's own comes before that.
    private func judged(_ end: AttemptEnd) -> AttemptEnd {
        switch end {
        case .succeeded(let bag) where isCancelled: .cancelled(bag)
        case .failed(let error, _) where error is CancellationError: .cancelled(nil)
        case .succeeded, .cancelled, .failed: end
        }
    }

    /// The step's own end, whatever a body may still do; false if it had one.
    ///
    /// What it returns in the remains are the handlers of a body that is to be told to stop.
    mutating func settle(
        content bag: Content?, error: (any Error)?, cancelling: Bool, _ remains: inout StepRemains
    ) -> Bool {
        guard phase != .finished else { return false }
        if cancelling {
            isCancelled = true
            remains.due = stopHandlers
            stopHandlers = []
        }
        if let bag { replaceContent(with: bag, &remains) }
        self.error = error
        phase = .finished
        // A body that never ends must not keep for ever, by way of its step, the pipeline that has ended.
        remains.driver = driver
        driver = nil
        dropStopHandlers(&remains)
        return true
    }

    // MARK: Content

    /// Puts another bag in the place of the one at hand, unless the step has ended.
    mutating func setContent(_ bag: Content, _ remains: inout StepRemains) {
        if phase != .finished { replaceContent(with: bag, &remains) }
    }

    /// The bag, moved out so that it can be changed in place; it stays where it is once the step has ended.
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

    /// Whether an attempt was told to stop, or is over since another has begun.
    func isStopped(_ number: UInt32) -> Bool {
        isCancelled || number < attempt || number <= stoppedAttempt
    }

    /// Marks an attempt as stopped, or without a number the step as cancelled; what is returned is to be called, once.
    ///
    /// A stop that comes when another attempt has begun leaves that alone.
    mutating func stop(attempt number: UInt32?) -> [@Sendable () -> Void] {
        if let number {
            guard number >= attempt else { return [] }
            stoppedAttempt = max(stoppedAttempt, number)
        } else {
            isCancelled = true
        }
        defer { stopHandlers = [] }
        return stopHandlers
    }

    /// Adds a handler for when the attempt is stopped; false if it has been, and the handler is due at once.
    mutating func addStopHandler(_ number: UInt32, _ handler: @escaping @Sendable () -> Void) -> Bool {
        guard !isStopped(number) else { return false }
        if isLive, number == attempt { stopHandlers.append(handler) }
        return true
    }
}
