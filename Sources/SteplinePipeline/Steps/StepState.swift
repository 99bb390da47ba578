/// Where one step stands: a machine without threads, which the step keeps behind its lock.
///
/// An attempt's body is *live* until it has returned and, where it ends by `finish`, has been finished. Only
/// the live attempt can be ended, and only once.
struct StepState {
    enum Phase { case idle, executing, finished }

    private enum Ending {
        case none
        /// The step has ended with this error.
        case failed(any Error)
        /// The attempt has an end that waits for the body to return; the step itself may have one already.
        indirect case pending(AttemptEnd, error: (any Error)?)

        var error: (any Error)? {
            switch self {
            case .none: nil
            case .failed(let error): error
            case .pending(_, let error): error
            }
        }
    }

    /// Who drives the step: its pipeline, kept alive for as long as the body is live and its end is expected.
    private(set) var driver: Pipeline?
    /// The pipeline the step belongs to.
    private var ownerLink: PipelineLink?
    private(set) var content = Content()
    /// Set once and then replaced as a whole; nil for the defaults, which most steps have.
    var options: StepOptionsBox?
    private var stopHandlers: [@Sendable () -> Void] = []
    private var ending = Ending.none

    private(set) var phase = Phase.idle
    private var flags = StepFlags()
    /// The latest attempt that was told to stop, which may not have begun.
    private var stoppedAttempt: Int32 = 0
    private var attemptNumber: Int32 = 0
    private var indexNumber: Int32 = 0

    /// Whether the attempt's body hasn't come to its end.
    private(set) var isLive: Bool {
        get { flags[.live] }
        set { flags[.live] = newValue }
    }

    /// What the operation's own flag says, where the step can see it together with the rest.
    private(set) var isCancelled: Bool {
        get { flags[.cancelled] }
        set { flags[.cancelled] = newValue }
    }

    /// What the step has ended with.
    private(set) var error: (any Error)? {
        get { ending.error }
        set {
            if case .pending(let end, _) = ending {
                ending = .pending(end, error: newValue)
            } else {
                ending = newValue.map { .failed($0) } ?? .none
            }
        }
    }

    var attempt: Int { Int(attemptNumber) }
    var index: Int { Int(indexNumber) }

    // MARK: Belonging

    var owner: Pipeline? { ownerLink?.pipeline }

    mutating func claim(for pipeline: PipelineLink, _ remains: inout StepRemains) -> PipelineError.Code? {
        if phase != .idle { return .stepAlreadyRun }
        remains.owner = owner
        if remains.owner != nil { return .stepInUse }
        ownerLink = pipeline
        return nil
    }

    mutating func release() { ownerLink = nil }

    /// Whether a queue waits for the end of a step that is cancelled before its pipeline has begun it.
    var isAwaitedInVain: Bool { flags[.startedInVain] && isCancelled && phase == .idle }

    // MARK: An attempt's life

    enum BeginResult {
        /// A step that belongs to a pipeline, or has been started, can't be started by hand.
        case refused
        case cancelled, first, again
    }

    /// Begins an attempt on this thread, unless it or the step has been stopped.
    mutating func begin(
        attempt number: Int, content bag: Content, driver: Pipeline?, index: Int,
        _ remains: inout StepRemains
    ) -> BeginResult {
        if driver == nil {
            remains.owner = owner
            guard phase == .idle, remains.owner == nil || isCancelled else {
                flags[.startedInVain] = phase == .idle
                return .refused
            }
        }
        indexNumber = Int32(clamping: index)
        guard !isStopped(number) else { return .cancelled }
        let isFirst = phase == .idle
        phase = .executing
        attemptNumber = Int32(clamping: number)
        replaceContent(with: bag, &remains)
        self.driver = driver
        isLive = true
        flags[.onStack] = true
        ending = .none
        return isFirst ? .first : .again
    }

    /// The thread that ran the body is back from it, with an end if the body was a plain function.
    mutating func bodyReturned(_ end: AttemptEnd?, _ remains: inout StepRemains) -> AttemptEnd? {
        flags[.onStack] = false
        guard let end = end ?? takePendingEnd() else { return nil }
        isLive = false
        dropStopHandlers(&remains)
        return judged(end)
    }

