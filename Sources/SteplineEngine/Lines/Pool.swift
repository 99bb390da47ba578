package import SteplineSupport

/// A number of places that work takes while it is live; any number of engines may share it.
///
/// A request for places of several pools of one reach gets all of them at once or none. Pools of wider reach come after,
/// while it holds the narrower ones, so that who waits for what few share is in no line of what many share. No two can
/// wait for each other either way. Of one priority who waits longest goes first in each pool. Granting costs what is
/// granted: who waits behind isn't looked at.
package final class Pool: @unchecked Sendable {  // the lock of the pools protects all variables
    /// How widely it is shared, compared with other pools.
    fileprivate let reach: Int
    fileprivate var places: Int
    fileprivate var taken = 0
    fileprivate var line = PoolLine()

    package init(capacity: Int, reach: Int = 0) {
        places = max(0, capacity)
        self.reach = reach
    }

    /// How many places there are.
    package var capacity: Int { Pools.lock.withLock { _ in places } }

    /// How many places nobody has taken; below zero after the capacity was lowered.
    package var free: Int { Pools.lock.withLock { _ in places - taken } }

    /// Changes how many places there are, and grants what fits by that.
    package func setCapacity(_ capacity: Int) {
        Pools.change { granted in
            places = max(0, capacity)
            Pools.grant(from: [self], &granted)
        }
    }

    /// The place of a request in the line, from 1, or nil; linear, for people who ask.
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
    /// How many have withdrawn since withdrawn requests were removed; some of them may have come to the front.
    private var withdrawn = 0

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

    /// Counts a request that has withdrawn, and removes all such requests once they are half of the line.
    ///
    /// Removing costs constant time for each request.
    mutating func hasWithdrawn() {
        withdrawn += 1
        guard withdrawn > 32, 2 * withdrawn > lines.reduce(0, { $0 + $1.count }) else { return }
        withdrawn = 0
        for index in lines.indices { lines[index].removeAll { $0.phase != .waiting } }
    }
}

/// What somebody wants of pools.
package final class PoolRequest: @unchecked Sendable {  // the lock of the pools protects variables
    package typealias OnGrant = @Sendable (PoolRequest) -> Void

    fileprivate typealias Share = (pool: Pool, places: Int)

    fileprivate enum Phase { case new, waiting, granted, over }

    /// Those of the narrowest reach first.
    private let shares: [Share]
    /// Those before it are held.
    private var next = 0
    fileprivate let priority: Priority
    /// The number of the last line-up, in order of time.
    private var arrival: UInt64 = 0
    /// Nil as soon as it isn't to be called any more: a line may still hold a request that has left it.
    fileprivate var onGrant: OnGrant?
    fileprivate var phase = Phase.new

    /// `onGrant` is called if the places come later than with ``take()``, on the thread that has made room; no lock is
    /// held then.
    ///
    /// All pools go by the same priority, so that whoever is first of all that wait is first in all lines of one reach.
    package init(
        _ places: [Pool: Int], priority: Priority = .normal,
        onGrant: @escaping OnGrant
    ) {
        shares = places.map { (pool: $0.key, places: $0.value) }.sorted { $0.pool.reach < $1.pool.reach }
        self.priority = priority
        self.onGrant = onGrant
    }

    /// Takes the places, or gets in line for them; whether it has them.
    package func take() -> Bool {
        Pools.lock.withLock { _ in
            guard phase == .new else { return phase == .granted }
            phase = .waiting
            lineUp()
            return Pools.fits(self) && advance()
        }
    }

    /// Gives the places back, or leaves the line; does nothing the second time.
    package func giveBack() {
        let unused = Pools.change { granted in
            let (held, awaited) = (held, awaited)
            phase = .over
            for share in awaited { share.pool.line.hasWithdrawn() }
            for share in held { share.pool.taken -= share.places }
            Pools.grant(from: held.map(\.pool) + awaited.map(\.pool), &granted)
            defer { onGrant = nil }
            return onGrant
        }
        // It holds an engine, and so what users made: let go of after the lock.
        withExtendedLifetime(unused) {}
    }

    /// What it has taken.
    private var held: ArraySlice<Share> { phase == .waiting || phase == .granted ? shares[..<next] : [] }

    /// What it stands in line for: places of pools of one reach.
    fileprivate var awaited: ArraySlice<Share> {
        guard phase == .waiting, next < shares.count else { return [] }
        let reach = shares[next].pool.reach
        return shares[next...].prefix { $0.pool.reach == reach }
    }

    /// Whether it goes before another that fits as well: narrow pools first, then by priority, then by time.
    ///
    /// The order decides who comes first in the lines of wider pools, so it must not depend on the order of pools.
    fileprivate func isBefore(_ other: PoolRequest) -> Bool {
        let reaches = (shares[next].pool.reach, other.shares[other.next].pool.reach)
        if reaches.0 != reaches.1 { return reaches.0 < reaches.1 }
        return priority == other.priority ? arrival < other.arrival : priority > other.priority
    }

    private func lineUp() {
        guard next < shares.count else { return }
        Pools.arrivals += 1
        arrival = Pools.arrivals
        for share in awaited { share.pool.line.append(self) }
    }

    /// Takes what it waits for, which fits, and goes on to wider pools as long as those fit as well; whether it has all.
    fileprivate func advance() -> Bool {
        repeat {
            let awaited = awaited
            for share in awaited { share.pool.take(share.places) }
            next = awaited.endIndex
            lineUp()
        } while next < shares.count && Pools.fits(self)
        if next == shares.count { phase = .granted }
        return phase == .granted
    }
}

extension Pool {
    /// Gives places to the first in line.
    fileprivate func take(_ places: Int) {
        taken += places
        line.removeFirst()
    }

    /// The first in line, after those that have left it.
    fileprivate var first: PoolRequest? {
        while let first = line.first {
            if first.phase == .waiting { return first }
            line.removeFirst()
        }
        return nil
    }
}

/// What holds for all pools together: one lock, held for as long as it takes to count.
private enum Pools {
    /// Those whose turn it is, with what tells them.
    typealias Granted = [(PoolRequest, PoolRequest.OnGrant?)]

    /// Holds a byte, as ThreadSanitizer takes a value of no size for the mutex beside it.
    static let lock = Locked(UInt8(0))

    /// How often requests have lined up; protected by the lock.
    nonisolated(unsafe) static var arrivals: UInt64 = 0

    /// Changes something, and tells those whose turn it is after.
    static func change<Answer>(_ change: (inout Granted) -> Answer) -> Answer {
        var granted: Granted = []
        let answer = lock.withLock { _ in change(&granted) }
        for (request, call) in granted { call?(request) }
        return answer
    }

    /// Whether nobody is before a request in any of its lines, and there is room.
    static func fits(_ request: PoolRequest) -> Bool {
        request.awaited.allSatisfy { pool, places in
            pool.places - pool.taken >= places && pool.first === request
        }
    }

    /// Grants what fits now, after there is more room in pools or a request has left their lines.
    static func grant(from pools: [Pool], _ granted: inout Granted) {
        // Pools whose first request may fit.
        var open = pools
        while true {
            var foremost: PoolRequest?
            open.removeAll { pool in
                guard let first = pool.first, fits(first) else { return true }
                if foremost.map(first.isBefore) ?? true { foremost = first }
                return false
            }
            guard let request = foremost else { return }
            // The next request in its other lines may be the first there now.
            for (pool, _) in request.awaited where !open.contains(pool) { open.append(pool) }
            guard request.advance() else { continue }
            granted.append((request, request.onGrant))
            request.onGrant = nil
        }
    }
}
