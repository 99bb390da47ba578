public import Foundation

/// A feed, whether it was written as RSS, as Atom or as JSON Feed.
///
/// What the formats call by different names is one property here, and the modules that feeds carry (Dublin Core,
/// iTunes, Media RSS, Podcasting 2.0 and others) are read too; elements without a property are in ``extensions``.
public struct Feed: Sendable, Hashable, Codable {
    /// How a feed was written.
    public enum Format: String, Sendable, Codable {
        /// RSS 2.0, its forerunners, and RSS 1.0.
        case rss
        /// Atom 1.0 and 0.3.
        case atom
        /// JSON Feed.
        case json
    }

    /// How it was written.
    public var format: Format
    /// The format's version, as the feed tells it.
    public var version: String?
    /// What tells it from all other feeds, if it has an identifier.
    public var id: String?
    /// Its title, without markup.
    public var title: String?
    /// Its title as HTML, if that says more.
    public var titleMarkup: String?
    /// The page that it belongs to.
    public var link: URL?
    /// All its links, with what they are for.
    public var links: [Link] = []
    /// Where the feed itself is, as it says.
    public var address: URL?
    /// Where older items are.
    public var nextPage: URL?
    /// Whom to ask for news as they happen.
    public var hubs: [URL] = []
    /// What it is about: RSS's description, Atom's subtitle.
    public var summary: FeedText?
    /// Its language.
    public var language: String?
    /// The names of those who write it, in one.
    public var author: String?
    /// Who writes it.
    public var authors: [Person] = []
    /// Contributors, with the role where it is known: `webMaster`, `publisher`.
    public var contributors: [Person] = []
    /// What it is about, a word each.
    public var categories: [String] = []
    /// The same, with the scheme that each word is from.
    public var topics: [Category] = []
    /// Its picture.
    public var image: URL?
    /// All its pictures.
    public var images: [Image] = []
    /// Its small, square picture.
    public var icon: URL?
    /// What may be done with it, and who says so.
    public var rights: FeedText?
    /// The program that made it.
    public var generator: Generator?
    /// When it changed last.
    public var updated: Date?
    /// When it was published.
    public var published: Date?
    /// Whether nothing more will come.
    public var isComplete: Bool?
    /// What it says of itself as a podcast.
    public var podcast: Podcast?
    /// The elements that no property stands for, as `ttl` or `itunes:keywords`.
    public var extensions: [Extension] = []
    /// What was wrong with the feed, and has been mended.
    public var mended: [Mend] = []
    /// Its entries, in the order of the document.
    public var items: [Item]

    package init(format: Format, title: String? = nil, items: [Item] = []) {
        self.format = format
        self.title = title
        self.items = items
    }
}
