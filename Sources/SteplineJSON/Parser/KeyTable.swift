import Foundation

/// An open-addressed hash table of an object's keys, used to find duplicates.
struct KeyTable {
    private let slots: UnsafeMutablePointer<UInt32>
    private let mask: Int

    init(members: Int) {
        var capacity = 16
        while capacity < members * 2 { capacity *= 2 }
        mask = capacity - 1
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)  // no key has index 0
    }

    func release() { slots.deallocate() }

    /// Inserts the key at `index`, and returns the index of the equal key it replaces, if any.
    mutating func insert(
        _ index: Int, _ words: UnsafeMutablePointer<UInt64>, _ base: UnsafePointer<UInt8>
    ) -> Int? {
        let key = Word(raw: words[index])
        return KeyTable.withPlainBytes(key, base) { bytes in
            var slot = Int(truncatingIfNeeded: KeyHash.full(bytes)) & mask
            while slots[slot] != 0 {
                let other = Int(slots[slot])
                let isSame = KeyTable.withPlainBytes(Word(raw: words[other]), base) { $0.isEqual(to: bytes) }
                if isSame {
                    slots[slot] = UInt32(truncatingIfNeeded: index)
                    return other
                }
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt32(truncatingIfNeeded: index)
            return nil
        }
    }

    private static func withPlainBytes<R>(
        _ key: Word, _ base: UnsafePointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        let bytes = UnsafeBufferPointer(start: base + key.lower, count: key.upper)
        guard key.isEscaped else { return body(bytes) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { buffer in
            let count = Escapes.unescape(bytes, into: buffer)
            return body(UnsafeBufferPointer(start: buffer.baseAddress, count: count))
        }
    }
}
