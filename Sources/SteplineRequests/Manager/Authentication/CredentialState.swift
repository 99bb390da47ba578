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
    private(set) var refused = -1
    /// The managers whose held requests wait for a refresh.
    var holding: Set<Int> = []
    /// Who is told of a refresh.
    private(set) var story: URLTaskStory?
    /// By which refreshes are counted.
    private(set) var clock: any StepClock = .system

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
    ///
    /// With the credential that there is no more, a user's, which is to be let go of after the lock.
    mutating func land(_ flight: Flight, _ credential: Credential?) -> (isNews: Bool, old: Credential?) {
        guard self.flight === flight else { return (false, nil) }
        self.flight = nil
        guard let credential else { return (true, nil) }
        defer { self.credential = credential }
        version += 1
        return (true, self.credential)
    }

    /// A server has refused a credential; what was noted before it is to be let go of after the lock.
    mutating func refuse(
        _ version: Int, telling story: URLTaskStory, by clock: any StepClock
    ) -> (URLTaskStory?, any StepClock) {
        refused = max(refused, version)
        defer { (self.story, self.clock) = (story, clock) }
        return (self.story, self.clock)
    }
}
