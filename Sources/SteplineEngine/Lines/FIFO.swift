/// A first-in, first-out queue in an array, with amortized constant time per operation.
///
/// Elements before `taken` are empty slots. Removing an element clears its slot and moves nothing. The array is
/// compacted when at least 1,024 slots and half of the array are empty.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var items: [Element?] = []
    /// The number of empty slots at the front.
    @usableFromInline var taken = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { taken == items.count }

    @inlinable
    package var count: Int { items.count - taken }

    @inlinable
    package var first: Element? { isEmpty ? nil : items[taken] }

    /// The element that is so many places behind the first.
    @inlinable
    package func element(_ distance: Int) -> Element? {
        distance < count ? items[taken + distance] : nil
    }

    @inlinable
    package mutating func append(_ element: Element) { items.append(element) }

    /// Puts the most recently removed element back at the front.
    ///
    /// Constant time if `taken` is positive, otherwise linear.
    @inlinable
    package mutating func putBack(_ element: Element) {
        if taken > 0 {
            taken -= 1
            items[taken] = element
        } else {
            items.insert(element, at: 0)
        }
    }

    /// Removes the matching elements and keeps the order of the rest, in linear time.
    @inlinable
    package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        items = items[taken...].filter { $0.map { !isRemoved($0) } ?? false }
        taken = 0
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard taken < items.count else { return nil }
        let first = items[taken]
        // Clear the slot: the array must not retain an element that was taken.
        items[taken] = nil
        taken += 1
        if taken == items.count {
            // Give memory back after a long queue, but keep the capacity of a usual one.
            items.removeAll(keepingCapacity: items.capacity <= 4096)
            taken = 0
        } else if taken >= 1024, 2 * taken >= items.count {
            // Moves at most as many elements as were taken since the last compaction.
            items.removeFirst(taken)
            taken = 0
        }
        return first
    }
}

extension FIFO: Sequence {
    /// Returns an iterator from the first to the last element, without removing any.
    @inlinable
    package func makeIterator() -> IndexingIterator<[Element]> {
        items[taken...].compactMap { $0 }.makeIterator()
    }
}

extension FIFO: Sendable where Element: Sendable {}
