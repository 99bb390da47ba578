import SteplineRequests

/// A slow model of a transfer: it keeps all signals of an exchange, and evaluates them again at each step.
struct TransferModel {
    /// A request to the server.
    struct Asked: Equatable {
        var method: String
        var scheme = "https"
        var host = "a.test"
        var path = "/0"
        var hasBody: Bool
        var isSigned = true
        /// Whether only a part is asked for, as there is something already.
        var wantsPart: Bool
    }

    /// A server's answer.
    enum Answer: Equatable {
        case interim
        case text(length: Int?)
        case page
        case refused(length: Int?)
        case part
        case nothingMore
        case moved(Int, Destination)
    }

    enum Destination: CaseIterable { case sameHost, otherHost, insecure, file, nowhere, unreadable }

    enum Sign: Equatable {
        case stage
        case answer(Answer)
        case bytes(Int)
        case base(Int)
    }

    enum Deed: Equatable {
        case begin(Asked, Int)
        case stop, discard, ended
        case receive(isRefused: Bool, Int?)
        case store(isRefused: Bool)
        case fail(RequestError.Code, RequestError.Phase?)
    }

    enum Place: Equatable { case ready, inLine, sent, storing, over }

    struct Rules {
        var most = 1_000
        var longestMoved = 64 << 10
        var hops = 2
        var staysAtHost = false
        var follows = true
        var isResuming = false
        var idle = 700
        var total = 2_000
    }

    let rules: Rules
    var place = Place.ready
    private(set) var asked: Asked
    private(set) var exchange = 0
    private var hops = 0
    private var signs: [Sign] = []
    private var tellsStages = false
    private var since = 0
    private var lastSign = 0

    init(_ asked: Asked, _ rules: Rules) {
        self.asked = asked
        self.rules = rules
    }

    // MARK: What has come

    private var answer: Answer? {
        for case .answer(let answer) in signs.reversed() where answer != .interim { return answer }
        return nil
    }

    /// The signals since the answer, or all if there is none.
    private var afterAnswer: ArraySlice<Sign> {
        let last = signs.lastIndex { if case .answer(let answer) = $0 { answer != .interim } else { false } }
        return signs[(last.map { $0 + 1 } ?? 0)...]
    }

    private var bytes: Int {
        afterAnswer.reduce(0) { sum, sign in if case .bytes(let count) = sign { sum + count } else { sum } }
    }

    private var base: Int {
        for case .base(let base) in afterAnswer.reversed() { return base }
        return 0
    }

    private enum Meaning: Equatable {
        case open, accepted, refused
        case moves(Asked)
        case wrong(RequestError.Code)
    }

    private var meaning: Meaning {
        switch answer {
        case nil, .interim: return .open
        case .text(let length?) where length > rules.most: return .wrong(.tooLarge)
        case .text: return .accepted
        case .page: return .wrong(.contentType)
        case .refused: return .refused
        case .part: return asked.wantsPart ? .accepted : .refused
        case .nothingMore: return asked.wantsPart && rules.isResuming ? .accepted : .refused
        case .moved(let status, let destination): return moved(status, destination)
        }
    }

    private func moved(_ status: Int, _ destination: Destination) -> Meaning {
        guard rules.follows else { return .accepted }
        if destination == .nowhere || destination == .unreadable || destination == .file {
            return .wrong(.redirectRefused)
        }
        if destination == .insecure, asked.scheme == "https" { return .wrong(.redirectRefused) }
        var next = asked
        next.path = "/\(exchange)"
        if destination == .otherHost { next.host = asked.host == "a.test" ? "b.test" : "a.test" }
        if destination == .insecure { (next.scheme, next.host) = ("http", "a.test") }
        let isAway = (next.scheme, next.host) != (asked.scheme, asked.host)
        if isAway, rules.staysAtHost { return .wrong(.redirectRefused) }
        if hops == rules.hops { return .wrong(.tooManyRedirects) }
        if isAway { next.isSigned = false }
        if status == 303 || status < 303 && asked.method == "POST" {
            (next.method, next.hasBody) = ("GET", false)
        }
        return .moves(next)
    }

    private var announced: Int? {
        switch answer {
        case .text(let length), .refused(let length): length
        default: nil
        }
    }

    var wantsBody: Bool { place == .sent && meaning == .accepted }

    /// Which silence it would be.
    private var silence: RequestError.Phase {
        if place == .inLine { return .connecting }
        if answer != nil { return .receiving }
        let isConnected = signs.contains(.stage) || signs.contains(.answer(.interim))
        return isConnected || !tellsStages ? .answering : .connecting
    }

