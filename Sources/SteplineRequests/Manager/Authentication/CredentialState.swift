import SteplineSupport

/// What an authenticator knows: the credential, and the refresh under way.
struct CredentialState<Credential: Sendable> {
    typealias Flight = OneShot<Result<Void, any Error>>

    /// Who is to refresh, or to wait for it.
    enum Renewal {
        /// Nobody: it has been done.
        case done
        case join(Flight)
        case refresh(Flight, old: Credential)
        case refused
    }

    private(set) var credential: Credential
    /// Grows with each credential.
    private(set) var version = 0
    private(set) var flight: Flight?
    private var begins: [Duration] = []
    /// The newest credential that a server has refused.
    var refused = -1
    /// The managers whose held requests wait for a refresh.
    var holding: Set<Int> = []
    /// Who is told of a refresh.
    var story: URLTaskStory?
    /// By which refreshes are counted.
    var clock: any StepClock = .system

    init(_ credential: Credential) {
        self.credential = credential
    }

    /// A credential of this version doesn't do any more.
    mutating func renew(_ version: Int, at time: Duration) -> Renewal {
        if version < self.version { return .done }
        if let flight { return .join(flight) }
        begins.removeAll { time - $0 >= .seconds(30) }
        guard begins.count < 5 else { return .refused }
        begins.append(time)
        let flight = Flight()
        self.flight = flight
        return .refresh(flight, old: credential)
    }

    /// A refresh has ended; false if it was given up before.
    mutating func land(_ flight: Flight, _ credential: Credential?) -> Bool {
        guard self.flight === flight else { return false }
        self.flight = nil
        guard let credential else { return true }
        self.credential = credential
        version += 1
        return true
    }
}
