extension NumberText {
    /// The nearest double; nil if the number is too large.
    @inline(__always)
    var double: Double? {
        if let fast { return fast }
        return slow
    }

    /// The value if the literal has at most 19 significant digits, which fit a 64-bit mantissa; otherwise nil.
    ///
    /// Also nil if the result isn't certain; see ``PowersOfFive``.
    @inline(__always)
    private var fast: Double? {
        var mantissa: UInt64 = 0
        let first = isNegative ? 1 : 0
        var index = Digits.take(bytes, from: first, into: &mantissa)
        var digits = index &- first
        var exponent = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            let point = index &+ 1
            index = Digits.take(bytes, from: point, into: &mantissa)
            exponent = point &- index
            digits &-= exponent
        }
        // Leading zeros don't overflow the mantissa, so count only significant digits.
        if digits > 19 {
            digits &-= leadingZeros
            guard digits <= 19 else { return nil }
        }
        if index < bytes.count {
            index &+= 1
            let isDown = bytes[index] == UInt8(ascii: "-")
            if isDown || bytes[index] == UInt8(ascii: "+") { index &+= 1 }
            // Longer exponents, which may have leading zeros, are left to the slow conversion.
            guard bytes.count &- index < 5 else { return nil }
            var written: UInt64 = 0
            _ = Digits.take(bytes, from: index, into: &written)
            let power = Int(truncatingIfNeeded: written)
            exponent &+= isDown ? 0 &- power : power
        }
        return NumberText.scaled(mantissa, exponent, isNegative)
    }

    /// The number of zeros before the first significant digit.
    @inline(never)
    private var leadingZeros: Int {
        var zeros = 0
        for byte in bytes {
            if byte == UInt8(ascii: "0") { zeros += 1 } else if byte > UInt8(ascii: "0") { break }
        }
        return zeros
    }

    /// Clinger's fast path: a mantissa up to 2^53, multiplied or divided by an exact power of ten.
    ///
    /// Only one rounding occurs, so the result is exact.
    @inline(__always)
    private static func scaled(_ mantissa: UInt64, _ exponent: Int, _ isNegative: Bool) -> Double? {
        if mantissa == 0 { return isNegative ? -0.0 : 0 }
        guard mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else {
            return PowersOfFive.double(mantissa, exponent, isNegative)
        }
        let whole = Double(Int64(truncatingIfNeeded: mantissa))
        let power = PowersOfTen.exact[exponent < 0 ? 0 &- exponent : exponent]
        let value = exponent < 0 ? whole / power : whole * power
        return isNegative ? -value : value
    }

    /// The result of the standard library's conversion, which ignores the locale.
    @inline(never)
    private var slow: Double? {
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}

/// The powers of ten that a double represents exactly.
enum PowersOfTen {
    static let exact: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
