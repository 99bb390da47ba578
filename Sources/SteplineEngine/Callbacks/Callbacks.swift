public import SteplineSupport

/// The callbacks of one end: registered, due, claimed in order, or removed.
///
/// A machine owns this value and calls every method under its engine's lock. `News` is the argument of the callbacks.
///
/// | State of a callback | Held in | Left by |
/// | --- | --- | --- |
/// | registered | `registered` | ``end(_:_:)``, `remove` |
/// | due | `due[…].remaining`, `due[…].late` | ``claim(_:)``, `remove` |
/// | claimed | nowhere: the caller calls it | |
///
/// Each place has at most one delivery at a time, except `anywhere`. A delivery claims its callbacks one by one, under
/// the lock. A callback can be removed until the moment before its call.
///
/// User closures may own objects with arbitrary deinitializers. Removed callbacks go to the transaction and are
/// released after unlock.
///
/// Costs: registering is constant. An end is linear in the registered callbacks. Removing is linear in all callbacks.
@usableFromInline
package struct Callbacks<News: Sendable>: Sendable {
    /// The kind of end that a callback waits for.
    @usableFromInline
    package enum Kind: Sendable, Hashable {
        case success, failure
        /// Any end, cancellation included.
        case end
    }

    /// A registered callback.
    @usableFromInline
    package struct Registration: Sendable {
        @usableFromInline package let kind: Kind
        @usableFromInline package let owner: OwnerToken
        @usableFromInline package let place: CallbackPlace
        /// Whether the callback precedes all others of its place, as the callbacks of an observer of many tasks do.
        @usableFromInline package let isEarly: Bool
        @usableFromInline package let call: @Sendable (News) -> Void
        @usableFromInline package internal(set) var number: UInt64 = 0

        @inlinable
        package init(
            _ kind: Kind, owner: OwnerToken = OwnerToken(nil), place: CallbackPlace = .anywhere,
            isEarly: Bool = false, call: @escaping @Sendable (News) -> Void
        ) {
            self.kind = kind
            self.owner = owner
            self.place = place
            self.isEarly = isEarly
            self.call = call
        }

        @inlinable
        func rank(atEnd end: Kind) -> Rank {
            if kind != .end, kind != end { return .unwanted }
            return isEarly ? .early : kind == .end ? .anyEnd : .thisEnd
        }
    }

    /// The order of callbacks in one place.
    @usableFromInline
    enum Rank: CaseIterable { case early, anyEnd, thisEnd, unwanted }

    /// The callbacks that are due in one place and are claimed one after the other.
    @usableFromInline
    package struct Delivery: Sendable {
        /// The number that claims the callbacks; a later delivery in the same place has another number.
        @usableFromInline package let number: UInt64
        @usableFromInline package let place: CallbackPlace

        @inlinable
        init(of first: Registration) {
            number = first.number
            place = first.place
        }
    }

    @usableFromInline
    struct Due: Sendable {
        @usableFromInline let number: UInt64
        @usableFromInline let place: CallbackPlace
        /// The callbacks to call, in reverse order: the last one is next.
        @usableFromInline var remaining: [Registration]
        /// The callbacks that became due during this delivery, in order; they follow `remaining`.
        @usableFromInline var late: [Registration] = []

        @inlinable
        init(_ first: Registration) {
            number = first.number
            place = first.place
            remaining = [first]
        }
    }

    @usableFromInline var registered: [Registration] = []
    @usableFromInline var due: [Due] = []
    @usableFromInline var lastNumber: UInt64 = 0

    @inlinable
    package init() {}

    /// Whether no callback is registered or due.
    @inlinable
    package var isEmpty: Bool { registered.isEmpty && due.isEmpty }

    /// The callbacks that wait for an end, in order of registration.
    @inlinable
    package var registrations: [Registration] { registered }

    /// Returns whether a callback of this kind is registered.
    @inlinable
    package func wants(_ kind: Kind) -> Bool { registered.contains { $0.kind == kind } }

    /// Registers a callback and returns the number that removes it.
    @inlinable
    package mutating func add(_ registration: Registration) -> UInt64 {
        lastNumber += 1
        var registration = registration
        registration.number = lastNumber
        registered.append(registration)
        return lastNumber
    }

    /// Makes the callbacks that wait for `kind` due, and removes the other ones.
    ///
    /// In each place, early callbacks come first, then callbacks for any end, then callbacks for `kind`. Each group
    /// keeps the order of registration.
    ///
    /// Call this method again for callbacks that are registered after the end. A running delivery on the same queue or
    /// actor takes them over.
    ///
    /// - Parameters:
    ///   - kind: The end that happened.
    ///   - turn: The transaction that releases the removed callbacks.
    /// - Returns: The new deliveries, which the caller starts.
    @inlinable
    package mutating func end<Effect, Timer>(_ kind: Kind, _ turn: inout Turn<Effect, Timer>) -> [Delivery] {
        guard !registered.isEmpty else { return [] }
        let all = registered
        registered = []
        let earlier = due.count
        var deliveries: [Delivery] = []
        var places: [CallbackPlace: Int] = [:]
        for rank in Rank.allCases {
            for registration in all where registration.rank(atEnd: kind) == rank {
                if rank == .unwanted {
                    turn.letGo(of: registration)
                } else if let index = delivery(to: registration.place, among: earlier) {
                    // A second delivery would run concurrently with the running one and break the order.
                    due[index].late.append(registration)
                } else if let index = all.count == 1 ? nil : places[registration.place] {
                    due[index].remaining.append(registration)
                } else {
                    // A single callback, the usual case, needs no table.
                    if all.count > 1 { places[registration.place] = due.count }
                    due.append(Due(registration))
                    deliveries.append(Delivery(of: registration))
                }
            }
        }
        // ``claim(_:)`` pops from the end of the array, which is constant time.
        for index in places.values { due[index].remaining.reverse() }
        return deliveries
    }

    /// Returns the index of a delivery for this place among the first `count` ones; nil for `anywhere`.
    @inlinable
    func delivery(to place: CallbackPlace, among count: Int) -> Int? {
        if count == 0 || place == .anywhere { return nil }
        return due[..<count].firstIndex { $0.place == place }
    }

    /// Takes the next callback of a delivery, after which the callback can't be removed; nil ends the delivery.
    @inlinable
    package mutating func claim(_ delivery: UInt64) -> Registration? {
        guard let index = due.firstIndex(where: { $0.number == delivery }) else { return nil }
        if due[index].remaining.isEmpty, !due[index].late.isEmpty {
            due[index].remaining = due[index].late.reversed()
            due[index].late = []
        }
        if let next = due[index].remaining.popLast() { return next }
        due.remove(at: index)
        return nil
    }

    /// Removes the matching callbacks that aren't claimed, and returns whether there were any.
    @inlinable
    @discardableResult
    package mutating func remove<Effect, Timer>(
        _ turn: inout Turn<Effect, Timer>, where isMeant: (Registration) -> Bool
    ) -> Bool {
        var found = false
        func sift(_ list: inout [Registration]) {
            guard list.contains(where: isMeant) else { return }
            found = true
            for registration in list where isMeant(registration) { turn.letGo(of: registration) }
            list.removeAll(where: isMeant)
        }
        sift(&registered)
        for index in due.indices {
            sift(&due[index].remaining)
            sift(&due[index].late)
        }
        return found
    }

    /// Removes the callback with this number, and returns whether it was registered or due.
    @inlinable
    @discardableResult
    package mutating func remove<Effect, Timer>(_ number: UInt64, _ turn: inout Turn<Effect, Timer>) -> Bool {
        remove(&turn) { $0.number == number }
    }
}
