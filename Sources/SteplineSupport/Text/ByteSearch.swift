/// A search for bytes in time linear in both inputs (Knuth–Morris–Pratt).
struct ByteSearch {
    let expected: [UInt8]
    /// For each prefix of the wanted bytes, the length of its longest proper prefix that is also a suffix.
    ///
    /// After a mismatch, this many bytes are still matched.
    private let borders: [Int]

    init(_ expected: some Sequence<UInt8>) {
        let expected = Array(expected)
        var borders = [Int](repeating: 0, count: expected.count)
        var length = 0
        for place in expected.indices.dropFirst() {
            while length > 0, expected[length] != expected[place] { length = borders[length - 1] }
            if expected[length] == expected[place] { length += 1 }
            borders[place] = length
        }
        self.expected = expected
        self.borders = borders
    }

    /// Returns the first position of the wanted bytes from a start; nil also if no bytes are wanted.
    func place(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard !expected.isEmpty else { return nil }
        var found = 0
        for place in start..<bytes.count {
            while found > 0, expected[found] != bytes[place] { found = borders[found - 1] }
            if expected[found] == bytes[place] { found += 1 }
            if found == expected.count { return place - found + 1 }
        }
        return nil
    }
}
