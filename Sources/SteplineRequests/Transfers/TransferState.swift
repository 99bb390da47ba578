import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Where a transfer stands: a machine that decides and does nothing.
///
/// A transfer is one exchange, or several if redirects are followed or a download starts afresh; each has a
/// number, and what an earlier one still tells changes nothing. Times are readings of the clock's `uptime`.
struct TransferState {
    enum Phase { case ready, running, storing, ended }

    /// What becomes of the body that is on its way.
    enum Fate {
        /// No response yet.
        case unknown
        /// It is what was asked for.
        case wanted
        /// It is a refused status's, kept for the error.
        case refused
        /// It is a redirect's, which is followed when the exchange ends.
        case redirect(URLRequest, keepsBody: Bool)
    }

    /// What time-outs are told of.
    enum Stage { case waiting, begun, connecting, answering, receiving }

    /// How many bytes of a redirect's body are waited for, so that its connection can be used again.
    private static let redirectLimit: Int64 = 64 << 10

    let plan: TransferPlan
    let isRunningOnHTTP: Bool

    var phase = Phase.ready
    var exchange = 0
    var redirects = 0
    /// The request under way.
    var request: URLRequest
    var body: TransportBody
    var fate = Fate.unknown
    var response: URLResponse?
    var received: Int64 = 0
    /// How many bytes there were before this response.
    var base: Int64 = 0
    /// How many bytes were announced; nil if unknown, or if they are counted otherwise than they arrive.
    var expected: Int64?
    var startedAt = Duration.zero
    var lastActivity = Duration.zero
    /// How far the exchange has come.
    private(set) var stage = Stage.waiting

    init(_ plan: TransferPlan) {
        self.plan = plan
        request = plan.request
        body = plan.body
        let scheme = plan.request.url?.scheme?.lowercased()
        isRunningOnHTTP = scheme == "http" || scheme == "https"
    }

    var options: LoadOptions { plan.options }
    /// How many bytes there are, those from before included.
    var completed: Int64 { sum(received, base) }
    /// How many there will be.
    var total: Int64? { expected.map { sum($0, base) } }
    var http: HTTPURLResponse? { response as? HTTPURLResponse }

    // MARK: Events

    mutating func start(at time: Duration) -> TransferEffects {
        guard phase == .ready else { return [] }
        phase = .running
        startedAt = time
        lastActivity = time
        return begin()
    }

    /// The request with its changed headers is sent anew, as if nothing had come.
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

    /// The exchange begins, having waited its turn, which counts for no time-out; nil if it isn't wanted any more.
    ///
    /// `tellsStages` says whether it will be told when there is a connection.
    mutating func began(_ number: Int, tellsStages: Bool, at time: Duration) -> TransferEffects? {
        guard phase == .running, number == exchange, stage == .waiting else { return nil }
        startedAt += time - lastActivity
        lastActivity = time
        stage = tellsStages ? .connecting : .begun
        return [.arm(untilDeadline(at: time))]
    }

    /// A sign of life before the response.
    mutating func heard(_ number: Int, _ sign: TransportStage, at time: Duration) {
        guard phase == .running, number == exchange else { return }
        lastActivity = time
        if stage == .connecting { stage = .answering }
    }

    mutating func sent(_ number: Int, at time: Duration) -> Bool {
        guard phase == .running, number == exchange else { return false }
        lastActivity = time
        return true
    }

    /// `isAccepted` is what the policy says of the status, which is a user's code and asked before the lock; so is where
    /// the request holds secrets, which may not follow a redirect anywhere.
    mutating func responded(
        _ number: Int, _ response: URLResponse, isAccepted: Bool, secrets: RequestSecrets, at time: Duration
    ) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        let status = (response as? HTTPURLResponse)?.statusCode
        if let status, (100..<200).contains(status) {
            // An interim answer says nothing about the one that follows, but that there is a connection.
            heard(number, .head, at: time)
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
                fate = .wanted
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
        fate = .wanted
        return [.receive(response, isRefused: false, expected: expected)]
    }

    /// Whether a status says how what is there already stands, and is not for the policy to judge.
    private func isAnswerToCondition(_ status: Int?) -> Bool {
        status == 416 && plan.isResuming && request.value(forHTTPHeaderField: "Range") != nil
            || status == 304 && plan.isRevalidating
    }

    /// Whether a status is a success: a part, and that nothing has changed, only if the request asked for that.
    private func isSuccess(_ status: Int, _ isAccepted: Bool) -> Bool {
        func asks(_ names: [String]) -> Bool {
            names.contains { request.value(forHTTPHeaderField: $0) != nil }
        }
        switch status {
        case _ where !isAccepted: return false
        case _ where options.status.takesAll: return true
        case 206: return asks(["Range"])
        case 304: return asks(["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"])
        default: return true
        }
    }

    /// What is to be done with bytes that have come.
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
            // The rest of what nobody reads would only take its time.
            return received > Self.redirectLimit ? .stop(follow(next, keepsBody: keepsBody)) : .ignore
        case .wanted:
            return completed > Int64(options.mostBytes) ? .stop(fail(tooLarge)) : .keep
        case .refused:
            // Whoever is told no more than that has been told enough.
            return received > Int64(options.mostBytes) ? .stop(finish()) : .keep
        }
    }

    /// The sink is ready for the body of a response.
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
        // Of a 3xx that leads nowhere Linux drops the body.
        let isBodyless = http.map { (300..<400).contains($0.statusCode) } ?? false
        if let expected, received < expected, !isBodyless { return fail(truncated(nil)) }
        return finish()
    }

    /// `isHeld` says that the peer may be silent because it is held back.
    mutating func timerFired(at time: Duration, isHeld: Bool = false) -> TransferEffects {
        // Whoever waits in line hasn't been sent; the time is looked at again from its begin.
        guard phase == .running, stage != .waiting else { return [] }
        if isHeld { lastActivity = time }
        if time - startedAt >= options.totalTimeout { return fail(timedOut(in: .total)) }
        if time - lastActivity >= plan.idleTimeout { return fail(timedOut(in: silentPhase)) }
        return [.arm(untilDeadline(at: time))]
    }

    /// Whoever asked for it doesn't want it any more.
    mutating func cancel() -> TransferEffects {
        guard phase != .ended else { return [] }
        let wasReady = phase == .ready
        phase = .ended
        return wasReady ? [] : [.stop, .discard, .ended]
    }

    /// What was received couldn't be stored.
    mutating func storingFailed(_ number: Int, _ error: any Error) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        return fail(storageError(error))
    }

    /// All is stored; false if it isn't wanted any more.
    mutating func claimEnd() -> Bool {
        guard phase == .storing else { return false }
        phase = .ended
        return true
    }

    // MARK: Ends

    private mutating func finish() -> TransferEffects {
        phase = .storing
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

/// A sum of what a peer says that can't overflow.
private func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, hasOverflowed) = one.addingReportingOverflow(other)
    return hasOverflowed ? .max : sum
}

/// What is to be done after an event, once the lock is released, in this order.
package typealias TransferEffects = [TransferEffect]

package enum TransferEffect {
    case begin(URLRequest, TransportBody, exchange: Int)
    case arm(Duration)
    case receive(URLResponse, isRefused: Bool, expected: Int64?)
    /// The exchange is to be stopped, and the timer with it.
    case stop
    /// What has been received is to be thrown away.
    case discard
    /// What has been received is complete, and is to be made the result.
    case store(isRefused: Bool)
    /// The transfer doesn't run any more.
    case ended
    case fail(any Error)
}
