import SteplineSupport

/// The credential of an authenticator and its current refresh.
///
/// At most one refresh runs at a time (`flight`). Each credential has a version. A request that was rejected with an
/// old version doesn't refresh again. More than five refreshes in 30 seconds are rejected.
struct CredentialState<Credential: Sendable> {
    typealias Flight = OneShot<Result<Void, any Error>>

    /// The action of a caller whose credential was rejected.
    enum Renewal {
        /// The credential was refreshed meanwhile.
        case done
        case join(Flight)
        case refresh(Flight, old: Credential)
        /// The limit of refreshes is reached. The property `refused` is something else: a version that a server
        /// rejected.
        case refused(lastFailure: (any Error)?)
    }

    private(set) var credential: Credential
    /// The number of refreshes, which identifies a credential.
    private(set) var version = 0
    private(set) var flight: Flight?
    private var begins: [Duration] = []
    /// The error of the last refresh; nil if it succeeded.
    private var failure: (any Error)?
    /// The newest version that a server has rejected.
    private(set) var refused = -1
    /// The managers whose held requests wait for a refresh.
    var holding: Set<Int> = []
    /// The monitor log that receives the next refresh.
    private(set) var reporter: URLTaskReporter?
    /// The clock of the refresh limit.
    private(set) var clock: any StepClock = .system

    init(_ credential: Credential) {
        self.credential = credential
    }

    /// Handles a rejected version; returns the caller's action.
    mutating func renew(_ version: Int, at time: Duration) -> Renewal {
        // Another request refreshed after this one was sent.
        if version < self.version { return .done }
        if let flight { return .join(flight) }
        // A sliding window: at most five entries.
        begins.removeAll { time - $0 >= .seconds(30) }
        guard begins.count < 5 else { return .refused(lastFailure: failure) }
        begins.append(time)
        let flight = Flight()
        self.flight = flight
        return .refresh(flight, old: credential)
    }

    /// Ends a refresh; returns false if it was given up before.
    ///
    /// Also returns the replaced credential and error, which are user values, for release after unlock.
    mutating func land(
        _ flight: Flight, _ result: Result<Credential, any Error>
    ) -> (isNews: Bool, replaced: (Credential?, (any Error)?)) {
        // A given-up refresh ended late: its result must not replace a newer credential.
        guard self.flight === flight else { return (false, (nil, nil)) }
        self.flight = nil
        let old = failure
        switch result {
        case .failure(let error):
            failure = error
            return (true, (nil, old))
        case .success(let credential):
            failure = nil
            version += 1
            defer { self.credential = credential }
            return (true, (self.credential, old))
        }
    }

    /// Records a rejected version; returns the replaced values for release after unlock.
    mutating func refuse(
        _ version: Int, telling reporter: URLTaskReporter, by clock: any StepClock
    ) -> (URLTaskReporter?, any StepClock) {
        refused = max(refused, version)
        defer { (self.reporter, self.clock) = (reporter, clock) }
        return (self.reporter, self.clock)
    }
}
