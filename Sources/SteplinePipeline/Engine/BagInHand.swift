/// The bag on its way: what the current step got, or, after an end, what the latest step has left.
struct BagInHand {
    /// What the first step gets.
    private(set) var first: Content
    private(set) var current: Content
    private var hasBeenLeft = false

    init(_ first: Content) {
        self.first = first
        current = first
    }

    /// What a step has left; nil until one has ended.
    var left: Content? { hasBeenLeft ? current : nil }

    /// A step leaves a bag behind; returns the one before, which is to be freed after the lock.
    mutating func leave(_ bag: Content) -> Content {
        defer {
            current = bag
            hasBeenLeft = true
        }
        return current
    }

    /// Gives the first step another; returns the one before, which is to be freed after the lock.
    mutating func replaceFirst(by bag: Content) -> Content {
        defer { (first, current) = (bag, bag) }
        return first
    }
}
