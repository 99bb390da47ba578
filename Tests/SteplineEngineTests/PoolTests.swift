import SteplineEngine
import SteplineSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PoolTests {
    /// A slow model of pools: a list of waiting requests, searched at each change.
    ///
    /// A request that fits is granted, unless an earlier one, by priority and then by arrival, waits for the same pool.
    /// A request with the pools of one reach comes last in the line of the next reach.
    private struct SlowPools {
        struct Request {
            let id: Int
            let priority: Priority
            /// The shares that it still needs.
            var shares: [Int: Int]
            var arrival: Int

            func isBefore(_ other: Request) -> Bool {
                priority == other.priority ? arrival < other.arrival : priority > other.priority
            }
        }

        let reach: [Int]
        var capacity: [Int]
        var taken = [0, 0, 0, 0]
        var waiting: [Request] = []
        var held: [Int: [Int: Int]] = [:]
        var arrivals = 0

        init(capacity: [Int], reach: [Int]) {
            self.capacity = capacity
            self.reach = reach
        }

        func narrowest(of request: Request) -> Int { request.shares.keys.map { reach[$0] }.min() ?? 0 }

        func awaited(by request: Request) -> [Int: Int] {
            request.shares.filter { reach[$0.key] == narrowest(of: request) }
        }

        func fits(_ request: Request) -> Bool {
            awaited(by: request).allSatisfy { pool, places in
                capacity[pool] - taken[pool] >= places
                    && !waiting.contains { $0.isBefore(request) && awaited(by: $0).keys.contains(pool) }
            }
        }

        mutating func grant() -> Set<Int> {
            var granted: Set<Int> = []
            while true {
                waiting = waiting.sorted {
                    let reaches = (narrowest(of: $0), narrowest(of: $1))
                    return reaches.0 == reaches.1 ? $0.isBefore($1) : reaches.0 < reaches.1
                }
                guard let next = waiting.firstIndex(where: { fits($0) }) else { return granted }
                if let id = advance(waiting.remove(at: next)) { granted.insert(id) }
            }
        }

        /// Takes the places of a request that fits, and goes on to wider pools as long as it fits there.
        ///
        /// It does so before any other request moves: this order decides who is first in the lines of the wider pools.
        ///
        /// - Returns: The request's number if it has all its places.
        private mutating func advance(_ request: Request) -> Int? {
            var request = request
            repeat {
                for (pool, places) in awaited(by: request) {
                    taken[pool] += places
                    held[request.id, default: [:]][pool] = places
                    request.shares[pool] = nil
                }
                if request.shares.isEmpty { return request.id }
                arrivals += 1
                request.arrival = arrivals
            } while fits(request)
            waiting.append(request)
            return nil
        }

        mutating func add(_ id: Int, _ priority: Priority, _ shares: [Int: Int]) -> Set<Int> {
            arrivals += 1
            waiting.append(Request(id: id, priority: priority, shares: shares, arrival: arrivals))
            return grant()
        }

        mutating func giveBack(_ id: Int) -> Set<Int> {
            for (pool, places) in held.removeValue(forKey: id) ?? [:] { taken[pool] -= places }
            waiting.removeAll { $0.id == id }
            return grant()
        }
    }

    @Test(arguments: [[0, 0, 0, 0], [-2, 0, 1, 7]])
    func `random requests to pools, of equal and of unequal reach, are granted as by a slow model`(
        reach: [Int]
    ) {
        for round in 0..<Chance.rounds(8) { compare(Chance.seed &+ UInt64(round), reach: reach) }
    }

    private func compare(_ seed: UInt64, reach: [Int]) {
        var random = StableRandom(seed: seed)
        let capacity = (0..<4).map { _ in Int.random(in: 1...4, using: &random) }
        let pools = zip(capacity, reach).map { Pool(capacity: $0, reach: $1) }
        var slow = SlowPools(capacity: capacity, reach: reach)
        let granted = Locked<Set<Int>>([])
        var requests: [Int: PoolRequest] = [:]
        for id in 0..<200 {
            if requests.isEmpty || Int.random(in: 0..<5, using: &random) < 3 {
                var shares: [Int: Int] = [:]
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let pool = Int.random(in: 0..<4, using: &random)
                    shares[pool] = Int.random(in: 1...capacity[pool], using: &random)
                }
                // Some rounds know no priorities, as most runs.
                let priority =
                    seed.isMultiple(of: 3) ? .normal : Priority.allCases.randomElement(using: &random)
                let request = PoolRequest(
                    PoolPlaces(Dictionary(uniqueKeysWithValues: shares.map { (pools[$0.key], $0.value) })),
                    priority: priority ?? .normal
                ) { _ in
                    granted.withLock { _ = $0.insert(id) }
                }
                requests[id] = request
                let missing = slow.add(id, priority ?? .normal, shares)
                #expect(request.take() == missing.contains(id), "seed \(seed), \(id)")
            } else if Int.random(in: 0..<8, using: &random) == 0 {
                let pool = Int.random(in: 0..<4, using: &random)
                let places = Int.random(in: 0...6, using: &random)
                slow.capacity[pool] = places
                let missing = slow.grant()
                pools[pool].setCapacity(places)
                #expect(granted.withLock { $0 } == missing, "seed \(seed), \(id)")
            } else if let id = requests.keys.sorted().randomElement(using: &random) {
                let missing = slow.giveBack(id)
                requests.removeValue(forKey: id)?.giveBack()
                #expect(granted.withLock { $0 } == missing, "seed \(seed), \(id)")
            }
            granted.withLock { $0 = [] }
            #expect(pools.map(\.free) == zip(slow.capacity, slow.taken).map(-), "seed \(seed)")
        }
    }

    @Test func `a request for a narrow pool waits in no line of a wide pool`() {
        let (few, many) = (Pool(capacity: 1, reach: -1), Pool(capacity: 2))
        let granted = Locked(0)
        func request(_ places: [Pool: Int]) -> PoolRequest {
            PoolRequest(PoolPlaces(places)) { _ in granted.withLock { $0 += 1 } }
        }
        let first = request([few: 1, many: 1])
        let second = request([few: 1, many: 1])
        let third = request([many: 1])
        let fourth = request([few: 1, many: 1])
        #expect(first.take() && !second.take() && third.take())
        #expect(few.position(of: second) == 1 && many.position(of: second) == nil)
        #expect(!fourth.take())
        first.giveBack()
        #expect(granted.withLock { $0 } == 1 && many.free == 0, "the second has both")
        third.giveBack()
        second.giveBack()
        #expect(granted.withLock { $0 } == 2 && few.free == 0 && many.free == 1)
        fourth.giveBack()
        #expect(few.free == 1 && many.free == 2)
    }

    @Test func `a request that waits for the wider pool holds the narrower one, and returns it on leaving`() {
        let (few, many) = (Pool(capacity: 1, reach: -1), Pool(capacity: 1))
        let holder = PoolRequest(PoolPlaces([many: 1])) { _ in }
        let waiter = PoolRequest(PoolPlaces([few: 1, many: 1])) { _ in }
        #expect(holder.take() && !waiter.take())
        #expect(few.free == 0 && many.position(of: waiter) == 1)
        waiter.giveBack()
        #expect(few.free == 1 && many.position(of: waiter) == nil)
        holder.giveBack()
        #expect(many.free == 1)
    }

    @Test func `a request that releases twice releases once`() {
        let pool = Pool(capacity: 1)
        let request = PoolRequest(PoolPlaces([pool: 1])) { _ in }
        #expect(request.take())
        request.giveBack()
        request.giveBack()
        #expect(pool.free == 1)
    }

    /// Asks a pool when it is freed.
    private final class Nosy: Sendable {
        let pool: Pool
        let asked: Locked<Int>
        init(_ pool: Pool, _ asked: Locked<Int>) {
            self.pool = pool
            self.asked = asked
        }
        deinit {
            _ = pool.free
            asked.withLock { $0 += 1 }
        }
    }

    @Test func `the values of a request are released when it leaves the line, outside locks`() {
        let pool = Pool(capacity: 1), asked = Locked(0)
        func request() -> PoolRequest {
            let nosy = Nosy(pool, asked)
            return PoolRequest(PoolPlaces([pool: 1])) { _ in withExtendedLifetime(nosy) {} }
        }
        let first = request()
        #expect(first.take())
        do {
            let second = request(), third = request()
            #expect(!second.take() && !third.take())
            second.giveBack()
            #expect(asked.withLock { $0 } == 1, "though the line still has the request")
            first.giveBack()
            #expect(asked.withLock { $0 } == 3, "one was granted, and one has given back")
        }
        #expect(pool.free == 0)
    }

    private final class WeakRequest {
        weak var request: PoolRequest?
        init(_ request: PoolRequest) { self.request = request }
    }

    @Test(arguments: [Priority.normal, .high])
    func `requests that have withdrawn are released after one that waits on`(priority: Priority) {
        let pool = Pool(capacity: 1)
        let holder = PoolRequest(PoolPlaces([pool: 1])) { _ in }
        let waiting = PoolRequest(PoolPlaces([pool: 1]), priority: priority) { _ in }
        _ = (holder.take(), waiting.take())
        let withdrawn = (0..<1000).map { _ in
            let request = PoolRequest(PoolPlaces([pool: 1]), priority: priority) { _ in }
            _ = request.take()
            request.giveBack()
            return WeakRequest(request)
        }
        #expect(withdrawn.count { $0.request != nil } < 40)
        #expect(pool.position(of: waiting) == 1)
        holder.giveBack()
        #expect(pool.free == 0)
        waiting.giveBack()
        #expect(pool.free == 1)
    }
}
