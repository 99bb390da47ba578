public import Foundation

extension Feed {
    /// An entry of a feed.
    public struct Item: Sendable, Hashable, Codable, Identifiable {
        /// What tells it from all others: its own identifier, or else its link, or else its title.
        public var id: String
        /// Its title.
        public var title: String?
        /// Its page.
        public var link: URL?
        /// When it was published, or else when it changed.
        public var date: Date?
        /// When it changed last.
        public var updated: Date?
        /// A short text, often with HTML.
        public var summary: String?
        /// The whole text, often HTML.
        public var content: String?
        /// Who wrote it.
        public var author: String?
        /// What it is about.
        public var categories: [String] = []
        /// What is attached: sounds, pictures.
        public var enclosures: [Enclosure] = []

        /// Makes an item.
        public init(id: String, title: String? = nil, link: URL? = nil, date: Date? = nil) {
            self.id = id
            self.title = title
            self.link = link
            self.date = date
        }
    }

    /// A file that belongs to an item.
    public struct Enclosure: Sendable, Hashable, Codable {
        /// Where it is.
        public var url: URL
        /// Its media type.
        public var type: String?
        /// Its size in bytes.
        public var length: Int?

        /// Makes an enclosure.
        public init(url: URL, type: String? = nil, length: Int? = nil) {
            self.url = url
            self.type = type
            self.length = length
        }
    }
}
