package import SteplineSupport

/// A number of places that work takes while it is live; any number of engines may share it.
///
/// A request for places of several pools gets all of them at once or none, so that no two can wait for each other. Of one
/// priority who waits longest goes first in each pool. Granting costs what is granted: who waits behind isn't looked at.
package final class Pool: @unchecked Sendable {  // the lock of the pools protects all variables
    fileprivate var places: Int
    fileprivate var taken = 0
    fileprivate var line = PoolLine()

    package init(capacity: Int) { places = max(0, capacity) }

    /// How many places there are.
    package var capacity: Int { Pools.lock.withLock { _ in places } }

    /// How many places nobody has taken; below zero after the capacity was lowered.
    package var free: Int { Pools.lock.withLock { _ in places - taken } }

    /// Changes how many places there are, and grants what fits by that.
    package func setCapacity(_ capacity: Int) {
        Pools.change { granted in
            places = max(0, capacity)
            Pools.grant(from: self, &granted)
        }
    }

    /// The place of a request in the line, from 1; linear, for people who ask.
    package func position(of request: PoolRequest) -> Int? {
        Pools.lock.withLock { _ in
            line.all.filter { $0.phase == .waiting }.firstIndex { $0 === request }.map { $0 + 1 }
        }
    }
}

extension Pool: Hashable {
    package static func == (left: Pool, right: Pool) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Those who wait for a pool, by their priorities.
private struct PoolLine {
    /// One for each priority, lowest first; the usual one alone as long as nobody was of another.
    private var lines = [FIFO<PoolRequest>()]

    private var foremost: Int? { lines.lastIndex { !$0.isEmpty } }

    var first: PoolRequest? { foremost.flatMap { lines[$0].first } }

    /// From the first to the last.
    var all: [PoolRequest] { lines.reversed().flatMap { Array($0) } }

    mutating func append(_ request: PoolRequest) {
        if request.priority != .normal, lines.count == 1 {
            let usual = lines[0]
            lines = Priority.allCases.map { $0 == .normal ? usual : FIFO() }
        }
        lines[lines.count == 1 ? 0 : Int(request.priority.rawValue)].append(request)
    }

    mutating func removeFirst() {
        if let foremost { _ = lines[foremost].popFirst() }
    }
}

/// What somebody wants of pools.
package final class PoolRequest: @unchecked Sendable {  // the lock of the pools protects variables
    package typealias OnGrant = @Sendable (PoolRequest) -> Void

    fileprivate enum Phase { case new, waiting, granted, over }

    fileprivate let shares: [(pool: Pool, places: Int)]
    fileprivate let priority: Priority
    /// Nil as soon as it isn't to be called any more: a line may hold a request that has left it for long.
    fileprivate var onGrant: OnGrant?
    fileprivate var phase = Phase.new

    /// `onGrant` is called if the places come later than with ``take()``, on the thread that has made room; no lock is
    /// held then.
    ///
    /// All pools go by the same priority, so that whoever is first of all that wait is first in all lines.
    package init(
        _ places: [Pool: Int], priority: Priority = .normal,
        onGrant: @escaping OnGrant
    ) {
        shares = places.map { (pool: $0.key, places: $0.value) }
        self.priority = priority
        self.onGrant = onGrant
    }

    /// Takes the places, or gets in line for them; whether it has them.
    package func take() -> Bool {
        Pools.lock.withLock { _ in
            guard phase == .new else { return phase == .granted }
            phase = .waiting
            for share in shares { share.pool.line.append(self) }
            guard Pools.fits(self) else { return false }
            Pools.take(self)
            return true
        }
    }

    /// Gives the places back, or leaves the line; does nothing the second time.
    package func giveBack() {
        let unused = Pools.change { granted in
            let old = phase
            phase = .over
            if old == .granted { for share in shares { share.pool.taken -= share.places } }
            if old == .granted || old == .waiting {
                for share in shares { Pools.grant(from: share.pool, &granted) }
            }
            defer { onGrant = nil }
            return onGrant
        }
        // It holds an engine, and so what users made: let go of after the lock.
        withExtendedLifetime(unused) {}
    }
}

/// What holds for all pools together: one lock, held for as long as it takes to count.
private enum Pools {
    /// Those whose turn it is, with what tells them.
    typealias Granted = [(PoolRequest, PoolRequest.OnGrant?)]

    /// Holds a byte, as ThreadSanitizer takes a value of no size for the mutex beside it.
    static let lock = Locked(UInt8(0))

    /// Changes something, and tells those whose turn it is after.
    static func change<Answer>(_ change: (inout Granted) -> Answer) -> Answer {
        var granted: Granted = []
        let answer = lock.withLock { _ in change(&granted) }
        for (request, call) in granted { call?(request) }
        return answer
    }

    /// Whether nobody is before a request in any of its lines, and there is room.
    static func fits(_ request: PoolRequest) -> Bool {
        request.shares.allSatisfy { pool, places in
            pool.places - pool.taken >= places && first(of: pool) === request
        }
    }

    /// Gives a request that fits its places; it is the first in all its lines.
    static func take(_ request: PoolRequest) {
        request.phase = .granted
        for (pool, places) in request.shares {
            pool.taken += places
            pool.line.removeFirst()
        }
    }

    /// Grants what fits now, after there is more room in a pool or somebody has left its line.
    static func grant(from pool: Pool, _ granted: inout Granted) {
        var toLookAt = [pool]
        while let pool = toLookAt.popLast() {
            while let first = first(of: pool), fits(first) {
                take(first)
                granted.append((first, first.onGrant))
                first.onGrant = nil
                // Who was behind it in its other lines may be the first there now.
                toLookAt += first.shares.lazy.map(\.pool).filter { $0 !== pool }
            }
        }
    }

    /// The first in line, after those that have left it.
    private static func first(of pool: Pool) -> PoolRequest? {
        while let first = pool.line.first {
            if first.phase == .waiting { return first }
            pool.line.removeFirst()
        }
        return nil
    }
}
