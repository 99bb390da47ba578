import Foundation
package import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One load on its way: the face that does what ``TransferState`` has decided.
///
/// Its end is told once, on the shared executor, so that what follows stalls no other transfer; a cancelled
/// transfer tells nothing.
package final class Transfer<Sink: TransferSink>: Sendable {
    package typealias End = Result<TransferResult<Sink.Value>, any Error>

    /// The most of a refused status's body that an error keeps.
    static var refusedBodyLimit: Int { 1 << 20 }

    private let state: Locked<TransferState>
    private let sink: Sink
    private let refusedBody: MemorySink
    private let transport: any Transport
    private let clock: any StepClock
    private let running = Locked(Running())
    private let report: @Sendable (TransferProgress) -> Void
    private let complete: @Sendable (End) -> Void

    private struct Running {
        var exchange: (number: Int, Subscription)?
        var timer: Subscription?
        var hasEnded = false
    }

    /// Makes a transfer; `refusedLimit` is how much of a refused status's body is kept in memory.
    package init(
        _ plan: TransferPlan, to sink: Sink, over transport: any Transport, clock: any StepClock,
        refusedLimit: Int? = nil, report: @escaping @Sendable (TransferProgress) -> Void,
        complete: @escaping @Sendable (End) -> Void
    ) {
        state = Locked(TransferState(plan))
        self.sink = sink
        refusedBody = MemorySink(limit: refusedLimit ?? plan.options.sizeLimit)
        self.transport = plan.transport(transport)
        self.clock = clock
        self.report = report
        self.complete = complete
    }

    /// Begins; the second time nothing happens.
    package func start() {
        let effects = state.withLock { $0.start(at: clock.uptime) }
        guard !effects.isEmpty else { return }
        TransferActivity.shared.began()
        perform(effects, isOnTransport: false)
    }

    /// Stops it: the connection is closed and all memory is let go, and nothing is told any more.
    package func cancel() {
        perform(state.withLock { $0.cancel() })
    }

    // MARK: What the transport tells

    private func happened(_ event: TransportEvent, in exchange: Int) {
        let time = clock.uptime
        switch event {
        case .sent(let count, let total):
            if state.withLock({ $0.sent(exchange, at: time) }) {
                report(TransferProgress(completed: count, total: total > 0 ? total : nil, isUpload: true))
            }
        case .response(let response):
            perform(state.withLock { $0.responded(exchange, response, at: time) })
        case .bytes(let bytes):
            take(bytes, in: exchange, at: time)
        case .ended(let error):
            perform(state.withLock { $0.exchangeEnded(exchange, error, at: time) })
        }
    }

    private func take(_ bytes: Data, in exchange: Int, at time: Duration) {
        let (verdict, isRefused, progress) = state.withLock { state in
            let verdict = state.received(exchange, bytes.count, at: time)
            let progress = TransferProgress(completed: state.completed, total: state.total, isUpload: false)
            return (verdict, state.isRefused, progress)
        }
        switch verdict {
        case .ignore:
            break
        case .keep where isRefused:
            refusedBody.write(bytes)
        case .keep:
            do {
                try sink.write(bytes)
                report(progress)
            } catch {
                perform(state.withLock { $0.storingFailed(exchange, error) })
            }
        case .stop(let effects):
            perform(effects)
        }
    }

    // MARK: Doing

    private func perform(_ effects: TransferEffects, isOnTransport: Bool = true) {
        for effect in effects {
            switch effect {
            case .begin(let request, let body, let exchange) where isOnTransport:
                // The transport must not be called by what it calls.
                runElsewhere { self.begin(request, body, exchange) }
            case .begin(let request, let body, let exchange):
                begin(request, body, exchange)
            case .arm(let delay):
                arm(delay)
            case .receive(let response, let isRefused, let expected):
                receive(response, isRefused: isRefused, expected: expected)
            case .stop:
                stop()
            case .discard:
                sink.discard()
                refusedBody.discard()
            case .store(let isRefused):
                runElsewhere { self.store(isRefused: isRefused) }
            case .ended:
                TransferActivity.shared.ended()
            case .fail(let error):
                runElsewhere { self.complete(.failure(error)) }
            }
        }
    }

    private func begin(_ request: URLRequest, _ body: TransportBody, _ exchange: Int) {
        let isWanted = state.withLock { $0.phase == .running && $0.exchange == exchange }
        guard isWanted else { return }
        let subscription = send(request, body) { [self] event in happened(event, in: exchange) }
        let unwanted: Subscription? = running.withLock { running in
            // A quick answer may have led to the next exchange before this line is reached.
            guard !running.hasEnded, running.exchange.map({ $0.number < exchange }) ?? true else {
                return subscription
            }
            defer { running.exchange = (exchange, subscription) }
            return running.exchange?.1
        }
        unwanted?.end()
    }

    private func send(
        _ request: URLRequest, _ body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        guard let flow = sink.flow, let transport = transport as? any FlowingTransport else {
            return transport.send(request, body: body, receive)
        }
        return transport.send(request, body: body, flow: flow, receive)
    }

    private func receive(_ response: URLResponse, isRefused: Bool, expected: Int64?) {
        let exchange = state.withLock { $0.exchange }
        do {
            if isRefused {
                refusedBody.begin(response, expected: expected)
            } else {
                try sink.begin(response, expected: expected)
                let base = sink.base
                if base > 0 { perform(state.withLock { $0.ready(exchange, base: base) }) }
            }
        } catch let restart as TransferRestart {
            perform(state.withLock { $0.restart(exchange, without: restart.headers) })
        } catch {
            perform(state.withLock { $0.storingFailed(exchange, error) })
        }
    }

    private func arm(_ delay: Duration) {
        let timer = clock.schedule(after: delay) { [weak self] in
            guard let self else { return }
            let isHeld = sink.flow?.isHeld ?? false
            perform(state.withLock { $0.timerFired(at: self.clock.uptime, isHeld: isHeld) })
        }
        let unwanted = running.withLock { running in
            guard !running.hasEnded else { return true }
            running.timer = timer
            return false
        }
        if unwanted { timer.end() }
    }

    private func stop() {
        let (exchange, timer) = running.withLock { running in
            running.hasEnded = true
            defer {
                running.exchange = nil
                running.timer = nil
            }
            return (running.exchange?.1, running.timer)
        }
        exchange?.end()
        timer?.end()
    }

    private func store(isRefused: Bool) {
        let (response, refusal) = state.withLock { ($0.response, $0.refusal) }
        let end: End
        do {
            if isRefused {
                sink.discard()
                let body = refusedBody.finish()
                let error = refusal(Data(body.prefix(Self.refusedBodyLimit)))
                throw RefusedStatus(error: error, body: body)
            }
            guard let response else { return }
            end = .success(TransferResult(value: try sink.finish(), response: response))
        } catch let refused as RefusedStatus {
            end = .failure(refused)
        } catch {
            sink.discard()
            end = .failure(state.withLock { $0.storageError(error) })
        }
        guard state.withLock({ $0.claimEnd() }) else { return }
        TransferActivity.shared.ended()
        complete(end)
    }

    private func runElsewhere(_ work: @escaping @Sendable () -> Void) {
        SharedExecutor.shared.enqueue(ClosureJob(work))
    }
}
