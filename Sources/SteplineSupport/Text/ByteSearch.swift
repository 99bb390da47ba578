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
        guard !pattern.isEmpty else { return nil }
        var found = 0
        for place in start..<bytes.count {
            while found > 0, pattern[found] != bytes[place] { found = borders[found - 1] }
            if pattern[found] == bytes[place] { found += 1 }
            if found == pattern.count { return place - found + 1 }
        }
        return nil
    }
}
