import Foundation

extension NumberText {
    /// Returns the decimal value of a literal; nil if out of range.
    static func decimal(_ literal: String) -> Decimal? {
        return Decimal(string: literal, locale: posix).flatMap { $0.isNaN ? nil : $0 }
    }

    private static let posix = Locale(identifier: "en_US_POSIX")
}
