import SteplineEngine
import SteplineSupport
import Testing

struct PoolTests {
    /// Pools as a list of who waits, looked through at each change: who fits goes, and nobody passes one who waits for
    /// the same pool and is before it, by priority and then by who came first.
    private struct SlowPools {
        var capacity: [Int]
        var taken: [Int]
        var waiting: [(id: Int, priority: Priority, shares: [Int: Int])] = []
        var held: [Int: [Int: Int]] = [:]

        mutating func grant() -> Set<Int> {
            var reserved: Set<Int> = []
            var granted: Set<Int> = []
            waiting.removeAll { request in
                let fits = request.shares.allSatisfy {
                    !reserved.contains($0.key) && capacity[$0.key] - taken[$0.key] >= $0.value
                }
                guard fits else {
                    reserved.formUnion(request.shares.keys)
                    return false
                }
                for (pool, places) in request.shares { taken[pool] += places }
                held[request.id] = request.shares
                granted.insert(request.id)
                return true
            }
            return granted
        }

        mutating func add(_ id: Int, _ priority: Priority, _ shares: [Int: Int]) -> Set<Int> {
            let place = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
            waiting.insert((id, priority, shares), at: place)
            return grant()
        }

        mutating func giveBack(_ id: Int) -> Set<Int> {
            for (pool, places) in held.removeValue(forKey: id) ?? [:] { taken[pool] -= places }
            waiting.removeAll { $0.id == id }
            return grant()
        }
    }

    @Test(arguments: 0..<60)
    func `pools grant what a list looked through at each change grants`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let capacity = (0..<4).map { _ in Int.random(in: 1...4, using: &random) }
        let pools = capacity.map(Pool.init(capacity:))
        var slow = SlowPools(capacity: capacity, taken: [0, 0, 0, 0])
        let granted = Locked<Set<Int>>([])
        var requests: [Int: PoolRequest] = [:]
        for id in 0..<300 {
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
                    Dictionary(uniqueKeysWithValues: shares.map { (pools[$0.key], $0.value) }),
                    priority: priority ?? .normal
                ) { _ in
                    granted.withLock { _ = $0.insert(id) }
                }
                requests[id] = request
                let wanted = slow.add(id, priority ?? .normal, shares)
                #expect(request.take() == wanted.contains(id), "seed \(seed), \(id)")
            } else if Int.random(in: 0..<8, using: &random) == 0 {
                let pool = Int.random(in: 0..<4, using: &random)
                let places = Int.random(in: 0...6, using: &random)
                slow.capacity[pool] = places
                let wanted = slow.grant()
                pools[pool].setCapacity(places)
                #expect(granted.withLock { $0 } == wanted, "seed \(seed), \(id)")
            } else if let id = requests.keys.sorted().randomElement(using: &random) {
                let wanted = slow.giveBack(id)
                requests.removeValue(forKey: id)?.giveBack()
                #expect(granted.withLock { $0 } == wanted, "seed \(seed), \(id)")
            }
            granted.withLock { $0 = [] }
            #expect(pools.map(\.free) == zip(slow.capacity, slow.taken).map(-), "seed \(seed)")
        }
    }

    @Test func `a request that gives back twice gives back once`() {
        let pool = Pool(capacity: 1)
        let request = PoolRequest([pool: 1]) { _ in }
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

    @Test func `what a request holds is let go of as it leaves the line, and under no lock`() {
        let pool = Pool(capacity: 1), asked = Locked(0)
        func request() -> PoolRequest {
            let nosy = Nosy(pool, asked)
            return PoolRequest([pool: 1]) { _ in withExtendedLifetime(nosy) {} }
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
}
