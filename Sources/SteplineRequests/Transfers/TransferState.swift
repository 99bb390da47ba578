import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The decisions of a transfer, as a value.
///
/// A transfer is one exchange, or several: after redirects, or if a download starts again. Events of an earlier
/// exchange are ignored. Phases: ready, running, storing (the sink builds the result), ended. Times are readings of
/// `uptime`.
struct TransferState {
    enum Phase { case ready, running, storing, ended }

    /// The use of the body that is being received.
    enum Fate {
        /// No response has arrived.
        case unknown
        /// The requested body.
        case accepted
        /// The body of a failed status, stored for the error.
        case refused
        /// The body of a redirect, which is followed at the end of the exchange.
        case redirect(URLRequest, keepsBody: Bool)
    }

    /// The progress of an exchange, for time limits.
    enum Stage { case waiting, begun, connecting, answering, receiving }

    /// The maximum number of bytes of a redirect's body that are received to keep the connection usable.
    private static let redirectLimit: Int64 = 64 << 10

    let plan: TransferPlan
    let isRunningOnHTTP: Bool

    var phase = Phase.ready
    var exchange = 0
    var redirects = 0
    /// The current request.
    var request: URLRequest
    var body: TransportBody
    var fate = Fate.unknown
    var response: TransferResponse?
    var received: Int64 = 0
    /// The number of bytes before this response.
    var base: Int64 = 0
    /// The announced number of bytes; nil if unknown or not comparable.
    var expected: Int64?
    var startedAt = Duration.zero
    var lastActivity = Duration.zero
    /// The progress of the current exchange.
    private(set) var stage = Stage.waiting

    init(_ plan: TransferPlan) {
        self.plan = plan
        request = plan.request
        body = plan.body
        let scheme = plan.request.url?.scheme?.lowercased()
        isRunningOnHTTP = scheme == "http" || scheme == "https"
    }

    var options: LoadOptions { plan.options }
    /// The number of bytes, including those before this response.
    var completed: Int64 { sum(received, base) }
    /// The expected number of bytes.
    var total: Int64? { expected.map { sum($0, base) } }

    // MARK: Events

    mutating func start(at time: Duration) -> TransferEffects {
        guard phase == .ready else { return [] }
        phase = .running
        startedAt = time
        lastActivity = time
        return begin()
    }

    /// Sends the request again with its changed headers, from the initial state.
    mutating func begin() -> TransferEffects {
        exchange += 1
        stage = .waiting
        fate = .unknown
        response = nil
        received = 0
        base = 0
        expected = nil
        return [.begin(request, body, exchange: exchange)]
    }

    /// Begins an exchange after its wait in the host's queue, which counts for no time limit.
    ///
    /// Returns nil if the exchange isn't wanted any more. `tellsStages` is true if the transport reports the
    /// connection.
    mutating func began(_ number: Int, tellsStages: Bool, at time: Duration) -> TransferEffects? {
        guard phase == .running, number == exchange, stage == .waiting else { return nil }
        // Shift the begin by the wait: the total limit excludes the time in the queue.
        startedAt += time - lastActivity
        lastActivity = time
        stage = tellsStages ? .connecting : .begun
        return [.arm(untilDeadline(at: time))]
    }

    /// Handles a sign of life before the response.
    mutating func note(_ number: Int, _ sign: TransportStage, at time: Duration) {
        guard phase == .running, number == exchange else { return }
        lastActivity = time
        // Without the transport's stages the exchange began as `begun`, which later signs leave unchanged.
        if stage == .connecting { stage = .answering }
    }

    mutating func sent(_ number: Int, at time: Duration) -> Bool {
        guard phase == .running, number == exchange else { return false }
        lastActivity = time
        return true
    }

