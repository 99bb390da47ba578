import Foundation
import SteplineEngine
public import SteplineRequests
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import struct Foundation.URLRequest
#endif

/// A transport without a network: it answers by rules and records the requests.
///
///     let transport = TransportDouble(clock: clock)
///     transport.on("GET", "https://example.com/a", .status(503), .text("hello"))
///     let urls = URLTaskManager(transport: transport)
///
/// The first matching rule applies. A request without a rule fails with an error that names the request.
///
/// A planned fault comes before the rules: it replaces the answer, also of a request without a rule, which then isn't
/// noticed. Only a truncation uses the rule, and is noticed without one. Faults count all requests of the double.
public final class TransportDouble: Transport {
    private struct Rule: Sendable {
        let fits: @Sendable (URLRequest) -> Bool
        let answer: @Sendable (URLRequest, Int) -> TransportAnswer
        var count = 0
    }

    private let clock: any StepClock
    private let faults: FaultPlan
    private let rules = Locked<[Rule]>([])
    private let recorded = Recorder<URLRequest>()
    private let stopped = Recorder<URLRequest>()

    /// Creates a double without rules.
    ///
    /// - Parameters:
    ///   - clock: The clock of the delays.
    ///   - faults: The network faults to inject, in addition to those of a simulation.
    public init(clock: any StepClock = .system, faults: [Fault] = []) {
        self.clock = clock
        self.faults = FaultPlan(faults)
    }

    // MARK: Rules

    /// Answers requests with a method and URL with successive responses; the last one is repeated.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The URL.
    ///   - answers: The responses; without any, no response is sent.
    public func on(_ method: String, _ url: String, _ answers: TransportAnswer...) {
        on { request in
            (request.httpMethod ?? "GET") == method && request.url?.absoluteString == url
        } answer: { _, number in
            answers.isEmpty ? .silence : answers[min(number, answers.count) - 1]
        }
    }

    /// Answers the requests that match a condition.
    ///
    /// - Parameters:
    ///   - fits: The condition.
    ///   - answer: Returns the response, given the request and the number of uses of this rule, from 1.
    public func on(
        _ fits: @escaping @Sendable (URLRequest) -> Bool,
        answer: @escaping @Sendable (_ request: URLRequest, _ number: Int) -> TransportAnswer
    ) {
        rules.withLock { $0.append(Rule(fits: fits, answer: answer)) }
    }

    // MARK: What happened

    /// All requests so far, in order, as interceptors changed them, with their bodies.
    public var requests: [URLRequest] { recorded.values }

    /// Waits until the given number of requests was sent in total.
    public func waitForRequests(_ count: Int = 1) async { await recorded.waitForCount(count) }

    /// Waits until the subscriptions of the given number of exchanges were cancelled, before or after their ends.
    package func waitForStops(_ count: Int = 1) async { await stopped.waitForCount(count) }

    // MARK: Sending

    /// Answers a request by the faults and rules, on worker threads.
    ///
    /// Cancelling the subscription withdraws a delayed answer. An event whose delivery has begun may still be received.
    public func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        var sent = request
        switch body {
        case .none: break
        case .data(let data): sent.httpBody = data
        case .file(let file): sent.httpBody = try? Data(contentsOf: file)
        }
        let exchange = DoubledExchange(receive)
        let answer = faulty(to: sent) ?? answer(to: sent)
        let begin: @Sendable () -> Void = { [sent] in
            Workers.shared.perform { _ in exchange.receive(answer, to: sent) }
        }
        var timer: Subscription?
        if answer.delay > .zero { timer = clock.schedule(after: answer.delay, begin) }
        // Recorded after the timer is set: a test that waits for the request can move the clock.
        recorded.record(sent)
        if timer == nil { begin() }
        return Subscription { [stopped, sent, timer] in
            timer?.cancel()
            exchange.stop()
            stopped.record(sent)
        }
    }

    /// Returns the response of a fault, which replaces the rules' response.
    private func faulty(to request: URLRequest) -> TransportAnswer? {
        let line = line(of: request)
        guard
            let fault = faults.fault(ofRequest: line) ?? Stages.current?.faults.fault(ofRequest: line)
        else { return nil }
        switch fault {
        case .reset: return .failure(Self.error(.networkConnectionLost, "the connection is lost on purpose"))
        case .refused:
            return .failure(Self.error(.cannotConnectToHost, "the connection is refused on purpose"))
        case .silence: return .silence
        case .status(let status): return .status(status)
        case .truncated(let count):
            let answer = answer(to: request)
            // A missing rule is a mistake of the test: the fault must not hide it.
            if case .failed(is UnexpectedRequest) = answer.end { return answer }
            return answer.dropping(after: count)
        }
    }

    /// Returns a network error whose text names the fault, so a reader of the test finds it.
    private static func error(_ code: URLError.Code, _ text: String) -> URLError {
        URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    private func line(of request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "no URL")"
    }

    private func answer(to request: URLRequest) -> TransportAnswer {
        // Rules are test code, so they are called without the lock.
        let rules = rules.withLock { $0 }
        guard let index = rules.firstIndex(where: { $0.fits(request) }) else {
            return .failure(UnexpectedRequest(request: line(of: request)))
        }
        let number = self.rules.withLock { rules in
            rules[index].count += 1
            return rules[index].count
        }
        return rules[index].answer(request, number)
    }
}

/// An exchange of a double, until it is stopped.
private final class DoubledExchange: Sendable {
    private let receiver: Locked<(@Sendable (TransportEvent) -> Void)?>

    init(_ receive: @escaping @Sendable (TransportEvent) -> Void) {
        receiver = Locked(receive)
    }

    private func notify(_ event: TransportEvent) { receiver.withLock { $0 }?(event) }

    func stop() {
        // Released after the lock.
        _ = receiver.withLock { receiver in
            defer { receiver = nil }
            return receiver
        }
    }

    /// Plays an answer, event by event.
    func receive(_ answer: TransportAnswer, to request: URLRequest) {
        switch answer.end {
        case .silent: break
        case .failed(let error): notify(.ended(error))
        case .whole:
            respond(answer, to: request)
            if !answer.body.isEmpty { notify(.bytes(answer.body)) }
            notify(.ended(nil))
        case .dropped(let count):
            if count >= 0 { respond(answer, to: request) }
            if count > 0 { notify(.bytes(answer.body.prefix(count))) }
            notify(.ended(URLError(.networkConnectionLost)))
        }
    }

    private func respond(_ answer: TransportAnswer, to request: URLRequest) {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
        else { return }
        notify(.response(response))
    }
}
