import SteplineSupport

/// Those who wait for one end, in the order in which they came, which is that of waking.
///
/// Each may leave in constant time: waits are cancelled under the manager's lock, and there may be many.
struct Waiters {
    /// Among so few nobody is looked up.
    private static let few = 8

    /// Who has left from among many has left a gap.
    private var all: [(any Waiter)?] = []
    /// Where each of many stands; empty, and then there are no gaps, as long as all are few or nobody has left.
    private var places: [ObjectIdentifier: Int] = [:]

    init() {}

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ waiter: any Waiter) {
        if !places.isEmpty { places[ObjectIdentifier(waiter)] = all.count }
        all.append(waiter)
    }

    mutating func remove(_ waiter: any Waiter) {
        if places.isEmpty {
            guard all.count > Self.few else { return all.removeAll { $0 === waiter } }
            notePlaces()
        }
        guard let place = places.removeValue(forKey: ObjectIdentifier(waiter)) else { return }
        all[place] = nil
        // Half of them are gaps by then, so that closing these costs each who has left the same.
        if all.count > 2 * places.count + Self.few { closeGaps() }
    }

    /// Takes out all who are there.
    mutating func takeAll() -> [any Waiter] {
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
