/// Parses numbers with units.
package enum UnitText {
    /// Parses `30`, `30s`, `500ms`, `2m`, `1.5h`, `1d`; without a unit the number counts seconds.
    package static func duration(_ text: String) -> Duration? {
        let units = ["ms": 0.001, "s": 1, "": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400]
        guard let (number, unit) = split(text), let factor = units[unit] else { return nil }
        let seconds = number * factor
        // Beyond this limit, sums of dates and durations lose precision.
        return seconds <= 1e9 ? .seconds(seconds) : nil
    }

    /// Parses `1000`, `10kB` and `1.5MB` in powers of 1000, `64KiB` and `2GiB` in powers of 1024.
    ///
    /// A letter alone, as in `10M`, counts in powers of 1024, as programs of GNU read it.
    package static func bytes(_ text: String) -> Int? {
        let powers = ["": 0, "k": 1, "m": 2, "g": 3, "t": 4]
        guard let (number, written) = split(text.lowercased()) else { return nil }
        let isDecimal = written.hasSuffix("b") && !written.hasSuffix("ib")
        let unit =
            written.hasSuffix("ib") ? written.dropLast(2) : isDecimal ? written.dropLast() : written[...]
        guard let power = powers[String(unit)] else { return nil }
        let bytes = (0..<power).reduce(number) { bytes, _ in bytes * (isDecimal ? 1000 : 1024) }
        return bytes <= Double(1 << 50) ? Int(bytes) : nil
    }

    private static func split(_ text: String) -> (number: Double, unit: String)? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite else { return nil }
        return (number, String(text.dropFirst(digits.count)))
    }
}
