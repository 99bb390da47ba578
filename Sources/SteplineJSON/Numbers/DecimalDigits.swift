/// A number as digits times a power of ten, without leading and trailing zeros: equal numbers have equal
/// parts.
struct DecimalDigits: Hashable {
    let isNegative: Bool
    /// Values 0…9; none for zero.
    let digits: [UInt8]
    let exponent: Int
    /// The number's text, where its exponent is beyond reckoning; such numbers are equal only as text.
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
