import Foundation

/// Parses the dates of documents: ISO 8601, RFC 822 and common variants.
///
/// A text is parsed completely or not at all: an ambiguous or unknown form gives nil.
enum DateText {
    static func any(_ text: String) -> Date? { iso8601(text) ?? seconds(text) ?? written(text) }

    /// Parses `2024-02-29`, `2024-02-29T12:30:15.5+01:00` and shorter forms; UTC without a zone.
    static func iso8601(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        var parts = DateParts()
        guard parts.readISODay(&scanner) else { return nil }
        return parts.readRest(&scanner) ? parts.date : nil
    }

    /// Parses `Thu, 29 Feb 2024 12:30:15 +0100` and variants: names in many languages, parts in any order.
    static func written(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        var parts = DateParts()
        return parts.readRest(&scanner) ? parts.date : nil
    }

    /// Parses seconds or milliseconds since 1970, identified by ten or thirteen digits.
    private static func seconds(_ text: String) -> Date? {
        let text = ScalarText.trimmed(text)
        guard text.utf8.count == 10 || text.utf8.count == 13, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }),
            let number = Double(text)
        else { return nil }
        return Date(timeIntervalSince1970: text.utf8.count == 10 ? number : number / 1_000)
    }
}
