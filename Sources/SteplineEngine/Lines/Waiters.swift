package import SteplineSupport

/// The waiters for one end, in the order in which they came, which is that of waking.
///
/// Each may leave in constant time: waits are cancelled under an engine's lock, and there may be many.
package struct Waiters: Sendable {
    /// Among so few the place of a waiter isn't looked up.
    private static let few = 8

    /// A waiter that has left many others has left a gap.
    private var all: [(any Waiter)?] = []
    /// The place of each of many; empty, and then there are no gaps, as long as all are few or none has left.
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
        // Half of them are gaps by then, so closing them is constant time for each waiter that has left.
        if all.count > 2 * places.count + Self.few { closeGaps() }
    }

    /// Takes out all waiters.
    package mutating func takeAll() -> [any Waiter] {
        guard !all.isEmpty else { return [] }
        defer { self = Waiters() }
        return all.compactMap { $0 }
    }

    private mutating func closeGaps() {
        all.removeAll { $0 == nil }
        places = [:]
        if all.count > Self.few { notePlaces() }
    }

    private mutating func notePlaces() {
        for (place, waiter) in all.enumerated() {
            if let waiter { places[ObjectIdentifier(waiter)] = place }
        }
    }
}
