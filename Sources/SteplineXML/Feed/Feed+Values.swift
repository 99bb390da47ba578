package import Foundation

/// The helpers for the JSON Feed reader in another module.
extension Feed {
    /// Parses a date in any common format; returns nil if it is unknown.
    package static func date(_ text: String) -> Date? { DateText.any(text) }

    /// Parses a URL, percent-encoding it if necessary.
    package static func url(_ text: String, relativeTo base: URL?) -> URL? {
        AddressText.url(ScalarText.trimmed(text), relativeTo: base)?.absoluteURL
    }

    /// Returns the joined names of people.
    package static func names(_ people: [Person]) -> String? { FeedReader.names(people) }
}
