import Foundation

/// A search for bytes in time linear in both inputs (Knuth–Morris–Pratt).
package struct ByteSearch: Sendable {
    package let pattern: [UInt8]
    /// For each prefix of the pattern, the length of its longest proper prefix that is also a suffix.
    ///
    /// After a mismatch, this many bytes are still matched.
    private let borders: [Int]

    package init(_ pattern: some Sequence<UInt8>) {
        let pattern = Array(pattern)
        var borders = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for place in pattern.indices.dropFirst() {
            while length > 0, pattern[length] != pattern[place] { length = borders[length - 1] }
            if pattern[length] == pattern[place] { length += 1 }
            borders[place] = length
        }
        self.pattern = pattern
        self.borders = borders
    }

    /// Returns the first position of the pattern from a start; nil also for an empty pattern.
    package func place(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, let first = pattern.first else { return nil }
        return pattern.withUnsafeBufferPointer { pattern in
            var found = 0
            var place = start
            while place < bytes.count {
                if found == 0 {
                    // `memchr` looks at many bytes at once.
                    guard let next = memchr(base + place, Int32(first), bytes.count - place) else {
                        return nil
                    }
                    place = base.distance(to: next.assumingMemoryBound(to: UInt8.self))
                    found = 1
                } else {
                    while found > 0, pattern[found] != bytes[place] { found = borders[found - 1] }
                    if pattern[found] == bytes[place] { found += 1 }
                }
                place += 1
                if found == pattern.count { return place - found }
            }
            return nil
        }
    }
}
