/// A time of day.
struct DateTime {
    /// Seconds since midnight.
    let seconds: Double

    /// From `hh:mm`, `hh:mm:ss`, `hh:mm:ss.f…` or, without colons, `hhmm` and `hhmmss`.
    init?(_ scanner: inout DateScanner) {
        let isCompact = scanner.digitCount >= 4
        guard let hour = scanner.digits(isCompact ? 2 : min(scanner.digitCount, 2)), hour <= 24,
            isCompact || scanner.take(":"), let minute = scanner.digits(2), minute < 60
        else { return nil }
        var second = 0.0
        if isCompact ? scanner.isDigit() : scanner.take(":") {
            // The sixtieth is a leap second.
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
            // Further digits are beyond what an instant holds.
            if scale < 1e12 { (value, scale) = (value * 10 + Double(digit), scale * 10) }
        }
        return value / scale
    }
}
