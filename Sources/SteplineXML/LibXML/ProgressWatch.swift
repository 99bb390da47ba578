/// Notices a parser that is busy without reading on.
struct ProgressWatch {
    private var place = -1
    private var calls = 0

    /// Notes a call from the parser at a place of its input; true after too many at the same one.
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

/// How many attributes are declared for each element, by the address of its name: libxml2 keeps each name once.
struct DeclarationCount {
    private var counts: [UnsafePointer<UInt8>: Int] = [:]

    /// libxml2 looks elements up in a table that doesn't grow.
    static let maximumElements = 2_048

    var hasTooManyElements: Bool { counts.count > Self.maximumElements }

    /// Counts one more, and tells how many there are.
    mutating func count(_ element: UnsafePointer<UInt8>) -> Int {
        let count = counts[element, default: 0] + 1
        counts[element] = count
        return count
    }
}

/// How many namespaces are in scope, hidden ones included.
struct NamespaceScope {
    private var counts: [(depth: Int, count: Int)] = []
    private var total = 0

    mutating func enter(_ count: Int, depth: Int) -> Int {
        counts.append((depth, count))
        total += count
        return total
    }

    /// Takes out what was declared deeper than an element's end leaves open.
    @inline(__always)
    mutating func leave(to depth: Int) {
        while let last = counts.last, last.depth > depth {
            total -= last.count
            counts.removeLast()
        }
    }
}
