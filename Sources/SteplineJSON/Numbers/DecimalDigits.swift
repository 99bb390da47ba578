/// A number as digits times a power of ten, without leading and trailing zeros.
///
/// Equal numbers have equal components.
struct DecimalDigits: Hashable {
    let isNegative: Bool
    /// The digits, with values 0…9; empty for zero.
    let digits: [UInt8]
    let exponent: Int
    /// The literal, if its exponent overflows an `Int`; such numbers are equal only if their literals are.
    private let oddity: [UInt8]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var digits: [UInt8] = []
        var exponent = 0
        var seenPoint = false
        var index = bytes.first == UInt8(ascii: "-") ? 1 : 0
        let hasMinus = index == 1
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            if digit <= 9 {
                if digit != 0 || !digits.isEmpty { digits.append(digit) }
                if seenPoint { exponent -= 1 }
            } else if bytes[index] == UInt8(ascii: ".") {
                seenPoint = true
            } else {
                break
            }
            index += 1
        }
        let written = DecimalDigits.exponent(bytes, from: index + 1)
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        guard !digits.isEmpty else {
            self.init(isNegative: false, digits: [], exponent: 0, oddity: [])
            return
        }
        let (sum, overflow) = exponent.addingReportingOverflow(written ?? 0)
        let isOdd = written == nil || overflow
        self.init(
            isNegative: hasMinus, digits: digits, exponent: isOdd ? .max : sum,
            oddity: isOdd ? Array(bytes) : [])
    }

    /// Returns whether this number is less than the other.
    ///
    /// Numbers of the same sign whose exponents overflow are unordered.
    func isLess(than other: DecimalDigits) -> Bool {
        if isNegative != other.isNegative { return isNegative }
        return isNegative ? other.isNearerToZero(than: self) : isNearerToZero(than: other)
    }

    private func isNearerToZero(than other: DecimalDigits) -> Bool {
        if magnitude != other.magnitude { return magnitude < other.magnitude }
        return oddity.isEmpty && digits.lexicographicallyPrecedes(other.digits)
    }

    /// The power of ten of the first digit.
    private var magnitude: Int {
        guard oddity.isEmpty else {
            let isSmall = oddity.dropFirst().contains(UInt8(ascii: "-"))
            return isSmall ? .min + 1 : .max
        }
        if digits.isEmpty { return .min }
        let (sum, overflow) = exponent.addingReportingOverflow(digits.count)
        return overflow ? .max : sum
    }

    private init(isNegative: Bool, digits: [UInt8], exponent: Int, oddity: [UInt8]) {
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = exponent
        self.oddity = oddity
    }

    private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count else { return 0 }
        return Int(String(decoding: bytes[start...], as: UTF8.self))
    }
}
