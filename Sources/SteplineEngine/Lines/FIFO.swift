/// First in, first out, in amortised constant time: what waits isn't moved at each turn.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var items: [Element?] = []
    /// How many at the front have been taken.
    @usableFromInline var taken = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { taken == items.count }

    @inlinable
    package var count: Int { items.count - taken }

    @inlinable
    package var first: Element? { isEmpty ? nil : items[taken] }

    @inlinable
    package mutating func append(_ element: Element) { items.append(element) }

    /// Puts one back that was the first.
    ///
    /// Constant if one was taken before, else linear.
    package mutating func putBack(_ element: Element) {
        if taken > 0 {
            taken -= 1
            items[taken] = element
        } else {
            items.insert(element, at: 0)
        }
    }

    /// Removes elements and keeps the order of the others; linear.
    package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        items = items[taken...].filter { $0.map { !isRemoved($0) } ?? false }
        taken = 0
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard taken < items.count else { return nil }
        let first = items[taken]
        items[taken] = nil
        taken += 1
        if taken == items.count {
            // A line that was very long once gives its memory back.
            items.removeAll(keepingCapacity: items.capacity <= 4096)
            taken = 0
        } else if taken >= 1024, 2 * taken >= items.count {
            items.removeFirst(taken)
            taken = 0
        }
        return first
    }
}

extension FIFO: Sequence {
    /// From the first to the last, leaving them where they are.
    @usableFromInline
    package func makeIterator() -> IndexingIterator<[Element]> {
        items[taken...].compactMap { $0 }.makeIterator()
    }
}

extension FIFO: Sendable where Element: Sendable {}
