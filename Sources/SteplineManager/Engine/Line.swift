/// First come, first served, without moving what waits at each turn.
struct Line<Element> {
    private var items: [Element?] = []
    private var taken = 0

    var isEmpty: Bool { taken == items.count }

    mutating func append(_ element: Element) { items.append(element) }

    /// Puts one back that was the first.
    mutating func putBack(_ element: Element) { items.insert(element, at: taken) }

    mutating func popFirst() -> Element? {
        guard taken < items.count else { return nil }
        let first = items[taken]
        items[taken] = nil
        taken += 1
        if taken == items.count {
            items.removeAll(keepingCapacity: items.capacity <= 1024)
            taken = 0
        } else if taken >= 1024, 2 * taken >= items.count {
            items.removeFirst(taken)
            taken = 0
        }
        return first
    }
}
