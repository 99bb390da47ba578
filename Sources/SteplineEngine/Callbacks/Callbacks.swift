public import SteplineSupport

/// Who wants to hear of an end, where, and until when: registered, due, claimed one by one, or withdrawn.
///
/// A part of a machine. `News` is what callbacks are called with. What isn't called in the end is handed to the turn, as
/// closures are a user's and may free what they hold.
@usableFromInline
package struct Callbacks<News: Sendable>: Sendable {
    /// Which end a callback is for.
    @usableFromInline
    package enum Kind: Sendable, Hashable {
        case success, failure
        /// Any end, cancellation included.
        case end
    }

    /// What somebody has registered.
    @usableFromInline
    package struct Registration: Sendable {
        @usableFromInline package let kind: Kind
        @usableFromInline package let owner: OwnerToken
        @usableFromInline package let place: CallbackPlace
        /// Whether it comes before all others of its place, as that of an observer of many.
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

    /// Callbacks that are due in one place, to be claimed one after the other.
    @usableFromInline
    package struct Delivery: Sendable {
        /// What claims them; a later delivery in the same place has another.
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
        /// The next one last.
        @usableFromInline var remaining: [Registration]
        /// Those that have come since, which follow; the next one first.
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

    /// Whether nobody is registered or due.
    @inlinable
    package var isEmpty: Bool { registered.isEmpty && due.isEmpty }

    /// Who is registered for an end that hasn't come, in order.
    @inlinable
    package var registrations: [Registration] { registered }

    /// Whether somebody is registered who wants this.
    @inlinable
    package func wants(_ kind: Kind) -> Bool { registered.contains { $0.kind == kind } }

    /// Registers a callback, and returns the number by which it can be removed.
    @inlinable
    package mutating func add(_ registration: Registration) -> UInt64 {
        lastNumber += 1
        var registration = registration
        registration.number = lastNumber
        registered.append(registration)
        return lastNumber
    }

    /// The end has come: whoever wants `kind` is due, in order of registration; the others are let go.
    ///
    /// In each place observers of many come first, then callbacks for any end, then those for this one. Call it again for
    /// what is registered after the end: on a queue or actor where a delivery is going on, it is due in that one.
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
                    due[index].late.append(registration)
                } else if let index = all.count == 1 ? nil : places[registration.place] {
                    due[index].remaining.append(registration)
                } else {
                    // A single one, which is what most have, needs no table.
                    if all.count > 1 { places[registration.place] = due.count }
                    due.append(Due(registration))
                    deliveries.append(Delivery(of: registration))
                }
            }
        }
        for index in places.values { due[index].remaining.reverse() }
        return deliveries
    }

    /// Where among the first so many of what is due stands what is going on in a place: another would run beside it.
    @inlinable
    func delivery(to place: CallbackPlace, among count: Int) -> Int? {
        if count == 0 || place == .anywhere { return nil }
        return due[..<count].firstIndex { $0.place == place }
    }

    /// Takes the next callback of a delivery: from here on it counts as begun.
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

    /// Takes away what isn't wanted any more, due or not, unless it has begun; whether there was any.
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

    /// Takes away one, by its number.
    @inlinable
    @discardableResult
    package mutating func remove<Effect, Timer>(_ number: UInt64, _ turn: inout Turn<Effect, Timer>) -> Bool {
        remove(&turn) { $0.number == number }
    }
}
