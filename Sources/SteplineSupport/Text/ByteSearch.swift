/// A search for bytes in time linear in both inputs (Knuth–Morris–Pratt).
struct ByteSearch {
    let wanted: [UInt8]
    /// For each prefix of the wanted bytes, the length of its longest proper prefix that is also a suffix.
    ///
    /// After a mismatch, this many bytes are still matched.
    private let borders: [Int]

    init(_ wanted: some Sequence<UInt8>) {
        let wanted = Array(wanted)
        var borders = [Int](repeating: 0, count: wanted.count)
        var length = 0
        for place in wanted.indices.dropFirst() {
            while length > 0, wanted[length] != wanted[place] { length = borders[length - 1] }
            if wanted[length] == wanted[place] { length += 1 }
            borders[place] = length
        }
        self.wanted = wanted
        self.borders = borders
    }

    /// Returns the first position of the wanted bytes from a start; nil also if no bytes are wanted.
    func place(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard !wanted.isEmpty else { return nil }
        var found = 0
        for place in start..<bytes.count {
            while found > 0, wanted[found] != bytes[place] { found = borders[found - 1] }
            if wanted[found] == bytes[place] { found += 1 }
            if found == wanted.count { return place - found + 1 }
        }
        return nil
    }
}
