import SteplineEngine

/// A number of places that bodies take while they are live; it may be shared by workflows.
///
///     let downloads = ConcurrencyPool("downloads", capacity: 4)
///     TaskOptions(pools: [downloads: 1])
///
/// A task takes places of all its pools at once, or none: no two tasks can wait for each other. Who waits
/// longest goes first, so that a heavy task isn't passed for ever by light ones.
public final class ConcurrencyPool: Sendable {
    /// The name for people.
    public let name: String
    let pool: Pool

    /// Makes a pool of so many places.
    public convenience init(_ name: String, capacity: Int) {
        self.init(name, capacity: capacity, reach: .named)
    }

    /// Who may take places of a pool.
    ///
    /// A task takes those of the narrowest reach first, and waits for others while it holds them, so that who waits for
    /// what few share keeps nobody waiting for what all share.
    package enum Reach: Int {
        /// The elements of a map.
        case map
        /// The tasks of a file that is run by a task.
        case file
        /// Whoever names it.
        case named
        /// All tasks of a run.
        case run
    }

    /// Makes a pool that so many may take places of.
    package init(_ name: String, capacity: Int, reach: Reach) {
        self.name = name
        pool = Pool(capacity: capacity, reach: reach.rawValue)
    }

    /// How many places there are.
    ///
    /// Lowering it stops nothing that runs; tasks that no longer fit wait until it is raised.
    public var capacity: Int {
        get { pool.capacity }
        set { pool.setCapacity(newValue) }
    }

    /// How many places nobody has taken; below zero after the capacity was lowered.
    public var free: Int { pool.free }
}

extension ConcurrencyPool: Hashable {
    /// Whether they are the same pool.
    public static func == (left: ConcurrencyPool, right: ConcurrencyPool) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
