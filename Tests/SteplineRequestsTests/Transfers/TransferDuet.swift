import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transfer's machine and its model, told the same, without a thread and without a network.
struct TransferDuet {
    var random: StableRandom
    private let plan: TransferPlan
    private var machine: TransferMachine
    private var turn = Turn<TransferMachine.Effect, TransferMachine.Timer>()
    private(set) var model: TransferModel
    /// Records whether an object of a user's transport is released inside a transaction.
    private let watch = LockWatch()
    private var now = 0
    /// When the machine's timer is due.
    private var due: Int?
    /// The log of messages, for a failure's report.
    private(set) var reporter: [String] = []
    private(set) var deeds: [TransferModel.Deed] = []
    private(set) var faults: [String] = []

    init(seed: UInt64) throws {
        random = StableRandom(seed: seed)
        var rules = TransferModel.Rules()
        rules.staysAtHost = random.chance(1, in: 6)
        rules.follows = !random.chance(1, in: 6)
        rules.isResuming = random.chance(1, in: 3)
        let hasBody = random.chance(1, in: 2), wantsPart = random.chance(1, in: 6)
        let asked = TransferModel.Asked(
            method: hasBody ? "POST" : "GET", hasBody: hasBody,
            wantsPart: rules.isResuming || wantsPart)
        model = TransferModel(asked, rules)
        plan = try Self.plan(asked, rules)
        machine = TransferMachine(plan)
    }

    private static func plan(
        _ asked: TransferModel.Asked, _ rules: TransferModel.Rules
    ) throws -> TransferPlan {
        var options = LoadOptions()
        options.headers["Authorization"] = "Bearer none"
        if asked.wantsPart { options.headers["Range"] = "bytes=5-" }
        if asked.hasBody { options.body = .data(Data("body".utf8)) }
        options.sizeLimit = rules.most
        options.idleTimeout = .milliseconds(rules.idle)
        options.totalTimeout = .milliseconds(rules.total)
        options.contentTypes = ["text/plain"]
        options.redirects =
            rules.staysAtHost ? .followWithinOrigin(limit: rules.hops) : .follow(limit: rules.hops)
        if !rules.follows { options.redirects = .refuse }
        let url = try #require(URL(string: "\(asked.scheme)://\(asked.host)\(asked.path)"))
        var plan = try TransferPlan(URLRequest(url: url), options)
        plan.isResuming = rules.isResuming
        return plan
    }

    // MARK: Messages

    mutating func step() {
        // Mostly what brings it on, as most others would end it before anything has come.
        switch model.place {
        case .ready where random.chance(3, in: 4): start()
        case .inLine where random.chance(2, in: 3): began()
        default: perform(Int.random(in: 0..<32, using: &random))
        }
        compare()
    }

    private mutating func perform(_ message: Int) {
        switch message {
        case 0, 1: start()
        case 2...5: began()
        case 6: come(.stage)
        case 7: sent()
        case 8...14: come(.answer(randomAnswer()))
        case 15...18: come(.bytes([1, 20, 400, 70_000].randomElement(using: &random) ?? 1))
        case 19: if model.wantsBody { come(.base([5, 950].randomElement(using: &random) ?? 5)) }
        case 20...22: endExchange()
        case 23: stored()
        case 24...29: pass(Int.random(in: 1...500, using: &random))
        case 30: endBadly()
        default: if random.chance(1, in: 4) { cancel() }
        }
    }

    /// Mostly the exchange that is under way, and sometimes an earlier one.
    private mutating func number() -> Int {
        random.chance(1, in: 8) ? max(0, model.exchange - 1) : model.exchange
    }

    private mutating func randomAnswer() -> TransferModel.Answer {
        let length = [nil, 0, 90, 400, 2_000].randomElement(using: &random) ?? nil
        switch Int.random(in: 0..<32, using: &random) {
        case 0...6: return .interim
        case 7...14: return .text(length: length)
        case 15: return .page
        case 16, 17: return .refused(length: length)
        case 18, 19: return .part
        case 20: return .nothingMore
        case 21...23: return moved(to: TransferModel.Destination.allCases.randomElement(using: &random))
        default: return moved(to: random.chance(1, in: 2) ? .sameHost : .otherHost)
        }
    }

    private mutating func moved(to destination: TransferModel.Destination?) -> TransferModel.Answer {
        .moved([301, 302, 303, 307, 308].randomElement(using: &random) ?? 302, destination ?? .sameHost)
    }

    private mutating func tell(
        _ expected: [TransferModel.Deed], _ what: String,
        _ event: (inout TransferState, Duration) -> TransferEffects
    ) {
        reporter.append("\(now): \(what)")
        decide { $0.tell(&$1, event) }
        carryOut(expected)
    }

    /// Has the machine decide, as under its lock.
    private mutating func decide<Answer>(
        _ body: (inout TransferMachine, inout Turn<TransferMachine.Effect, TransferMachine.Timer>) -> Answer
    ) -> Answer {
        watch.lock()
        defer { watch.unlock() }
        return body(&machine, &turn)
    }

    private mutating func ask(
        _ expected: Bool, _ what: String, _ event: (inout TransferState, Duration) -> Bool
    ) {
        reporter.append("\(now): \(what)")
        let answer = decide { $0.ask(&$1, event) }
        if answer != expected { faults.append("says \(answer) to \(what)") }
        carryOut([])
    }

    private mutating func start() {
        tell(model.start(at: now), "start") { $0.start(at: $1) }
    }

