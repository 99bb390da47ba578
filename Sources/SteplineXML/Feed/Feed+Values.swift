package import Foundation

/// What the reader of JSON Feed needs, which is in another module.
extension Feed {
    /// An instant as people write it; nil if it isn't understood.
    package static func date(_ text: String) -> Date? { DateText.any(text) }

    /// An address, encoded where that is needed.
    package static func url(_ text: String, relativeTo base: URL?) -> URL? {
        AddressText.url(ScalarText.trimmed(text), relativeTo: base)?.absoluteURL
    }

    /// The names of people, in one.
    package static func names(_ people: [Person]) -> String? { FeedReader.names(people) }
}
