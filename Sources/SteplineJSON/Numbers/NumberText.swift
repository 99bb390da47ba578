/// The literal of a number, validated by the parser and converted on demand.
struct NumberText {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    @inline(__always)
    var isNegative: Bool { bytes.first == UInt8(ascii: "-") }

    /// The value of a literal of only digits, without its sign; nil if it has other characters or exceeds 64 bits.
    @inline(__always)
    var magnitude: UInt64? {
        let start = isNegative ? 1 : 0
        guard bytes.count &- start <= 20 else { return nil }
        var value: UInt64 = 0
        var index = start
        let safe = min(bytes.count, start &+ 19)
        while index < safe {
            let digit = bytes[index] &- 0x30
            if digit > 9 { return nil }
            value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
            index &+= 1
        }
        guard index < bytes.count else { return value }
        let digit = bytes[index] &- 0x30
        if digit > 9 { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(truncatingIfNeeded: digit))
        return overflow || carry ? nil : sum
    }

    /// Returns the value if it is whole and fits, otherwise nil.
    @inline(__always)
    func integer<T: FixedWidthInteger>() -> T? {
        if let magnitude { return NumberText.signed(magnitude, isNegative) }
        return wideInteger()
    }

    @inline(__always)
    private static func signed<T: FixedWidthInteger>(_ magnitude: UInt64, _ isNegative: Bool) -> T? {
        guard isNegative else { return T(exactly: magnitude) }
        if magnitude <= UInt64(Int64.max) { return T(exactly: 0 &- Int64(truncatingIfNeeded: magnitude)) }
        if magnitude == 1 << 63 { return T(exactly: Int64.min) }
        // The value is below `Int64.min`, so only a wider type can hold it.
        guard T.isSigned, let positive = T(exactly: magnitude) else { return nil }
        return 0 - positive
    }

    /// Converts whole numbers with a fraction or an exponent, and those beyond 64 bits.
    @inline(never)
    private func wideInteger<T: FixedWidthInteger>() -> T? {
        let number = DecimalDigits(bytes)
        // Each digit needs more than three bits, so a number with more digits than this can't fit.
        let most = T.bitWidth / 3 + 1
        guard number.exponent >= 0, number.exponent <= most, number.digits.count + number.exponent <= most
        else { return nil }
        var result: T = 0
        for digit in number.digits + [UInt8](repeating: 0, count: number.exponent) {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow, let part = T(exactly: digit) else { return nil }
            let (sum, carry) =
                number.isNegative
                ? product.subtractingReportingOverflow(part) : product.addingReportingOverflow(part)
            guard !carry else { return nil }
            result = sum
        }
        return result
    }
}
