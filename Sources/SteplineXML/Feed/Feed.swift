public import Foundation

/// A feed in RSS, Atom or JSON Feed format.
///
/// Elements with one meaning in several formats are one property. The modules of feeds (Dublin Core, iTunes, Media RSS,
/// Podcasting 2.0 and others) are read too. Elements without a property are in ``extensions``.
public struct Feed: Sendable, Hashable, Codable {
    /// The format of a feed.
    public enum Format: String, Sendable, Codable {
        /// RSS 2.0, its predecessors, and RSS 1.0.
        case rss
        /// Atom 1.0 and 0.3.
        case atom
        /// JSON Feed.
        case json
    }

    /// The format.
    public var format: Format
    /// The version of the format.
    public var version: String?
    /// The identifier, if there is one.
    public var id: String?
    /// The title without markup.
    public var title: String?
    /// The title as HTML, if it has markup.
    public var titleMarkup: String?
    /// The page of the feed.
    public var link: URL?
    /// All links with their relations.
    public var links: [Link] = []
    /// The feed's own address.
    public var address: URL?
    /// The address of older items.
    public var nextPage: URL?
    /// The hubs for push notifications.
    public var hubs: [URL] = []
    /// The description (RSS) or subtitle (Atom).
    public var summary: FeedText?
    /// The language.
    public var language: String?
    /// The names of the authors, joined.
    public var author: String?
    /// The authors.
    public var authors: [Person] = []
    /// Contributors, with the role where it is known: `webMaster`, `publisher`.
    public var contributors: [Person] = []
    /// The categories, a word each.
    public var categories: [String] = []
    /// The categories with their schemes.
    public var topics: [Category] = []
    /// The main image.
    public var image: URL?
    /// All images.
    public var images: [Image] = []
    /// The small square icon.
    public var icon: URL?
    /// The rights and their holder.
    public var rights: FeedText?
    /// The program that generated the feed.
    public var generator: Generator?
    /// The date of the latest change.
    public var updated: Date?
    /// When it was published.
    public var published: Date?
    /// Whether nothing more will come.
    public var isComplete: Bool?
    /// The podcast properties.
    public var podcast: Podcast?
    /// The elements that no property stands for, as `ttl` or `itunes:keywords`.
    public var extensions: [Extension] = []
    /// The repaired errors.
    public var mended: [Mend] = []
    /// The items in document order.
    public var items: [Item]

    package init(format: Format, title: String? = nil, items: [Item] = []) {
        self.format = format
        self.title = title
        self.items = items
    }
}
