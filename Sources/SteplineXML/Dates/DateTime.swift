/// A time of day.
struct DateTime {
    /// The seconds since midnight.
    let seconds: Double

    /// Parses `hh:mm`, `hh:mm:ss`, `hh:mm:ss.f…`, or `hhmm` and `hhmmss` without colons.
    init?(_ scanner: inout DateScanner) {
        let isCompact = scanner.digitCount >= 4
        guard let hour = scanner.digits(isCompact ? 2 : min(scanner.digitCount, 2)), hour <= 24,
            isCompact || scanner.take(":"), let minute = scanner.digits(2), minute < 60
        else { return nil }
        var second = 0.0
        if isCompact ? scanner.isDigit() : scanner.take(":") {
            // 60 is a leap second.
            guard let whole = scanner.digits(2), whole <= 60 else { return nil }
            second = Double(whole) + Self.fraction(&scanner)
        }
        guard !scanner.isDigit(), hour < 24 || (minute == 0 && second == 0) else { return nil }
        seconds = Double(hour * 3_600 + minute * 60) + second
    }

    private static func fraction(_ scanner: inout DateScanner) -> Double {
        guard let point = scanner.peek(), ".,".utf8.contains(point), scanner.isDigit(1) else { return 0 }
        scanner.skip()
        var (value, scale) = (0.0, 1.0)
        while let digit = scanner.digits(1) {
            // Ignore digits beyond the precision of a date.
            if scale < 1e12 { (value, scale) = (value * 10 + Double(digit), scale * 10) }
        }
        return value / scale
    }
}
