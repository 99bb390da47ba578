import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A load without the type of its result: performs the effects of its ``TransferState``.
///
/// `send` of the engine runs a transaction, `send` of the transport sends a request. `tell`, `tellInTime` and `ask` of
/// ``TransferMachine`` pass an event to the state: with effects, with effects if it isn't too late, or with a result.
///
/// The transport's threads call `happened`, the clock's thread fires the time limit, and any thread may cancel. A
/// worker reports the end, once; with `endsOnTransport` the transport's thread reports a success, which saves the
/// wake-up of a worker. A cancelled transfer reports no end. `running` has a lock of its own: a fast response
/// may start the next exchange before the first subscription is stored.
///
/// The class isn't generic: each transaction would then look up its types as it runs.
final class TransferCore: EngineFace {
    /// The maximum number of stored bytes of a failed status's body; further bytes are dropped.
    static let refusedBodyLimit = 1 << 20

    let engine: Engine<TransferMachine>
    let engineClock: EngineClock
    private let plan: TransferPlan
    private let sink: any TransferSink
    private let refusedBody: MemorySink
    private let transport: any Transport
    /// The transport, if it supports further parameters.
    private let tuned: (any TunedTransport)?
    private let running = Locked(Running())
    /// The watch of the wait in the host's queue.
    private let line: LineWatch?
    private let report: @Sendable (TransferProgress) -> Void
    private let finish: Finish
    private let fail: @Sendable (any Error) -> Void
    private let endsOnTransport: Bool
    /// The task-local values of the code that makes the transfer, for the user's transport.
    private let values = PropagatedValues.current

    private struct Running {
        var exchange: (number: Int, Subscription)?
        /// The place of an exchange in its host's queue, or at the host.
        var pass: (number: Int, HostPass)?
        var hasEnded = false
    }

    /// Completes the sink, and returns the call that reports the result.
    typealias Finish = @Sendable (TransferResponse) throws -> @Sendable () -> Void

    init(
        _ plan: TransferPlan, to sink: any TransferSink, over transport: any Transport, clock: any StepClock,
        endsOnTransport: Bool, report: @escaping @Sendable (TransferProgress) -> Void,
        finish: @escaping Finish, fail: @escaping @Sendable (any Error) -> Void
    ) {
        engine = Engine(TransferMachine(plan))
        engineClock = EngineClock(clock)
        self.plan = plan
        self.sink = sink
        refusedBody = MemorySink(limit: Self.refusedBodyLimit)
        self.transport = plan.transport(transport, sink.flow)
        tuned = self.transport as? any TunedTransport
        line = LineWatch(plan.options.lineWatch)
        self.report = report
        self.finish = finish
        self.fail = fail
        self.endsOnTransport = endsOnTransport
    }

    func start() {
        // Only a shortcut: of two concurrent calls, `TransferState.start` ignores the second.
        guard engine.read({ $0.state.phase == .ready }) else { return }
        tell(isOnTransport: false) { $0.start(at: $1) }
    }

    func cancel() {
        tell { state, _ in state.cancel() }
    }

    private func tell(
        isOnTransport: Bool = true, _ event: (inout TransferState, _ time: Duration) -> TransferEffects
    ) {
        send { machine, turn in machine.tell(&turn, isOnTransport: isOnTransport, event) }
    }

    // MARK: What the transport tells

    private func happened(_ event: TransportEvent, in exchange: Int) {
        switch event {
        case .sent(let count, let total):
            if send({ machine, turn in machine.ask(&turn) { $0.sent(exchange, at: $1) } }) {
                report(TransferProgress(completed: count, total: total > 0 ? total : nil, isUpload: true))
            }
        case .response(let response): responded(TransferResponse(response), in: exchange)
        case .bytes(let bytes):
            take(bytes, in: exchange)
        case .ended(let error):
            leaveLine(exchange)
            tell { $0.exchangeEnded(exchange, error, at: $1) }
        }
    }