    /// Handles a response; `isAccepted` and `secrets` come from user code, computed before the lock was taken.
    mutating func responded(
        _ number: Int, _ response: TransferResponse, isAccepted: Bool, secrets: RequestSecrets,
        at time: Duration
    ) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        let status = response.status
        if let status, (100..<200).contains(status) {
            // An interim response only shows that the connection is alive.
            note(number, .head, at: time)
            return []
        }
        lastActivity = time
        stage = .receiving
        self.response = response
        received = 0
        base = 0
        expected = announcedLength(of: response)
        do {
            if let next = try redirect(response, secrets) {
                fate = next
                return []
            }
            if isAnswerToCondition(status) {
                fate = .accepted
                return [.receive(response, isRefused: false, expected: expected)]
            }
            if let status, !isSuccess(status, isAccepted) {
                fate = .refused
                return [.receive(response, isRefused: true, expected: expected)]
            }
            try checkType(of: response)
            if let expected, expected > Int64(options.mostBytes) { throw tooLarge }
        } catch {
            return fail(error)
        }
        fate = .accepted
        return [.receive(response, isRefused: false, expected: expected)]
    }

    /// Returns whether a status answers a conditional request, independent of the status policy.
    private func isAnswerToCondition(_ status: Int?) -> Bool {
        status == 416 && plan.isResuming && request.value(forHTTPHeaderField: "Range") != nil
            || status == 304 && plan.isRevalidating
    }

    /// Returns whether a status is a success; 206 and 304 only if the request asked for them.
    private func isSuccess(_ status: Int, _ isAccepted: Bool) -> Bool {
        func asks(_ names: [String]) -> Bool {
            names.contains { request.value(forHTTPHeaderField: $0) != nil }
        }
        switch status {
        case _ where !isAccepted: return false
        case _ where options.status.takesAll: return true
        // Unrequested, a partial or empty body would pass for the whole resource.
        case 206: return asks(["Range"])
        case 304: return asks(["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"])
        default: return true
        }
    }

    /// The action for received bytes.
    enum Bytes {
        case ignore, keep
        case stop(TransferEffects)
    }

    mutating func received(_ number: Int, _ count: Int, at time: Duration) -> Bytes {
        guard phase == .running, number == exchange else { return .ignore }
        lastActivity = time
        received = sum(received, Int64(count))
        switch fate {
        case .unknown:
            return .ignore
        case .redirect(let next, let keepsBody):
            // Stop reading a long redirect body: a new connection costs less.
            return received > Self.redirectLimit ? .stop(follow(next, keepsBody: keepsBody)) : .ignore
        case .accepted:
            return completed > Int64(options.mostBytes) ? .stop(fail(tooLarge)) : .keep
        case .refused:
            // The limit of the failed status's body is reached: report the error now.
            return received > Int64(options.mostBytes) ? .stop(finish()) : .keep
        }
    }

    /// Handles the sink's readiness for a response's body.
    mutating func ready(_ number: Int, base: Int64) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        self.base = base
        guard let total, total > Int64(options.mostBytes) else { return [] }
        return fail(tooLarge)
    }

    mutating func exchangeEnded(_ number: Int, _ error: (any Error)?, at time: Duration) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        lastActivity = time
        if let error { return fail(failure(error)) }
        if case .redirect(let next, let keepsBody) = fate {
            return follow(next, keepsBody: keepsBody)
        }
        guard response != nil else {
            return fail(make(.connection, "the connection ended without a response"))
        }
        // For a 3xx without a redirect, Linux drops the body.
        let isBodyless = response?.status.map { (300..<400).contains($0) } ?? false
        if let expected, received < expected, !isBodyless { return fail(truncated(nil)) }
        return finish()
    }

    /// Handles the timer; `isHeld` means that this side holds the peer back.
    mutating func timerFired(at time: Duration, isHeld: Bool = false) -> TransferEffects {
        // In the host's queue no request was sent; the limit begins with the exchange.
        guard phase == .running, stage != .waiting else { return [] }
        // A peer that is held back can't send, so its silence doesn't count.
        if isHeld { lastActivity = time }
        if time - startedAt >= options.totalTimeout { return fail(timedOut(in: .total)) }
        if time - lastActivity >= plan.idleTimeout { return fail(timedOut(in: silentPhase)) }
        // Activity has moved the idle limit since the timer was set: events set no timer.
        return [.arm(untilDeadline(at: time))]
    }

    /// Cancels the transfer, also during the storing: ``claimEnd()`` then returns false, and the result is dropped.
    mutating func cancel() -> TransferEffects {
        guard phase != .ended else { return [] }
        let wasReady = phase == .ready
        phase = .ended
        // Before its start a transfer has no exchange and no timer, and was not counted as active.
        return wasReady ? [] : [.stop, .discard, .ended]
    }

    /// Handles an error of the sink.
    mutating func storingFailed(_ number: Int, _ error: any Error) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        return fail(storageError(error))
    }

    /// Claims the end after the storing; returns false if the transfer was cancelled meanwhile.
    mutating func claimEnd() -> Bool {
        guard phase == .storing else { return false }
        phase = .ended
        return true
    }

    // MARK: Ends

    private mutating func finish() -> TransferEffects {
        phase = .storing
        // `stop` first: storing may take long, and must not keep the host's place.
        if case .refused = fate { return [.stop, .store(isRefused: true)] }
        return [.stop, .store(isRefused: false)]
    }

    mutating func fail(_ error: any Error) -> TransferEffects {
        phase = .ended
        return [.stop, .discard, .ended, .fail(error)]
    }

    private func untilDeadline(at time: Duration) -> Duration {
        min(lastActivity + plan.idleTimeout, startedAt + options.totalTimeout) - time
    }
}

/// Adds two values from a peer without overflow.
private func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, hasOverflowed) = one.addingReportingOverflow(other)
    return hasOverflowed ? .max : sum
}

/// The effects of an event, to perform in this order after unlock.
package typealias TransferEffects = [TransferEffect]

package enum TransferEffect {
    case begin(URLRequest, TransportBody, exchange: Int)
    case arm(Duration)
    case receive(TransferResponse, isRefused: Bool, expected: Int64?)
    /// Stop the exchange and the timer.
    case stop
    /// Discard the received bytes.
    case discard
    /// Build the result of the complete body.
    case store(isRefused: Bool)
    /// The transfer is no longer active.
    case ended
    case fail(any Error)
}
