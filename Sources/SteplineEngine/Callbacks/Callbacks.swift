public import SteplineSupport

/// The callbacks for one end: registered, then due, then claimed one by one, or removed before.
///
/// A part of a machine, used under its lock. `News` is the argument of a callback. Registrations that are never called
/// are handed to the transaction, which releases them after unlock: closures are users' and may free what they hold.
@usableFromInline
package struct Callbacks<News: Sendable>: Sendable {
    /// The kind of end that a callback waits for.
    @usableFromInline
    package enum Kind: Sendable, Hashable {
        case success, failure
        /// Any end, cancellation included.
        case end
    }

    /// One registered callback.
    @usableFromInline
    package struct Registration: Sendable {
        @usableFromInline package let kind: Kind
        @usableFromInline package let owner: OwnerToken
        @usableFromInline package let place: CallbackPlace
        /// The observer of many objects that registered it; nil for any other callback.
        ///
        /// An observer's callback comes before all others of its place.
        @usableFromInline package let observer: (any AnyObject & Sendable)?
        @usableFromInline package let call: @Sendable (News) -> Void
        @usableFromInline package internal(set) var number: UInt64 = 0

        @inlinable
        package init(
            _ kind: Kind, owner: OwnerToken = OwnerToken(nil), place: CallbackPlace = .anywhere,
            observer: (any AnyObject & Sendable)? = nil, call: @escaping @Sendable (News) -> Void
        ) {
            self.kind = kind
            self.owner = owner
            self.place = place
            self.observer = observer
            self.call = call
        }

        @inlinable
        func rank(atEnd end: Kind) -> Rank {
            if kind != .end, kind != end { return .unwanted }
            return observer != nil ? .early : kind == .end ? .anyEnd : .thisEnd
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

    /// The callbacks that aren't due yet, in order of registration.
    @inlinable
    package var registrations: [Registration] { registered }

    /// Whether a callback of this kind is registered.
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

    /// The end has come: callbacks for `kind` are due, in order of registration; the others are released.
    ///
    /// In each place observers come first, then callbacks for any end, then those for this one. Call it again for
    /// callbacks registered after the end: on a queue or actor with a delivery in progress, they join that delivery.
    @inlinable
    package mutating func end<Effect, Timer>(_ kind: Kind, _ turn: inout Turn<Effect, Timer>) -> [Delivery] {
        guard !registered.isEmpty else { return [] }
        let all = registered
        registered = []
        // Deliveries below this index are in progress; those that this call creates follow.
        let earlier = due.count
        var deliveries: [Delivery] = []
        var places: [CallbackPlace: Int] = [:]
        for rank in Rank.allCases {
            for registration in all where registration.rank(atEnd: kind) == rank {
                if rank == .unwanted {
                    turn.releaseAfterUnlock(registration)
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
        // `anywhere` has no queue whose order could break: a late callback gets a delivery of its own.
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
        // Under the lock: a concurrent ``end(_:_:)`` either joined this delivery before, or creates a new one.
        due.remove(at: index)
        return nil
    }

    /// Removes the matching callbacks, due or not, unless they have begun; returns whether there was any.
    @inlinable
    @discardableResult
    package mutating func remove<Effect, Timer>(
        _ turn: inout Turn<Effect, Timer>, where isMeant: (Registration) -> Bool
    ) -> Bool {
        var found = false
        func sift(_ list: inout [Registration]) {
            guard list.contains(where: isMeant) else { return }
            found = true
            for registration in list where isMeant(registration) { turn.releaseAfterUnlock(registration) }
            list.removeAll(where: isMeant)
        }
        // A claimed callback is in none of these lists: its call has begun, or is about to.
        sift(&registered)
        for index in due.indices {
            sift(&due[index].remaining)
            sift(&due[index].late)
        }
        return found
    }

    /// Removes one callback, by its number.
    @inlinable
    @discardableResult
    package mutating func remove<Effect, Timer>(_ number: UInt64, _ turn: inout Turn<Effect, Timer>) -> Bool {
        remove(&turn) { $0.number == number }
    }
}
