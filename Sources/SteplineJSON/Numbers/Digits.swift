/// Parses decimal digits, eight at a time where possible.
enum Digits {
    /// Appends the digits from `start` on to `value`, which may wrap, and returns the end of the digits.
    @inline(__always)
    static func take(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, into value: inout UInt64) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index &+ 8 <= bytes.count {
            let eight = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            guard areDigits(eight) else { break }
            value = value &* 100_000_000 &+ Digits.value(ofEight: eight)
            index &+= 8
        }
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
            index &+= 1
        }
        return index
    }

    /// Returns whether all eight bytes are digits.
    ///
    /// The addition sets the top bit of bytes above 9, the subtraction that of bytes below 0.
    @inline(__always)
    static func areDigits(_ eight: UInt64) -> Bool {
        let above = eight &+ 0x4646_4646_4646_4646
        let below = eight &- 0x3030_3030_3030_3030
        return (above | below) & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the value of eight digits, the first in the lowest byte.
    ///
    /// Multiplications join digits to pairs, pairs to groups of four, and those to the value.
    @inline(__always)
    static func value(ofEight eight: UInt64) -> UInt64 {
        let digits = eight &- 0x3030_3030_3030_3030
        let pairs = digits &* 10 &+ digits &>> 8
        let outer = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let inner = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (outer &+ inner) &>> 32
    }
}
