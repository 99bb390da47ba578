/// Until when a worker is believed to live, as far as it knows.
///
/// Nobody misses a worker that has nothing in hand: its lease is longer, so that thousands of them cost a server little.
struct WorkerLease {
    private let length: Duration
    private var end = ContinuousClock.now

    init(length: Duration) { self.length = length }

    /// Whether others may have what is in hand here.
    var isOver: Bool { .now >= end }

    /// Whether it is one of a worker that has nothing in hand, under which nothing may be claimed.
    var isLong: Bool { end - .now > length }

    /// For how long a worker is to be believed.
    func length(asIdle: Bool) -> Duration { asIdle ? length * 2 : length }

    /// How long after a beat the next is due.
    func pause(isIdle: Bool) -> Duration { isIdle ? length : length / 4 }

    mutating func renew(asIdle: Bool, at date: ContinuousClock.Instant) {
        end = date + length(asIdle: asIdle)
    }
}
