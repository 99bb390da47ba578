/// Reads the parts of a date from left to right.
struct DateScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(ScalarText.trimmed(text).utf8) }

    var isAtEnd: Bool { place == bytes.count }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    mutating func blanks() { while next == 32 || next == 9 { place += 1 } }

    /// A number of exactly so many digits.
    mutating func digits(_ count: Int) -> Int? {
        guard place + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[place..<place + count] {
            guard byte >= 48, byte <= 57 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        place += count
        return value
    }

    /// A run of letters.
    mutating func word() -> String? {
        let start = place
        while let byte = next, byte | 32 >= 97, byte | 32 <= 122 { place += 1 }
        return start == place ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// Seconds since midnight from `hh:mm`, `hh:mm:ss` or `hh:mm:ss.f…`.
    mutating func time() -> Double? {
        guard let hour = digits(2) ?? digits(1), hour <= 24, take(":"), let minute = digits(2), minute < 60
        else {
            return nil
        }
        var seconds = 0.0
        if take(":") {
            guard let whole = digits(2), whole <= 60 else { return nil }
            seconds = Double(whole)
            if take(".") || take(",") {
                var scale = 0.1
                while let digit = digits(1) {
                    seconds += Double(digit) * scale
                    scale /= 10
                }
            }
        }
        return Double(hour * 3_600 + minute * 60) + seconds
    }

    /// The offset from UTC in seconds.
    mutating func zone() -> Int? {
        if let name = word() { return Self.zones[name.uppercased()].map { $0 * 3_600 } }
        let sign = take("-") ? -1 : 1
        if sign == 1, !take("+") { return nil }
        guard let hours = digits(2), hours <= 23 else { return nil }
        _ = take(":")
        let minutes = isAtEnd ? 0 : digits(2)
        guard let minutes, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static let zones = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8, "PDT": -7, "CET": 1, "CEST": 2, "BST": 1, "A": -1, "M": -12, "N": 1, "Y": 12,
    ]
}
