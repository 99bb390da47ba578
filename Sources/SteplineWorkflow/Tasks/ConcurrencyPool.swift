import SteplineSupport

/// A number of places that bodies take while they are live; it may be shared by workflows.
///
///     let downloads = ConcurrencyPool("downloads", capacity: 4)
///     TaskOptions(pools: [downloads: 1])
///
/// A task takes places of all its pools at once, or none: no two tasks can wait for each other. Who waits
/// longest goes first, so that a heavy task isn't passed for ever by light ones.
public final class ConcurrencyPool: @unchecked Sendable {  // the ledger's lock protects it
    /// The name for people.
    public let name: String

    fileprivate var places: Int
    fileprivate var taken = 0

    /// Makes a pool of so many places.
    public init(_ name: String, capacity: Int) {
        self.name = name
        places = max(0, capacity)
    }

    /// How many places there are.
    ///
    /// Lowering it stops nothing that runs; tasks that no longer fit wait until it is raised.
    public var capacity: Int {
        get { PoolLedger.line.withLock { _ in places } }
        set {
            let granted = PoolLedger.line.withLock { line in
                places = max(0, newValue)
                return line.grant()
            }
            for request in granted { request.tell() }
        }
    }

    /// How many places nobody has taken.
    public var free: Int { PoolLedger.line.withLock { _ in places - taken } }
}

extension ConcurrencyPool: Hashable {
    /// Whether they are the same pool.
    public static func == (left: ConcurrencyPool, right: ConcurrencyPool) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The books of all pools: one lock, as a task takes places of several at once.
enum PoolLedger {
    fileprivate static let line = Locked(Line())

    /// A task that wants places.
    struct Request: Sendable {
        let pools: [ConcurrencyPool: Int]
        let core: WorkflowCore
        let number: Int32
        let ticket: UInt32

        /// Lets the task begin: it has its places.
        func tell() { core.drive { $0.placesGranted(number, ticket: ticket) } }
    }

    fileprivate struct Line {
        var waiting: [Request] = []

        /// Gives places to all who can have them, without passing anybody who waits for the same pool.
        mutating func grant() -> [Request] {
            var granted: [Request] = []
            var reserved: Set<ConcurrencyPool> = []
            waiting.removeAll { request in
                let fits = request.pools.allSatisfy { pool, weight in
                    !reserved.contains(pool) && pool.places - pool.taken >= weight
                }
                guard fits else {
                    reserved.formUnion(request.pools.keys)
                    return false
                }
                for (pool, weight) in request.pools { pool.taken += weight }
                granted.append(request)
                return true
            }
            return granted
        }
    }

    /// Takes the places at once, or gets in line; whether it has them.
    static func take(_ request: Request) -> Bool {
        line.withLock { line in
            line.waiting.append(request)
            let granted = line.grant()
            // Nobody else can have come to fit by this.
            return granted.contains { $0.core === request.core && $0.number == request.number }
        }
    }

    /// Gives places back; who can go now is to be told.
    static func giveBack(_ pools: [ConcurrencyPool: Int]) -> [Request] {
        line.withLock { line in
            for (pool, weight) in pools { pool.taken -= weight }
            return line.grant()
        }
    }

    /// Leaves the line; who can go now is to be told.
    ///
    /// False in the answer if the places had been given.
    static func leave(_ core: WorkflowCore, _ number: Int32) -> (wasWaiting: Bool, granted: [Request]) {
        line.withLock { line in
            let count = line.waiting.count
            line.waiting.removeAll { $0.core === core && $0.number == number }
            return (line.waiting.count < count, line.grant())
        }
    }

    /// The place in line, from 1; nil for who doesn't wait.
    static func position(_ core: WorkflowCore, _ number: Int32, in pool: ConcurrencyPool) -> Int? {
        line.withLock { line in
            line.waiting.filter { $0.pools[pool] != nil }
                .firstIndex { $0.core === core && $0.number == number }.map { $0 + 1 }
        }
    }
}

extension WorkflowState {
    /// Takes places for a task whose turn has come, or lets it wait in line.
    mutating func takePlaces(_ index: Int) -> Bool {
        let number = Int32(truncatingIfNeeded: index)
        if nodes[index].flags.contains(.holdsPlaces) { return true }
        guard let core = tables.core, let pools = tables.options[number]?.pools else { return true }
        let request = PoolLedger.Request(
            pools: pools, core: core, number: number, ticket: parts[index].ticket
        )
        if PoolLedger.take(request) {
            nodes[index].flags.insert(.holdsPlaces)
            return true
        }
        nodes[index].flags.remove(.queued)
        nodes[index].flags.insert(.inLine)
        if isHeard { recordWait(index, for: .pools) }
        return false
    }

    /// The ledger has given a waiting task its places.
    mutating func placesGranted(_ number: Int32, ticket: UInt32) {
        let index = Int(number)
        guard nodes[index].flags.contains(.inLine), parts[index].ticket == ticket else {
            return giveBack(tables.options[number]?.pools ?? [:])
        }
        nodes[index].flags.remove(.inLine)
        nodes[index].flags.insert(.holdsPlaces)
        if isHeard { recordWait(index) }
        push(index)
    }

    mutating func givePlacesBack(_ index: Int) {
        nodes[index].flags.remove(.holdsPlaces)
        giveBack(tables.options[Int32(truncatingIfNeeded: index)]?.pools ?? [:])
    }

    /// A task no longer waits for places; if they are on their way, `placesGranted` gives them back.
    mutating func leaveLine(_ index: Int) {
        nodes[index].flags.remove(.inLine)
        parts[index].ticket &+= 1
        guard let core = tables.core else { return }
        let (_, granted) = PoolLedger.leave(core, Int32(truncatingIfNeeded: index))
        for request in granted { due.append(.call { request.tell() }) }
    }

    private mutating func giveBack(_ pools: [ConcurrencyPool: Int]) {
        guard !pools.isEmpty else { return }
        for request in PoolLedger.giveBack(pools) { due.append(.call { request.tell() }) }
    }
}
