package import SteplineSupport

/// A number of slots that live work occupies; several engines can share one pool.
///
/// | Phase of a request | Meaning |
/// | --- | --- |
/// | `new` | created, before ``PoolRequest/take()`` |
/// | `waiting` | in the queues of one reach, holding the slots of all narrower reaches |
/// | `granted` | holds all its slots |
/// | `over` | gave its slots back, or left the queues |
///
/// A request gets all its slots in pools of one reach at once, or none of them. Pools of narrower reach come first. A
/// request that waits for narrow pools is therefore in no queue of a wide pool, and doesn't block its other users.
///
/// Two requests can't deadlock: within one reach a request takes all or nothing, and across reaches all requests use
/// the same order.
///
/// In each pool the first request by priority, then by arrival, goes first. A later request that would fit never
/// overtakes it. One lock protects all pools of the process. Granting costs time for the granted requests only; later
/// requests in the queues aren't inspected.
package final class Pool: @unchecked Sendable {  // the lock in `Pools` protects all variables
    /// The width of sharing, compared with other pools: smaller values are acquired first.
    fileprivate let reach: Int
    fileprivate var places: Int
    fileprivate var taken = 0
    fileprivate var line = PoolLine()

    package init(capacity: Int, reach: Int = 0) {
        places = max(0, capacity)
        self.reach = reach
    }

    /// The number of slots.
    package var capacity: Int { Pools.lock.withLock { _ in places } }

    /// The number of free slots; negative after the capacity was lowered below the slots in use.
    package var free: Int { Pools.lock.withLock { _ in places - taken } }

    /// Changes the number of slots and grants the requests that fit now.
    package func setCapacity(_ capacity: Int) {
        Pools.change { granted in
            places = max(0, capacity)
            Pools.grant(from: [self], &granted)
        }
    }

    /// Returns the position of a request in the queue, from 1, or nil if it isn't waiting; linear, for diagnosis.
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

/// The requests that wait for one pool, by priority.
private struct PoolLine {
    /// A queue per priority, lowest first; a single queue as long as all requests have normal priority.
    private var lines = [FIFO<PoolRequest>()]
    /// The number of requests that left since the last removal; some of them may already have reached the front.
    private var withdrawn = 0

    private var foremost: Int? { lines.lastIndex { !$0.isEmpty } }

    var first: PoolRequest? { foremost.flatMap { lines[$0].first } }

    /// All requests, from first to last.
    var all: [PoolRequest] { lines.reversed().flatMap { Array($0) } }

    mutating func append(_ request: PoolRequest) {
        // The first request of another priority: all earlier requests have normal priority.
        if request.priority != .normal, lines.count == 1 {
            let usual = lines[0]
            lines = Priority.allCases.map { $0 == .normal ? usual : FIFO() }
        }
        lines[lines.count == 1 ? 0 : Int(request.priority.rawValue)].append(request)
    }

    mutating func removeFirst() {
        if let foremost { _ = lines[foremost].popFirst() }
    }

    /// Counts a request that left, and removes all such requests once they are half of the queue.
    ///
    /// Removal is amortized constant time per request.
    mutating func hasWithdrawn() {
        withdrawn += 1
        guard withdrawn > 32, 2 * withdrawn > lines.reduce(0, { $0 + $1.count }) else { return }
        withdrawn = 0
        for index in lines.indices { lines[index].removeAll { $0.phase != .waiting } }
    }
}

/// The slots that a request wants, narrowest reach first; requests for the same slots share them.
package struct PoolPlaces: Sendable {
    fileprivate typealias Share = (pool: Pool, places: Int)
    fileprivate let shares: [Share]

    package init(_ places: [Pool: Int]) {
        shares = places.map { (pool: $0.key, places: $0.value) }.sorted { $0.pool.reach < $1.pool.reach }
    }
}

/// A request for slots in one or more pools.
package final class PoolRequest: @unchecked Sendable {  // the lock in `Pools` protects the variables
    package typealias OnGrant = @Sendable (PoolRequest) -> Void

    fileprivate enum Phase { case new, waiting, granted, over }

    private let shares: [PoolPlaces.Share]
    /// The index of the first share that isn't held.
    private var next = 0
    fileprivate let priority: Priority
    /// The sequence number of the last enqueue, which defines the order in time.
    private var arrival: UInt64 = 0
    /// The callback for a later grant; nil once a grant has taken it, or the request is over.
    ///
    /// A grant takes the callback under the lock and calls it after unlock, possibly after ``giveBack()`` has returned.
    /// A queue may still retain a request that left, so the callback must be released early.
    fileprivate var onGrant: OnGrant?
    fileprivate var phase = Phase.new

    /// Creates a request.
    ///
    /// All pools use the same priority, so the first waiting request overall is first in every queue of its reach.
    ///
    /// - Parameters:
    ///   - places: The slots.
    ///   - priority: The priority in all queues.
    ///   - onGrant: Called if the slots are granted after ``take()`` has returned false. The call comes from the thread
    ///     that freed the slots, without a lock held. It may come after ``giveBack()`` has returned on another thread:
    ///     the slots are free again, and the caller must ignore the call.
    package init(
        _ places: PoolPlaces, priority: Priority = .normal, onGrant: @escaping OnGrant
    ) {
        shares = places.shares
        self.priority = priority
        self.onGrant = onGrant
    }

    /// Takes the slots or enqueues the request, and returns whether the slots are held.
    package func take() -> Bool {
        Pools.lock.withLock { _ in
            // `giveBack` may come before `take`: a request that is over stays over.
            guard phase == .new else { return phase == .granted }
            phase = .waiting
            lineUp()
            // In the queue first: a request fits only as the first one, so an earlier request is never overtaken.
            return Pools.fits(self) && advance()
        }
    }

    /// Gives the slots back or leaves the queues; a second call does nothing.
    ///
    /// A callback that another thread has taken before is still called; see `onGrant`. A later ``take()`` is refused.
    package func giveBack() {
        let unused = Pools.change { granted in
            // Both properties depend on `phase`: read them before the phase changes.
            let (held, awaited) = (held, awaited)
            // Both properties are empty from here on: a second call gives nothing back.
            phase = .over
            // The queues drop the request later: a removal now would be linear.
            for share in awaited { share.pool.line.hasWithdrawn() }
            for share in held { share.pool.taken -= share.places }
            Pools.grant(from: held.map(\.pool) + awaited.map(\.pool), &granted)
            defer { onGrant = nil }
            return onGrant
        }
        // The callback retains an engine and user objects: release after unlock.
        withExtendedLifetime(unused) {}
    }

    /// The slots that the request holds.
    private var held: ArraySlice<PoolPlaces.Share> {
        phase == .waiting || phase == .granted ? shares[..<next] : []
    }

    /// The slots that the request waits for, all in pools of one reach.
    fileprivate var awaited: ArraySlice<PoolPlaces.Share> {
        guard phase == .waiting, next < shares.count else { return [] }
        let reach = shares[next].pool.reach
        return shares[next...].prefix { $0.pool.reach == reach }
    }

    /// Returns whether this request precedes another one that fits as well: narrow pools, then priority, then arrival.
    ///
    /// This order decides the positions in the queues of wider pools, so it must not depend on the order of pools.
    fileprivate func isBefore(_ other: PoolRequest) -> Bool {
        let reaches = (shares[next].pool.reach, other.shares[other.next].pool.reach)
        if reaches.0 != reaches.1 { return reaches.0 < reaches.1 }
        return priority == other.priority ? arrival < other.arrival : priority > other.priority
    }

    private func lineUp() {
        guard next < shares.count else { return }
        // A request that reaches wider pools arrives there now: its wait for narrow pools doesn't count.
        Pools.arrivals += 1
        arrival = Pools.arrivals
        for share in awaited { share.pool.line.append(self) }
    }

    /// Takes the awaited slots, which must fit, then those of wider pools while they fit; returns whether all are held.
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
    /// Marks slots as used by the first request, and removes that request from the queue.
    fileprivate func take(_ places: Int) {
        taken += places
        line.removeFirst()
    }

    /// The first waiting request, after removing requests that left.
    fileprivate var first: PoolRequest? {
        while let first = line.first {
            if first.phase == .waiting { return first }
            line.removeFirst()
        }
        return nil
    }
}

/// The state and operations that all pools share, under one lock with short critical sections.
private enum Pools {
    /// The requests that were granted, with their callbacks.
    typealias Granted = [(PoolRequest, PoolRequest.OnGrant?)]

    /// The protected byte exists because ThreadSanitizer mistakes a zero-size value for the adjacent mutex.
    static let lock = Locked(UInt8(0))

    /// The number of enqueues so far; protected by the lock.
    nonisolated(unsafe) static var arrivals: UInt64 = 0

    /// Runs `change` under the lock, then calls the granted requests' callbacks without the lock.
    static func change<Answer>(_ change: (inout Granted) -> Answer) -> Answer {
        var granted: Granted = []
        let answer = lock.withLock { _ in change(&granted) }
        for (request, call) in granted { call?(request) }
        return answer
    }

    /// Returns whether a request is first in all its queues and its slots are free.
    static func fits(_ request: PoolRequest) -> Bool {
        request.awaited.allSatisfy { pool, places in
            pool.places - pool.taken >= places && pool.first === request
        }
    }

    /// Grants all requests that fit, after slots were freed or a request left the queues.
    static func grant(from pools: [Pool], _ granted: inout Granted) {
        // The pools whose first request may fit.
        var open = pools
        while true {
            var foremost: PoolRequest?
            // A pool whose first request doesn't fit is dropped until the loop adds it again.
            open.removeAll { pool in
                guard let first = pool.first, fits(first) else { return true }
                if foremost.map(first.isBefore) ?? true { foremost = first }
                return false
            }
            guard let request = foremost else { return }
            // Another request may be first in these pools' queues now: check them too.
            for (pool, _) in request.awaited where !open.contains(pool) { open.append(pool) }
            // The request waits in wider pools now; a grant there resumes it.
            guard request.advance() else { continue }
            granted.append((request, request.onGrant))
            request.onGrant = nil
        }
    }
}
