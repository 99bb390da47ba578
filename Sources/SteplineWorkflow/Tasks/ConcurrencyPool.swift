import SteplineEngine

/// A number of slots for live bodies; several workflows can share one pool.
///
///     let downloads = ConcurrencyPool("downloads", capacity: 4)
///     TaskOptions(pools: [downloads: 1])
///
/// A task takes slots in all its pools at once or none, so tasks never block each other. The longest waiting task goes
/// first, so light tasks can't starve a heavy one.
public final class ConcurrencyPool: Sendable {
    /// The name in explanations.
    public let name: String
    let pool: Pool

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - name: The name in explanations.
    ///   - capacity: The number of slots.
    public convenience init(_ name: String, capacity: Int) {
        self.init(name, capacity: capacity, reach: .named)
    }

    /// The users of a pool.
    ///
    /// A task takes slots of the narrowest reach first, and holds them while it waits for wider ones. A wait for a
    /// rarely shared pool therefore doesn't block tasks that wait for a widely shared pool.
    package enum Reach: Int {
        /// The elements of a map.
        case map
        /// The tasks of a file that a task runs.
        case file
        /// The tasks that name the pool.
        case named
        /// All tasks of a run.
        case run
    }

    /// Creates a pool with the given users.
    package init(_ name: String, capacity: Int, reach: Reach) {
        self.name = name
        // The raw values order the reaches from narrow to wide.
        pool = Pool(capacity: capacity, reach: reach.rawValue)
    }

    /// The number of slots.
    ///
    /// Lowering it stops no running body. Tasks that no longer fit wait until it is raised.
    public var capacity: Int {
        get { pool.capacity }
        set { pool.setCapacity(newValue) }
    }

    /// The number of free slots; negative after the capacity was lowered below the slots in use.
    public var free: Int { pool.free }
}

extension ConcurrencyPool: Hashable {
    /// Returns whether both are the same pool.
    public static func == (left: ConcurrencyPool, right: ConcurrencyPool) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
