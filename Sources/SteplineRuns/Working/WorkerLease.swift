import SteplineSupport

/// The lease of a worker in its own view: never longer than in the store's view.
///
/// Idle workers take a double lease, so that thousands of them load a server little.
struct WorkerLease {
    private let length: Duration
    private let clock: any StepClock
    /// The uptime at which the lease expires.
    private var end: Duration

    /// Creates an expired lease; `renew` starts it.
    init(length: Duration, clock: any StepClock) {
        self.length = length
        self.clock = clock
        end = clock.uptime
    }

    /// Whether the lease has expired, so that other workers may have this worker's claims.
    var isOver: Bool { clock.uptime >= end }

    /// Whether the lease is that of an idle worker, which must not claim steps.
    var isLong: Bool { end - clock.uptime > length }

    /// Returns the length to request from the store.
    func length(asIdle: Bool) -> Duration { asIdle ? length * 2 : length }

    /// Returns the time from one heartbeat to the next.
    func pause(isIdle: Bool) -> Duration { isIdle ? length : length / 4 }

    /// Renews the lease from the uptime at which the heartbeat was sent.
    // Not from the answer: the store's lease began between both, and must not expire first.
    mutating func renew(asIdle: Bool, at date: Duration) { end = date + length(asIdle: asIdle) }
}