    private mutating func began() {
        let number = number(), tells = random.chance(1, in: 2)
        reporter.append("\(now): began \(number)")
        let isNeeded = decide { machine, turn in
            machine.tellInTime(&turn) { $0.began(number, tellsStages: tells, at: $1) }
        }
        if isNeeded != model.began(number, tellsStages: tells, at: now) {
            faults.append("begins: \(isNeeded)")
        }
        carryOut([])
    }

    private mutating func sent() {
        let number = sentNumber()
        ask(model.sent(in: number, at: now), "sent \(number)") { $0.sent(number, at: $1) }
    }

    /// The number of an exchange of which a transport can tell: none does before it was called.
    private mutating func sentNumber() -> Int {
        model.place == .inLine ? model.exchange - 1 : number()
    }

    private mutating func come(_ sign: TransferModel.Sign) {
        let number = sentNumber(), from = machine.state.request.url
        let (expected, isKept) = model.came(sign, in: number, at: now)
        let path = "/\(model.exchange)"
        let what = "\(sign) in \(number)"
        switch sign {
        case .stage:
            tell(expected, what) { state, time in
                state.note(number, .connected, at: time)
                return []
            }
        case .answer(let answer):
            guard let response = answer.response(from: from, path: path, watch) else {
                return faults.append("no response for \(answer)")
            }
            let isAccepted = plan.options.status.isSuccess(response.statusCode)
            tell(expected, what) {
                $0.responded(
                    number, TransferResponse(response), isAccepted: isAccepted, secrets: RequestSecrets(),
                    at: $1)
            }
        case .bytes(let count):
            var wasKept = false
            tell(expected, what) { state, time in
                switch state.received(number, count, at: time) {
                case .ignore: return []
                case .keep: wasKept = true
                case .stop(let effects): return effects
                }
                return []
            }
            if wasKept != isKept { faults.append("keeps bytes: \(wasKept)") }
        case .base(let base):
            tell(expected, what) { state, _ in state.ready(number, base: Int64(base)) }
        }
    }

    private mutating func endExchange() {
        let number = sentNumber()
        tell(model.exchangeEnded(number, nil, at: now), "end of \(number)") {
            $0.exchangeEnded(number, nil, at: $1)
        }
    }

    private mutating func endBadly() {
        let number = sentNumber()
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            tell(model.restart(number), "restart of \(number)") { state, _ in
                state.restart(number, without: ["Range"])
            }
        case 1:
            let error = watch.thing()
            tell(model.storingFailed(number), "\(number) can't be stored") { state, _ in
                state.storingFailed(number, error)
            }
        default:
            let failure = TransferModel.ExchangeFailure.allCases.randomElement(using: &random) ?? .other
            let error: any Error =
                switch failure {
                case .lost: URLError(.networkConnectionLost)
                case .insecure: URLError(.secureConnectionFailed)
                case .other: watch.thing()
                }
            tell(model.exchangeEnded(number, failure, at: now), "\(failure) in \(number)") {
                $0.exchangeEnded(number, error, at: $1)
            }
        }
    }

    private mutating func stored() {
        ask(model.stored(), "stored") { state, _ in state.claimEnd() }
    }

    private mutating func cancel() {
        tell(model.cancel(), "cancel") { state, _ in state.cancel() }
    }

    // MARK: Time

    private mutating func pass(_ time: Int) {
        let end = now + time
        while let due, due <= end {
            now = due
            fire()
        }
        now = end
        turn.begin(at: Instant(.milliseconds(now)))
    }

    private mutating func fire() {
        turn.begin(at: Instant(.milliseconds(now)))
        turn.withdraw(.limit)
        due = nil
        decide { $0.timerFired(.limit, &$1) }
        let isAsked = turn.takeWork().orders.contains { if case .checkLimits = $0 { true } else { false } }
        if !isAsked { faults.append("a timer that asks nothing") }
        let isHeld = random.chance(1, in: 4)
        tell(model.look(at: now, isHeld: isHeld), "look, \(isHeld ? "held" : "free")") {
            $0.timerFired(at: $1, isHeld: isHeld)
        }
    }

    // MARK: Comparing

    private mutating func carryOut(_ expected: [TransferModel.Deed]) {
        let work = turn.takeWork()
        if let order = work.timerOrders.last {
            due = Int((order.start + order.delay).nanoseconds / 1_000_000)
        }
        if !turn.isSet(.limit) { due = nil }
        let done = work.orders.compactMap(deed)
        deeds += done
        if done != expected { faults.append("does \(done), not \(expected)") }
        if watch.lost > 0 { faults.append("\(watch.lost) things of a user's are freed under the lock") }
    }

    private func deed(_ effect: TransferMachine.Effect) -> TransferModel.Deed? {
        guard case .perform(let effect) = effect else { return nil }
        switch effect {
        case .begin(let request, let body, let exchange): return .begin(.init(request, body), exchange)
        case .arm: return nil
        case .receive(_, let isRefused, let expected):
            return .receive(isRefused: isRefused, expected.map { Int($0) })
        case .stop: return .stop
        case .discard: return .discard
        case .store(let isRefused): return .store(isRefused: isRefused)
        case .ended: return .ended
        case .fail(let error):
            let error = error as? RequestError
            return .fail(error?.code ?? .badURL, error?.phase)
        }
    }

    private mutating func compare() {
        switch model.place {
        case .ready, .storing, .over: if due != nil { faults.append("a timer though nothing is waited for") }
        case .inLine: break
        case .sent:
            guard let due, let deadline = model.deadline, due <= deadline, due > now else {
                return faults.append("a timer at \(due ?? -1), not by \(model.deadline ?? -1), at \(now)")
            }
        }
    }
}
