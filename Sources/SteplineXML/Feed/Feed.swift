public import Foundation

/// A feed, whether it was written as RSS or as Atom.
public struct Feed: Sendable, Hashable, Codable {
    /// How a feed was written.
    public enum Format: String, Sendable, Codable {
        /// RSS 2.0, its forerunners, and RSS 1.0.
        case rss
        /// Atom 1.0.
        case atom
    }

    /// How it was written.
    public var format: Format
    /// Its title, without markup.
    public var title: String?
    /// The page that it belongs to.
    public var link: URL?
    /// What it is about: RSS's description, Atom's subtitle.
    public var summary: String?
    /// Its language.
    public var language: String?
    /// Who writes it.
    public var author: String?
    /// Its picture.
    public var image: URL?
    /// When it changed last.
    public var updated: Date?
    /// Its entries, in the order of the document.
    public var items: [Item]

    /// Makes a feed.
    public init(format: Format, title: String? = nil, items: [Item] = []) {
        self.format = format
        self.title = title
        self.items = items
    }

    /// Parses and reads a feed; links are taken relative to `base` and to `xml:base`.
    ///
    /// Throws an ``XMLError``, with the code ``XMLError/Code/noFeed`` for a document that is something else.
    public init(data: Data, base: URL? = nil, options: XML.Options = .init()) throws(XMLError) {
        try self.init(try XML.Document(data: data, options: options), base: base)
    }

    /// Reads a feed from a document.
    public init(_ document: XML.Document, base: URL? = nil) throws(XMLError) {
        let root = document.root
        switch root.localName {
        case "feed": self = AtomReader(base: base).feed(root)
        case "rss", "RDF":
            guard let channel = root.children.first(where: { $0.localName == "channel" }) else {
                throw XMLError(.noFeed, "the feed has no channel", line: root.line)
            }
            self = RSSReader(base: base).feed(root, channel)
        default: throw XMLError(.noFeed, "'\(root.name)' is the root of no feed", line: root.line)
        }
    }
}
