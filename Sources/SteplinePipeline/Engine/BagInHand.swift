/// The current content: the input of the current step, or the content that the latest step left.
struct BagInHand {
    /// The content that the first step receives.
    private(set) var first: Content
    private(set) var current: Content
    private var hasBeenLeft = false

    init(_ first: Content) {
        self.first = first
        current = first
    }

    /// The content that the latest ended step left; nil before the first end.
    var left: Content? { hasBeenLeft ? current : nil }

    /// Stores the content that a step leaves, and returns the previous content for release after unlock.
    mutating func leave(_ bag: Content) -> Content {
        // The return value is read before `defer` runs, so the previous content is returned.
        defer {
            current = bag
            hasBeenLeft = true
        }
        return current
    }

    /// Replaces the first step's content, and returns the previous content for release after unlock.
    mutating func replaceFirst(by bag: Content) -> Content {
        defer { (first, current) = (bag, bag) }
        return first
    }
}
