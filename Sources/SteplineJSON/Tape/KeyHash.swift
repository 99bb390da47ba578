/// Hash functions for keys.
enum KeyHash {
    /// The seed, random for each process, so that an attacker can't choose colliding keys.
    private static let seed = UInt64.random(in: 1...UInt64.max)

    /// Returns a fast fingerprint of at most sixteen bytes of a key, for objects with few keys.
    ///
    /// Reads up to eight bytes past the key.
    @inline(__always)
    static func fingerprint(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(start)
        var value = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
        if count < 8 {
            value &= (1 &<< (UInt64(truncatingIfNeeded: count) &<< 3)) &- 1
        } else {
            let tail = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            value ^= tail &* 0x9E37_79B9_7F4A_7C15
        }
        return (value ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
    }

    /// Returns a seeded hash of all bytes, for objects with many keys.
    static func full(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index &+ 8 <= bytes.count {
            state = fold(state ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest &<< 8 | UInt64(truncatingIfNeeded: bytes[index])
            index &+= 1
        }
        return fold(fold(state ^ rest) ^ seed)
    }

    /// Combines two hashes with the seed; the order counts.
    @inline(__always)
    static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        fold(fold(first ^ seed) &+ second ^ 0x8EBC_6AF0_9C88_C6E3)
    }

    @inline(__always)
    private static func fold(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: seed | 1)
        return product.high ^ product.low
    }
}
