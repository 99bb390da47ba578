/// Powers of five to 128 bits, and the conversion of 64-bit mantissas with them (the idea of Eisel and
/// Lemire): two multiplications; where their error could matter it says so, and the slow way decides.
enum PowersOfFive {
    /// Nearly all numbers in documents are within, and the table takes little time to make.
    private static let exponents = -64...64

    /// For each exponent the first 128 bits of 5^n, the top bit set, the rest cut off.
    private static let table: [(high: UInt64, low: UInt64)] = exponents.map { exponent in
        var five = BigNatural(1)
        for _ in 0..<abs(exponent) { five.multiply(by: 5) }
        return exponent >= 0 ? five.top128 : five.reciprocal128
    }

    /// The nearest double to mantissa times ten to the exponent, or nil if it can't be told.
    ///
    /// The mantissa isn't zero.
    static func double(_ mantissa: UInt64, _ exponent: Int, _ isNegative: Bool) -> Double? {
        guard exponents.contains(exponent) else { return nil }
        let shift = mantissa.leadingZeroBitCount
        let normal = mantissa &<< UInt64(truncatingIfNeeded: shift)
        let power = table[exponent &- exponents.lowerBound]
        var (high, low) = normal.multipliedFullWidth(by: power.high)
        let (sum, carry) = low.addingReportingOverflow(normal.multipliedFullWidth(by: power.low).high)
        low = sum
        if carry { high &+= 1 }
        // The true product is at least high:low, and less than two more in its last place.
        let top = high &>> 63
        let dropped = 10 &+ top
        let rest = high & (1 &<< dropped &- 1)
        let half = 1 as UInt64 &<< (dropped &- 1)
        if rest == half &- 1 && low >= .max &- 2 || rest == half && low == 0 { return nil }
        if rest == 1 &<< dropped &- 1 && low >= .max &- 2 { return nil }
        var bits = high &>> dropped
        if rest >= half { bits &+= 1 }
        // 217706 / 2^16 is the binary logarithm of ten, precise enough for these exponents.
        var biased = (217_706 &* exponent) &>> 16 &+ 63 &+ 1023 &+ Int(truncatingIfNeeded: top) &- shift
        if bits == 1 &<< 53 {
            bits = 1 &<< 52
            biased &+= 1
        }
        let pattern = UInt64(truncatingIfNeeded: biased) &<< 52 | bits & (1 &<< 52 &- 1)
        return Double(bitPattern: pattern | (isNegative ? 1 &<< 63 : 0))
    }
}
