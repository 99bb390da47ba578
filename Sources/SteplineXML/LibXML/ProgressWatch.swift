/// Detects a parser that makes calls without advancing.
struct ProgressWatch {
    private var place = -1
    private var calls = 0

    /// Counts a call at an input position; returns true after too many at the same one.
    mutating func isStuck(at place: Int, patience: Int) -> Bool {
        guard place == self.place else {
            self.place = place
            calls = 0
            return false
        }
        calls += 1
        return calls > patience
    }
}

/// The number of declared attributes for each element, by the address of its name in libxml2's dictionary.
struct DeclarationCount {
    private var counts: [UnsafePointer<UInt8>: Int] = [:]

    /// The limit of declared elements: libxml2's table doesn't grow.
    static let maximumElements = 2_048

    var hasTooManyElements: Bool { counts.count > Self.maximumElements }

    /// Counts a declaration and returns the element's total.
    mutating func count(_ element: UnsafePointer<UInt8>) -> Int {
        let count = counts[element, default: 0] + 1
        counts[element] = count
        return count
    }
}

/// The number of namespaces in scope, including hidden ones.
struct NamespaceScope {
    private var counts: [(depth: Int, count: Int)] = []
    private var total = 0

    mutating func enter(_ count: Int, depth: Int) -> Int {
        counts.append((depth, count))
        total += count
        return total
    }

    /// Removes declarations of closed elements.
    @inline(__always)
    mutating func leave(to depth: Int) {
        while let last = counts.last, last.depth > depth {
            total -= last.count
            counts.removeLast()
        }
    }
}