    private func responded(_ response: TransferResponse, in exchange: Int) {
        let status = response.status
        // The status policy and the search for secrets are user code: called before the lock is taken.
        let isAccepted = status.map(plan.options.status.isSuccess) ?? true
        // Only a redirect can lead a secret to another origin: other statuses need no search.
        let mayLead = status.map { (300..<400).contains($0) } ?? false
        let secrets = mayLead ? plan.options.secrets(of: plan.request, plan.body) : RequestSecrets()
        tell {
            $0.responded(exchange, response, isAccepted: isAccepted, secrets: secrets, at: $1)
        }
    }

    private func take(_ bytes: Data, in exchange: Int) {
        let (isKept, isRefused, progress) = send { machine, turn in
            var isKept = false
            machine.tell(&turn) { state, time in
                switch state.received(exchange, bytes.count, at: time) {
                case .ignore: return []
                case .keep:
                    isKept = true
                    return []
                case .stop(let effects): return effects
                }
            }
            let state = machine.state
            let progress = TransferProgress(completed: state.completed, total: state.total, isUpload: false)
            return (isKept, state.isRefused, progress)
        }
        // The sink is called after the transaction, because it may write to a disk.
        guard isKept else { return }
        if isRefused { return refusedBody.write(bytes) }
        do {
            try sink.write(bytes)
            report(progress)
        } catch let restart as TransferRestart {
            tell { state, _ in state.restart(exchange, without: restart.headers) }
        } catch {
            tell { state, _ in state.storingFailed(exchange, error) }
        }
    }

    // MARK: Doing

    func perform(_ effect: TransferMachine.Effect) {
        switch effect {
        case .performHere(.begin(let request, let body, let exchange)):
            // Only `start` begins here, so a transfer counts once. Later exchanges begin as `perform`.
            TransferActivity.shared.began()
            begin(request, body, exchange)
        case .perform(let effect), .performHere(let effect): perform(effect)
        case .checkLimits:
            let isHeld = sink.flow?.isHeld ?? false
            tell { $0.timerFired(at: $1, isHeld: isHeld) }
        }
    }

    private func perform(_ effect: TransferEffect) {
        switch effect {
        case .begin(let request, let body, let exchange):
            // The transport must not be called inside its own callback.
            runElsewhere { self.begin(request, body, exchange) }
        case .arm: break  // the turn's
        case .receive(let response, let isRefused, let expected):
            receive(response, isRefused: isRefused, expected: expected)
        case .stop:
            stop()
        case .discard:
            sink.discard()
            refusedBody.discard()
        case .store(isRefused: false) where endsOnTransport:
            store(isRefused: false)
        case .store(let isRefused):
            runElsewhere { self.store(isRefused: isRefused) }
        case .ended:
            TransferActivity.shared.ended()
        case .fail(let error):
            runElsewhere {
                // A failed load stores its cookies too; the load's own error is the one to report.
                try? self.plan.options.cookies.storage?.save()
                self.fail(error)
            }
        }
    }

    /// Starts an exchange as soon as its host's queue allows.
    private func begin(_ request: URLRequest, _ body: TransportBody, _ exchange: Int) {
        guard let (host, limits) = plan.line(for: request, connections: tuned?.connectionsPerHost) else {
            return send(request, body, exchange)
        }
        // The previous exchange no longer needs its place, even if its end hasn't been reported.
        leaveLine()
        let pass = HostPass(engineClock.clock)
        let isNeeded = running.withLock { running in
            // A stop that came first found no pass to give back: this exchange must not enter the queue.
            if !running.hasEnded { running.pass = (exchange, pass) }
            return !running.hasEnded
        }
        guard isNeeded else { return }
        let isFree = HostLines.here.line(of: engineClock.clock).enter(pass, host, limits) { [self] in
            line?.goes(exchange)
            runElsewhere { self.send(request, body, exchange) }
        }
        guard isFree else {
            line?.waits(exchange)
            return
        }
        // An earlier exchange may have left the queue while it waited.
        line?.goes(exchange)
        send(request, body, exchange)
    }

    /// Gives back the place of an exchange; nil gives back any place.
    private func leaveLine(_ number: Int? = nil) {
        let pass: HostPass? = running.withLock { running in
            guard let pass = running.pass, number == nil || number == pass.number else { return nil }
            running.pass = nil
            return pass.1
        }
        pass?.leave()
    }

