package import SteplineSupport

/// The waiters for one end, in order of arrival, which is also the order of waking.
///
/// Waits are cancelled under an engine's lock, and there may be many of them. Removal is therefore amortized constant
/// time.
package struct Waiters: Sendable {
    /// The number of waiters up to which removal searches the array.
    private static let few = 8

    /// The waiters in order; nil marks a removed waiter.
    private var all: [(any Waiter)?] = []
    /// The index of each waiter; empty while no more than `few` waiters exist or none was removed, and then `all` has
    /// no gaps.
    private var places: [ObjectIdentifier: Int] = [:]

    package init() {}

    package var isEmpty: Bool { all.isEmpty }

    package mutating func add(_ waiter: any Waiter) {
        if !places.isEmpty { places[ObjectIdentifier(waiter)] = all.count }
        all.append(waiter)
    }

    package mutating func remove(_ waiter: any Waiter) {
        if places.isEmpty {
            guard all.count > Self.few else { return all.removeAll { $0 === waiter } }
            notePlaces()
        }
        guard let place = places.removeValue(forKey: ObjectIdentifier(waiter)) else { return }
        all[place] = nil
        // Half of the entries are gaps here, so compaction is amortized constant time per removal.
        if all.count > 2 * places.count + Self.few { closeGaps() }
    }

    /// Removes and returns all waiters.
    package mutating func takeAll() -> [any Waiter] {
        guard !all.isEmpty else { return [] }
        defer { self = Waiters() }
        return all.compactMap { $0 }
    }

    private mutating func closeGaps() {
        all.removeAll { $0 == nil }
        // Indices have moved: build the table again, or search the array while few remain.
        places = [:]
        if all.count > Self.few { notePlaces() }
    }

    private mutating func notePlaces() {
        for (place, waiter) in all.enumerated() {
            if let waiter { places[ObjectIdentifier(waiter)] = place }
        }
    }
}
