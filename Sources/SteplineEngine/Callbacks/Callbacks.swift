package import SteplineSupport

/// Who wants to hear of an end, where, and until when: registered, due, claimed one by one, or withdrawn.
///
/// A part of a machine. `News` is what callbacks are called with. What isn't called in the end is handed to the turn, as
/// closures are a user's and may free what they hold.
package struct Callbacks<News: Sendable>: Sendable {
    /// Which end a callback is for.
    package enum Kind: Sendable, Hashable {
        case success, failure
        /// Any end, cancellation included.
        case end
    }

    /// What somebody has registered.
    package struct Registration: Sendable {
        package let kind: Kind
        package let owner: OwnerToken
        package let place: CallbackPlace
        /// Whether it comes before all others of its place, as that of an observer of many.
        package let isEarly: Bool
        package let call: @Sendable (News) -> Void
        package fileprivate(set) var number: UInt64 = 0

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
    }

    /// Callbacks that are due in one place, to be claimed one after the other.
    package struct Delivery: Sendable {
        /// What claims them; a later delivery in the same place has another.
        package let number: UInt64
        package let place: CallbackPlace
    }

    private struct Due {
        let number: UInt64
        /// The next one last.
        var remaining: [Registration]
    }

    private var registered: [Registration] = []
    private var due: [Due] = []
    private var lastNumber: UInt64 = 0

    package init() {}

    /// Whether nobody is registered or due.
    package var isEmpty: Bool { registered.isEmpty && due.isEmpty }

    /// Who is registered for an end that hasn't come, in order.
    package var registrations: [Registration] { registered }

    /// Whether somebody is registered who wants this.
    package func wants(_ kind: Kind) -> Bool { registered.contains { $0.kind == kind } }

    /// Registers a callback, and returns the number by which it can be removed.
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
    /// what is registered after the end.
    package mutating func end<Logic>(_ kind: Kind, _ turn: inout Turn<Logic>) -> [Delivery] {
        guard !registered.isEmpty else { return [] }
        let all = registered
        registered = []
        let wanted = all.filter { $0.kind == .end || $0.kind == kind }
        for other in all where other.kind != .end && other.kind != kind { turn.letGo(of: other) }
        let sorted =
            wanted.filter(\.isEarly) + wanted.filter { !$0.isEarly && $0.kind == .end }
            + wanted.filter { !$0.isEarly && $0.kind != .end }
        var places: [CallbackPlace: Int] = [:]
        var deliveries: [Delivery] = []
        for registration in sorted {
            if let index = places[registration.place] {
                due[index].remaining.append(registration)
            } else {
                places[registration.place] = due.count
                due.append(Due(number: registration.number, remaining: [registration]))
                deliveries.append(Delivery(number: registration.number, place: registration.place))
            }
        }
        for index in places.values { due[index].remaining.reverse() }
        return deliveries
    }

    /// Takes the next callback of a delivery: from here on it counts as begun.
    package mutating func claim(_ delivery: UInt64) -> Registration? {
        guard let index = due.firstIndex(where: { $0.number == delivery }) else { return nil }
        if let next = due[index].remaining.popLast() { return next }
        due.remove(at: index)
        return nil
    }

    /// Takes away what isn't wanted any more, due or not, unless it has begun; whether there was any.
    @discardableResult
    package mutating func remove<Logic>(
        _ turn: inout Turn<Logic>, where isMeant: (Registration) -> Bool
    ) -> Bool {
        var found = false
        func sift(_ list: inout [Registration]) {
            guard list.contains(where: isMeant) else { return }
            found = true
            for registration in list where isMeant(registration) { turn.letGo(of: registration) }
            list.removeAll(where: isMeant)
        }
        sift(&registered)
        for index in due.indices { sift(&due[index].remaining) }
        return found
    }

    /// Takes away one, by its number.
    @discardableResult
    package mutating func remove<Logic>(_ number: UInt64, _ turn: inout Turn<Logic>) -> Bool {
        remove(&turn) { $0.number == number }
    }
}
