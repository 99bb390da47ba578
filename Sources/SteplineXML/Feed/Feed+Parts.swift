public import Foundation

extension Feed {
    /// A person related to a feed, an item or a medium.
    public struct Person: Sendable, Hashable, Codable {
        /// The name.
        public var name: String?
        /// The email address.
        public var email: String?
        /// The person's page.
        public var url: URL?
        /// An image of the person.
        public var image: URL?
        /// The role, such as `host`.
        public var role: String?

        package init(name: String? = nil, email: String? = nil, url: URL? = nil) {
            self.name = name
            self.email = email
            self.url = url
        }

        /// The name, otherwise the email address or the page.
        public var label: String? { name ?? email ?? url?.absoluteString }
    }

    /// A category of a feed or an item.
    public struct Category: Sendable, Hashable, Codable {
        /// The term.
        public var term: String
        /// The display name.
        public var label: String?
        /// The scheme that defines the term.
        public var scheme: String?
        /// The parent category.
        public var parent: String?

        package init(term: String, label: String? = nil, scheme: String? = nil, parent: String? = nil) {
            self.term = term
            self.label = label
            self.scheme = scheme
            self.parent = parent
        }
    }

    /// A link with its relation.
    public struct Link: Sendable, Hashable, Codable {
        /// The target.
        public var url: URL
        /// The relation: `alternate`, `self`, `next`, `enclosure`, `related` and others.
        public var relation: String
        /// The media type of the target.
        public var type: String?
        /// The title.
        public var title: String?
        /// The language of the target.
        public var language: String?
        /// The size of the target in bytes.
        public var length: Int?

        package init(url: URL, relation: String = "alternate", type: String? = nil) {
            self.url = url
            self.relation = relation
            self.type = type
        }
    }

    /// An image.
    public struct Image: Sendable, Hashable, Codable {
        /// The URL of the image.
        public var url: URL
        /// The description.
        public var title: String?
        /// The target of the image's link.
        public var link: URL?
        /// The width.
        public var width: Int?
        /// The height.
        public var height: Int?

        package init(url: URL, title: String? = nil) {
            self.url = url
            self.title = title
        }
    }

    /// The program that generated a feed.
    public struct Generator: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The program's page.
        public var url: URL?
        /// The version.
        public var version: String?
    }

    /// The comments of readers about an item.
    public struct Comments: Sendable, Hashable, Codable {
        /// The page of the comments.
        public var page: URL?
        /// The feed of the comments.
        public var feed: URL?
        /// The number of comments.
        public var count: Int?

        init() {}
    }

    /// The original feed of an item.
    public struct Source: Sendable, Hashable, Codable {
        /// The title.
        public var title: String?
        /// The identifier.
        public var id: String?
        /// The URL.
        public var url: URL?

        package init(title: String? = nil, id: String? = nil, url: URL? = nil) {
            self.title = title
            self.id = id
            self.url = url
        }
    }

    /// A geographic place.
    public struct Place: Sendable, Hashable, Codable {
        /// The latitude in degrees north.
        public var latitude: Double?
        /// The longitude in degrees east.
        public var longitude: Double?
        /// The name.
        public var name: String?

        package init(latitude: Double? = nil, longitude: Double? = nil, name: String? = nil) {
            self.latitude = latitude
            self.longitude = longitude
            self.name = name
        }
    }

    /// Content that isn't text.
    public struct Embedded: Sendable, Hashable, Codable {
        /// The media type.
        public var type: String
        /// The URL, if the content is elsewhere.
        public var url: URL?
        /// The bytes, if they are part of the feed.
        public var data: Data?
        /// The markup, if it is XML in the feed.
        public var xml: String?
    }

    /// An element that no property stands for, as it is written.
    public struct Extension: Sendable, Hashable, Codable {
        /// The local name.
        public var name: String
        /// The namespace URI.
        public var namespace: String?
        /// The text.
        public var text: String
        /// The attributes.
        public var attributes: [String: String]
        /// The child elements.
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

    /// An error in a feed that was repaired.
    public struct Mend: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The line, if known.
        public var line: Int?
        /// A description of the error.
        public var message: String

        /// The line and the description.
        public var description: String { line.map { "line \($0): \(message)" } ?? message }

        package init(line: Int? = nil, message: String) {
            self.line = line
            self.message = message
        }
    }
}
