import Foundation

extension NumberText {
    /// The decimal of a number's text; nil beyond a decimal's range.
    static func decimal(_ literal: String) -> Decimal? {
        return Decimal(string: literal, locale: posix).flatMap { $0.isNaN ? nil : $0 }
    }

    private static let posix = Locale(identifier: "en_US_POSIX")
}