    private mutating func takePendingEnd() -> AttemptEnd? {
        guard case .pending(let end, let error) = ending else { return nil }
        ending = error.map { .failed($0) } ?? .none
        return end
    }

    /// What a call of `finish` comes to.
    enum FinishResult {
        /// Nothing: too late, or twice.
        case ignored
        /// It counts as soon as the body returns, on that thread.
        case whenBodyReturns
        case ended(AttemptEnd, driver: Pipeline?)
        /// Nobody expects it any more: the step has its end already.
        case late
    }

    /// Ends the attempt of that number, or whichever is live.
    mutating func finish(
        _ number: Int?, error failure: (any Error)?, content bag: Content?, _ remains: inout StepRemains
    ) -> FinishResult {
        guard isLive, number == nil || number == attempt else { return .ignored }
        if case .pending = ending { return .ignored }
        let end: AttemptEnd = failure.map { .failed($0, leaving: bag) } ?? .succeeded(bag ?? content)
        guard !flags[.onStack] else {
            ending = .pending(end, error: error)
            return .whenBodyReturns
        }
        isLive = false
        dropStopHandlers(&remains)
        return flags[.settledEarly] ? .late : .ended(judged(end), driver: driver)
    }

    /// What an end counts as in view of a cancellation; an error of the body's own comes before that.
    private func judged(_ end: AttemptEnd) -> AttemptEnd {
        switch end {
        case .succeeded(let bag) where isCancelled: .cancelled(bag)
        case .failed(let error, _) where error is CancellationError: .cancelled(nil)
        case .succeeded, .cancelled, .failed: end
        }
    }

    /// The step's own end.
    ///
    /// One whose body is still live counts as executing until it returns.
    mutating func settle(
        content bag: Content, error: (any Error)?, _ remains: inout StepRemains
    ) -> Bool {
        guard !hasResult else { return false }
        replaceContent(with: bag, &remains)
        self.error = error
        guard !isLive else {
            flags[.settledEarly] = true
            // A body that never ends must not keep for ever, by way of its step, the pipeline that has.
            remains.driver = driver
            driver = nil
            return false
        }
        return becomeFinished(&remains)
    }

    /// A body of which nobody expects anything any more has ended; tells whether that finishes the step.
    mutating func lateBodyEnded(_ remains: inout StepRemains) -> Bool {
        flags[.settledEarly] && !isLive && becomeFinished(&remains)
    }

    private mutating func becomeFinished(_ remains: inout StepRemains) -> Bool {
        guard phase != .finished else { return false }
        phase = .finished
        remains.driver = driver
        driver = nil
        dropStopHandlers(&remains)
        return true
    }

    // MARK: Content

    /// Puts another bag in the place of the one at hand, unless the step has ended.
    mutating func setContent(_ bag: Content, _ remains: inout StepRemains) {
        if !hasResult { replaceContent(with: bag, &remains) }
    }

    /// Whether what the step holds is what it ended with.
    private var hasResult: Bool { phase == .finished || flags[.settledEarly] }

    /// The bag, moved out so that it can be changed in place; it stays where it is once the step has ended.
    mutating func takeContent() -> Content {
        let bag = content
        if !hasResult { content = Content() }
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
    func isStopped(_ number: Int) -> Bool {
        isCancelled || number < attempt || number <= stoppedAttempt
    }

    /// Marks an attempt as stopped, or without a number the step as cancelled; the handlers returned are to be
    /// called, once.
    mutating func stop(attempt number: Int?) -> [@Sendable () -> Void] {
        if let number { stoppedAttempt = Int32(clamping: number) } else { isCancelled = true }
        defer { stopHandlers = [] }
        return stopHandlers
    }

    /// Adds a handler for when the attempt is stopped; false if it has been, and the handler is due at once.
    mutating func addStopHandler(_ number: Int, _ handler: @escaping @Sendable () -> Void) -> Bool {
        guard !isStopped(number) else { return false }
        if isLive, number == attempt { stopHandlers.append(handler) }
        return true
    }
}