    private func send(_ request: URLRequest, _ body: TransportBody, _ exchange: Int) {
        let isNeeded = send { machine, turn in
            machine.tellInTime(&turn) { $0.began(exchange, tellsStages: tuned != nil, at: $1) }
        }
        // The transfer may have ended while this exchange waited in its host's queue.
        guard isNeeded else { return }
        do {
            try plan.options.cookies.storage?.read()
        } catch {
            return tell(isOnTransport: false) { state, _ in state.storingFailed(exchange, error) }
        }
        let subscription: Subscription
        if let tuned {
            let terms = TransportTerms(
                flow: sink.flow, cookies: plan.options.cookies.storage,
                onResponse: { [self] in responded($0, in: exchange) },
                onStage: { [self] stage in
                    send { machine, turn in machine.ask(&turn) { $0.note(exchange, stage, at: $1) } }
                })
            subscription = PropagatedValues.call(with: values) {
                tuned.send(request, body: body, terms: terms) { [self] in happened($0, in: exchange) }
            }
        } else {
            subscription = PropagatedValues.call(with: values) {
                transport.send(request, body: body) { [self] in happened($0, in: exchange) }
            }
        }
        let unwanted: Subscription? = running.withLock { running in
            // A fast response may have started the next exchange before this line.
            guard !running.hasEnded, running.exchange.map({ $0.number < exchange }) ?? true else {
                return subscription
            }
            defer { running.exchange = (exchange, subscription) }
            return running.exchange?.1
        }
        unwanted?.cancel()
    }

    private func receive(_ response: TransferResponse, isRefused: Bool, expected: Int64?) {
        let exchange = engine.read { $0.state.exchange }
        do {
            if isRefused {
                if StepLog.shared.isLogging(.warning), RetryAfter.isBounded(in: response.object) {
                    // Log sinks are user code and may block.
                    runElsewhere {
                        StepLog.shared.warning(
                            "a server asks to be left alone for longer than is waited", tags: ["network"])
                    }
                }
                refusedBody.begin(response, expected: expected)
            } else {
                try sink.begin(response, expected: expected)
                let base = sink.base
                // A resumed file has bytes already, which count for the size limit.
                if base > 0 { tell { state, _ in state.ready(exchange, base: base) } }
            }
        } catch let restart as TransferRestart {
            tell { state, _ in state.restart(exchange, without: restart.headers) }
        } catch {
            tell { state, _ in state.storingFailed(exchange, error) }
        }
    }

    private func stop() {
        let exchange = running.withLock { running in
            running.hasEnded = true
            defer { running.exchange = nil }
            return running.exchange?.1
        }
        leaveLine()
        line?.end()
        // Without the lock: a transport can be user code.
        exchange?.cancel()
    }

    private func store(isRefused: Bool) {
        let (response, refusal) = engine.read { ($0.state.response, $0.state.refusal) }
        let reportEnd: @Sendable () -> Void
        do {
            if isRefused {
                sink.discard()
                let body = refusedBody.finish()
                try? plan.options.cookies.storage?.save()
                throw RefusedStatus(error: refusal(body), body: body)
            }
            try plan.options.cookies.storage?.save()
            guard let response else { return }
            reportEnd = try finish(response)
        } catch let refused as RefusedStatus {
            reportEnd = { [fail] in fail(refused) }
        } catch {
            sink.discard()
            // Reads the error's description, which is user code: don't hold a lock.
            let error = engine.read { $0.state }.storageError(error)
            reportEnd = { [fail] in fail(error) }
        }
        // A cancellation during the storing wins: it has ended the transfer already.
        guard send({ machine, turn in machine.ask(&turn) { state, _ in state.claimEnd() } }) else { return }
        // Only after the claim: a cancellation has counted the transfer down itself.
        TransferActivity.shared.ended()
        reportEnd()
    }

    private func runElsewhere(_ work: @escaping @Sendable () -> Void) {
        Workers.shared.perform { _ in work() }
    }
}
