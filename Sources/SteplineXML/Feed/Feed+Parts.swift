public import Foundation

extension Feed {
    /// Someone who had a part in a feed, an item or a medium.
    public struct Person: Sendable, Hashable, Codable {
        /// The name.
        public var name: String?
        /// The address for mail.
        public var email: String?
        /// The page.
        public var url: URL?
        /// A picture.
        public var image: URL?
        /// The part, as in `host`.
        public var role: String?

        package init(name: String? = nil, email: String? = nil, url: URL? = nil) {
            self.name = name
            self.email = email
            self.url = url
        }

        /// The name, or else what there is.
        public var label: String? { name ?? email ?? url?.absoluteString }
    }

    /// What something is about.
    public struct Category: Sendable, Hashable, Codable {
        /// The word.
        public var term: String
        /// What the word is called.
        public var label: String?
        /// Where the word is from.
        public var scheme: String?
        /// The wider one that it is in.
        public var parent: String?

        package init(term: String, label: String? = nil, scheme: String? = nil, parent: String? = nil) {
            self.term = term
            self.label = label
            self.scheme = scheme
            self.parent = parent
        }
    }

    /// A link with what it is for.
    public struct Link: Sendable, Hashable, Codable {
        /// Where it leads.
        public var url: URL
        /// What it is for: `alternate`, `self`, `next`, `enclosure`, `related` and so on.
        public var relation: String
        /// The media type of what is there.
        public var type: String?
        /// Its title.
        public var title: String?
        /// The language of what is there.
        public var language: String?
        /// The size of what is there, in bytes.
        public var length: Int?

        package init(url: URL, relation: String = "alternate", type: String? = nil) {
            self.url = url
            self.relation = relation
            self.type = type
        }
    }

    /// A picture.
    public struct Image: Sendable, Hashable, Codable {
        /// Where it is.
        public var url: URL
        /// What it shows.
        public var title: String?
        /// Where it leads.
        public var link: URL?
        /// Its width.
        public var width: Int?
        /// Its height.
        public var height: Int?

        package init(url: URL, title: String? = nil) {
            self.url = url
            self.title = title
        }
    }

    /// The program that made a feed.
    public struct Generator: Sendable, Hashable, Codable {
        /// Its name.
        public var name: String
        /// Its page.
        public var url: URL?
        /// Its version.
        public var version: String?
    }

    /// What others said about an item.
    public struct Comments: Sendable, Hashable, Codable {
        /// Their page.
        public var page: URL?
        /// Their feed.
        public var feed: URL?
        /// How many there are.
        public var count: Int?

        init() {}
    }

    /// The feed that an item was taken from.
    public struct Source: Sendable, Hashable, Codable {
        /// Its title.
        public var title: String?
        /// Its identifier.
        public var id: String?
        /// Where it is.
        public var url: URL?

        package init(title: String? = nil, id: String? = nil, url: URL? = nil) {
            self.title = title
            self.id = id
            self.url = url
        }
    }

    /// A place on earth.
    public struct Place: Sendable, Hashable, Codable {
        /// Degrees north.
        public var latitude: Double?
        /// Degrees east.
        public var longitude: Double?
        /// Its name.
        public var name: String?

        package init(latitude: Double? = nil, longitude: Double? = nil, name: String? = nil) {
            self.latitude = latitude
            self.longitude = longitude
            self.name = name
        }
    }

    /// Content that is no text.
    public struct Embedded: Sendable, Hashable, Codable {
        /// Its media type.
        public var type: String
        /// Where it is, if it is elsewhere.
        public var url: URL?
        /// Its bytes, if they are in the feed.
        public var data: Data?
        /// Its markup, if it is XML in the feed.
        public var xml: String?
    }

    /// An element that no property stands for, as it is written.
    public struct Extension: Sendable, Hashable, Codable {
        /// Its name without a prefix.
        public var name: String
        /// The URI of its namespace.
        public var namespace: String?
        /// Its text.
        public var text: String
        /// Its attributes.
        public var attributes: [String: String]
        /// The elements in it.
        public var children: [Extension]

        package init(
            name: String, namespace: String?, text: String, attributes: [String: String],
            children: [Extension]
        ) {
            self.name = name
            self.namespace = namespace
            self.text = text
            self.attributes = attributes
            self.children = children
        }
    }

    /// Something that was wrong with a feed, and has been mended.
    public struct Mend: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The line in which it was, where that is known.
        public var line: Int?
        /// What it was.
        public var message: String

        /// The line and what it was.
        public var description: String { line.map { "line \($0): \(message)" } ?? message }

        package init(line: Int? = nil, message: String) {
            self.line = line
            self.message = message
        }
    }
}
