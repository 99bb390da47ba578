import SteplineSupport

/// Until when a worker is believed to live, as far as it knows.
///
/// Nobody misses a worker that has nothing in hand: its lease is longer, so that thousands of them cost a server little.
struct WorkerLease {
    private let length: Duration
    private let clock: any StepClock
    /// The uptime at which it expires.
    private var end: Duration

    /// An expired lease: it begins when it is renewed first.
    init(length: Duration, clock: any StepClock) {
        self.length = length
        self.clock = clock
        end = clock.uptime
    }

    /// Whether it has expired, so that another worker may have what this one holds.
    var isOver: Bool { clock.uptime >= end }

    /// Whether it is that of an idle worker, under which nothing may be claimed.
    var isLong: Bool { end - clock.uptime > length }

    /// For how long a worker is to be believed.
    func length(asIdle: Bool) -> Duration { asIdle ? length * 2 : length }

    /// How long after a beat the next is due.
    func pause(isIdle: Bool) -> Duration { isIdle ? length : length / 4 }

    /// Renews it from the uptime at which the heartbeat was sent.
    mutating func renew(asIdle: Bool, at date: Duration) { end = date + length(asIdle: asIdle) }
}
