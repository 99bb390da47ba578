import SteplineSupport

/// The list of a growing map, as the body of one element adds to it.
///
///     let pages = try workflow.grow("page", from: [start], key: \.path) { page, more in
///         let links = try await links(of: page)
///         more.add(links)
///         return links.count
///     }
///
/// The additions belong to the attempt: they count once the attempt has finished, together with its result. An attempt
/// that fails, is cancelled or is interrupted adds nothing. An element whose key is in the list already is skipped.
public struct GrowingList<Element: Sendable>: Sendable {
    /// The number of elements between this one and the first ones: 0 for a first element, 1 for what it finds.
    public let depth: Int

    private let found = Found()

    init(depth: Int) { self.depth = depth }

    /// Adds an element.
    ///
    /// Has no effect after the body has returned.
    public func add(_ element: Element) { found.add(CollectionOfOne(element)) }

    /// Adds elements, in their order.
    ///
    /// Has no effect after the body has returned.
    public func add(_ elements: some Sequence<Element>) { found.add(elements) }

    /// Ends the additions, and returns them.
    func close() -> [Element] { found.close() }

    /// The additions; nil after the body has returned.
    private final class Found: Sendable {
        private let elements = Locked<[Element]?>([])

        func add(_ more: some Sequence<Element>) {
            // Iterated before the lock is taken: the sequence is user code.
            let more = Array(more)
            elements.withLock { $0?.append(contentsOf: more) }
        }

        func close() -> [Element] { elements.withLock { $0.take() } ?? [] }
    }
}
