/// Converts 64-bit mantissas to doubles with powers of five of 128 bits, as Eisel and Lemire proposed.
///
/// A conversion takes two multiplications. If the truncation error could change the result, `double(_:_:_:)`
/// returns nil and the caller uses the slow conversion.
enum PowersOfFive {
    /// The exponents in the table: almost all numbers in documents, and quick to compute.
    private static let exponents = -64...64

    /// The 128 most significant bits of 5^n for each exponent n, truncated.
    private static let table: [(high: UInt64, low: UInt64)] = exponents.map { exponent in
        var five = BigNatural(1)
        for _ in 0..<abs(exponent) { five.multiply(by: 5) }
        return exponent >= 0 ? five.top128 : five.reciprocal128
    }

    /// Returns the nearest double to the mantissa times ten to the exponent; nil if the result isn't certain.
    ///
    /// The mantissa must not be zero.
    static func double(_ mantissa: UInt64, _ exponent: Int, _ isNegative: Bool) -> Double? {
        guard exponents.contains(exponent) else { return nil }
        let shift = mantissa.leadingZeroBitCount
        let normal = mantissa &<< UInt64(truncatingIfNeeded: shift)
        let power = table[exponent &- exponents.lowerBound]
        var (high, low) = normal.multipliedFullWidth(by: power.high)
        let (sum, carry) = low.addingReportingOverflow(normal.multipliedFullWidth(by: power.low).high)
        low = sum
        if carry { high &+= 1 }
        // The exact product is at least high:low, and exceeds it by less than two units in the last place.
        let top = high &>> 63
        let dropped = 10 &+ top
        let rest = high & (1 &<< dropped &- 1)
        let half = 1 as UInt64 &<< (dropped &- 1)
        if rest == half &- 1 && low >= .max &- 2 || rest == half && low == 0 { return nil }
        if rest == 1 &<< dropped &- 1 && low >= .max &- 2 { return nil }
        var bits = high &>> dropped
        if rest >= half { bits &+= 1 }
        // 217706 / 2^16 approximates the binary logarithm of ten closely enough for these exponents.
        var biased = (217_706 &* exponent) &>> 16 &+ 63 &+ 1023 &+ Int(truncatingIfNeeded: top) &- shift
        if bits == 1 &<< 53 {
            bits = 1 &<< 52
            biased &+= 1
        }
        let pattern = UInt64(truncatingIfNeeded: biased) &<< 52 | bits & (1 &<< 52 &- 1)
        return Double(bitPattern: pattern | (isNegative ? 1 &<< 63 : 0))
    }
}
