/// Finds bytes among others in time linear in both, whatever they are.
struct ByteSearch {
    let wanted: [UInt8]
    /// For each beginning of what is wanted, how many of its last bytes are a beginning again: so much of it may already
    /// have been found where the next byte doesn't fit.
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

    /// Where what is wanted stands first, from a place on; nil also where nothing is wanted.
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
