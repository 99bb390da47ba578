public import Foundation

/// A text of a feed, available as HTML and as plain text whatever its source format.
public struct FeedText: Sendable {
    private let givenPlain: String?
    private let givenHTML: String?
    /// The base of relative links.
    public let base: URL?

    /// Makes a text without markup.
    package init(plain: String) {
        givenPlain = plain
        givenHTML = nil
        base = nil
    }

    /// Makes a text of HTML, and as plain text too if that was written separately.
    package init(html: String, plain: String? = nil, base: URL? = nil) {
        givenPlain = plain
        givenHTML = html
        self.base = base
    }

    /// Whether the source is HTML.
    public var isHTML: Bool { givenHTML != nil }

    /// The text without markup, in the lines of a rendered page.
    public var plain: String { givenPlain ?? HTMLText.plain(givenHTML ?? "") }

    /// The text as HTML, with links made absolute by ``base``.
    public var html: String {
        guard let givenHTML else { return HTMLText.escaped(givenPlain ?? "") }
        return base.map { HTMLText.resolved(givenHTML, relativeTo: $0) } ?? givenHTML
    }
}

extension FeedText: Hashable {
    /// Returns whether both have the same HTML and the same plain text.
    public static func == (left: FeedText, right: FeedText) -> Bool {
        left.isHTML == right.isHTML && left.html == right.html && left.plain == right.plain
    }

    /// Hashes the plain text.
    public func hash(into hasher: inout Hasher) { hasher.combine(plain) }
}

extension FeedText: Codable {
    private enum CodingKeys: String, CodingKey { case plain, html }

    /// Decodes `plain`, `html` or both.
    ///
    /// - Throws: A `DecodingError` if neither text is there.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        givenHTML = try values.decodeIfPresent(String.self, forKey: .html)
        givenPlain =
            givenHTML == nil
            ? try values.decode(String.self, forKey: .plain)
            : try values.decodeIfPresent(String.self, forKey: .plain)
        base = nil
    }

    /// Encodes `plain`, and `html` if the source is HTML.
    ///
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(plain, forKey: .plain)
        if isHTML { try values.encode(html, forKey: .html) }
    }
}

extension FeedText: CustomStringConvertible {
    /// The text without markup.
    public var description: String { plain }
}