    /// When it is over unless something comes; nil where nothing is waited for.
    var deadline: Int? { place == .sent ? min(lastSign + rules.idle, since + rules.total) : nil }

    // MARK: Messages

    mutating func start(at time: Int) -> [Deed] {
        guard place == .ready else { return [] }
        (since, lastSign) = (time, time)
        return begin()
    }

    mutating func began(_ number: Int, tellsStages: Bool, at time: Int) -> Bool {
        guard place == .inLine, number == exchange else { return false }
        place = .sent
        since += time - lastSign
        lastSign = time
        self.tellsStages = tellsStages
        return true
    }

    /// A sign of life; whether bytes are kept.
    mutating func came(_ sign: Sign, in number: Int, at time: Int) -> (deeds: [Deed], isKept: Bool) {
        guard place == .sent, number == exchange else { return ([], false) }
        if case .base = sign {} else { lastSign = time }
        signs.append(sign)
        switch sign {
        case .stage, .answer(.interim): return ([], false)
        case .answer: return (answered(), false)
        case .base:
            guard let announced, announced + base > rules.most else { return ([], false) }
            return (fail(.tooLarge), false)
        case .bytes: return took()
        }
    }

    private mutating func answered() -> [Deed] {
        switch meaning {
        case .wrong(let code): return fail(code)
        case .accepted: return [.receive(isRefused: false, announced)]
        case .refused: return [.receive(isRefused: true, announced)]
        case .moves, .open: return []
        }
    }

    private mutating func took() -> ([Deed], Bool) {
        switch meaning {
        case .moves(let next): return (bytes > rules.longestMoved ? follow(next) : [], false)
        case .accepted: return bytes + base > rules.most ? (fail(.tooLarge), false) : ([], true)
        case .refused: return bytes > rules.most ? (store(), false) : ([], true)
        case .open, .wrong: return ([], false)
        }
    }

    mutating func sent(in number: Int, at time: Int) -> Bool {
        guard place == .sent, number == exchange else { return false }
        lastSign = time
        return true
    }

    mutating func exchangeEnded(_ number: Int, _ failure: ExchangeFailure?, at time: Int) -> [Deed] {
        guard place == .sent, number == exchange else { return [] }
        lastSign = time
        switch failure {
        case .lost: return fail(answer == nil ? .connection : .truncated)
        case .insecure: return fail(.secureConnection)
        case .other: return fail(.connection)
        case nil: break
        }
        if case .moves(let next) = meaning { return follow(next) }
        if answer == nil { return fail(.connection) }
        if let announced, bytes < announced { return fail(.truncated) }
        return store()
    }

    /// How an exchange can go wrong.
    enum ExchangeFailure: CaseIterable { case lost, insecure, other }

    mutating func restart(_ number: Int) -> [Deed] {
        guard place == .sent, number == exchange else { return [] }
        guard asked.wantsPart else { return fail(.storage) }
        asked.wantsPart = false
        return begin()
    }

    mutating func storingFailed(_ number: Int) -> [Deed] {
        place == .sent && number == exchange ? fail(.storage) : []
    }

    /// Checks the time limits; a peer that is held back may be silent.
    mutating func look(at time: Int, isHeld: Bool) -> [Deed] {
        guard place == .sent else { return [] }
        if isHeld { lastSign = time }
        if time >= since + rules.total { return fail(.timedOut, .total) }
        return time >= lastSign + rules.idle ? fail(.timedOut, silence) : []
    }

    mutating func stored() -> Bool {
        guard place == .storing else { return false }
        place = .over
        return true
    }

    mutating func cancel() -> [Deed] {
        defer { place = .over }
        return place == .ready || place == .over ? [] : [.stop, .discard, .ended]
    }

    // MARK: What follows

    private mutating func begin() -> [Deed] {
        place = .inLine
        exchange += 1
        signs = []
        return [.begin(asked, exchange)]
    }

    private mutating func follow(_ next: Asked) -> [Deed] {
        hops += 1
        asked = next
        return begin()
    }

    private mutating func store() -> [Deed] {
        let isRefused = meaning == .refused
        place = .storing
        return [.stop, .store(isRefused: isRefused)]
    }

    private mutating func fail(_ code: RequestError.Code, _ phase: RequestError.Phase? = nil) -> [Deed] {
        place = .over
        return [.stop, .discard, .ended, .fail(code, phase)]
    }
}
