/// The scanners in the inner loop of the parser.
///
/// Each stops at the zero bytes after the source, so none checks for the end.
enum Scan {
    static let null: UInt32 = bytes("null")
    static let `true`: UInt32 = bytes("true")
    static let alse: UInt32 = bytes("alse")

    @inline(__always)
    private static func bytes(_ text: StaticString) -> UInt32 {
        UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt32.self)
    }

    @inline(__always)
    static func word(_ p: UnsafePointer<UInt8>) -> UInt32 {
        UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)
    }

    @inline(__always)
    static func skipSpace(_ p: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        if p.pointee > 0x20 { return p }
        let next = p + 1
        if p.pointee == 0x20, next.pointee > 0x20 { return next }
        return skipLongSpace(p)
    }

    @inline(never)
    private static func skipLongSpace(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var p = start
        while true {
            let byte = p.pointee
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return p }
            // Skip up to eight equal bytes at once, as in indented text.
            let difference = eight(p) ^ (0x0101_0101_0101_0101 &* UInt64(byte))
            p += difference == 0 ? 8 : difference.trailingZeroBitCount &>> 3
        }
    }

    /// Loads eight bytes, the first in the lowest byte.
    @inline(__always)
    private static func eight(_ p: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
    }

    /// Returns a mask with the top bit set in each byte that is a quote, a backslash, a control or not ASCII.
    ///
    /// Only the lowest set bit is reliable: a borrow from a special byte may set the bit of the next byte.
    @inline(__always)
    private static func specials(_ bytes: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (bytes ^ 0x2222_2222_2222_2222) &- ones
        let slashes = (bytes ^ 0x5C5C_5C5C_5C5C_5C5C) &- ones
        let controls = bytes &- 0x2020_2020_2020_2020
        return (quotes | slashes | controls | bytes) & 0x8080_8080_8080_8080
    }

    /// Returns the first quote, backslash, control or non-ASCII byte at or after `start`.
    @inline(__always)
    static func firstSpecial(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var p = start
        while true {
            let found = specials(eight(p))
            if found != 0 { return p + (found.trailingZeroBitCount &>> 3) }
            p += 8
        }
    }

    struct Number {
        let end: UnsafePointer<UInt8>
        let isInteger: Bool
        let isValid: Bool
    }

    /// Scans the number at `start`, which points to a minus or a digit.
    @inline(__always)
    static func number(_ start: UnsafePointer<UInt8>) -> Number {
        var p = start
        if p.pointee == UInt8(ascii: "-") { p += 1 }
        if p.pointee == UInt8(ascii: "0") {
            p += 1
        } else {
            guard isDigit(p) else { return Number(end: p, isInteger: false, isValid: false) }
            repeat { p += 1 } while isDigit(p)
        }
        var isInteger = true
        if p.pointee == UInt8(ascii: ".") {
            isInteger = false
            p += 1
            guard isDigit(p) else { return Number(end: p, isInteger: false, isValid: false) }
            while Digits.areDigits(eight(p)) { p += 8 }
            while isDigit(p) { p += 1 }
        }
        if p.pointee | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            p += 1
            if p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
            guard isDigit(p) else { return Number(end: p, isInteger: false, isValid: false) }
            repeat { p += 1 } while isDigit(p)
        }
        return Number(end: p, isInteger: isInteger, isValid: true)
    }

    @inline(__always)
    private static func isDigit(_ p: UnsafePointer<UInt8>) -> Bool { p.pointee &- 0x30 < 10 }
}
