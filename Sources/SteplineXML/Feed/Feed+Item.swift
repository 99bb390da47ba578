public import Foundation

extension Feed {
    /// An entry of a feed.
    public struct Item: Sendable, Hashable, Codable, Identifiable {
        /// What tells it from all others: its own identifier, or else its link, or else its title.
        public var id: String
        /// Its title, without markup.
        public var title: String?
        /// Its title as HTML, if that says more.
        public var titleMarkup: String?
        /// Its page.
        public var link: URL?
        /// The page elsewhere that it is about.
        public var externalLink: URL?
        /// All its links, with what they are for.
        public var links: [Link] = []
        /// When it was published, or else when it changed.
        public var date: Date?
        /// The same as it is written, also where it can't be read.
        public var dateText: String?
        /// When it changed last.
        public var updated: Date?
        /// The same as it is written, also where it can't be read.
        public var updatedText: String?
        /// A short text.
        public var summary: FeedText?
        /// The whole text.
        public var content: FeedText?
        /// Content that is no text: elsewhere, in other bytes, or markup of another kind.
        public var embedded: Embedded?
        /// The names of those who wrote it, in one.
        public var author: String?
        /// Who wrote it.
        public var authors: [Person] = []
        /// Who else had a part in it.
        public var contributors: [Person] = []
        /// What it is about, a word each.
        public var categories: [String] = []
        /// The same, with the scheme that each word is from.
        public var topics: [Category] = []
        /// What is attached: sounds, pictures.
        public var enclosures: [Enclosure] = []
        /// Sounds, films and pictures, as Media RSS describes them.
        public var media: [Media] = []
        /// Its picture.
        public var image: URL?
        /// All its pictures.
        public var images: [Image] = []
        /// What others said about it.
        public var comments: Comments?
        /// The feed that it was taken from.
        public var source: Source?
        /// What may be done with it, and who says so.
        public var rights: FeedText?
        /// Its language.
        public var language: String?
        /// Where on earth it is about.
        public var place: Place?
        /// What it says of itself as an episode of a podcast.
        public var episode: Episode?
        /// The elements that no property stands for, as `itunes:keywords` or `podcast:soundbite`.
        public var extensions: [Extension] = []

        package init(id: String, title: String? = nil, link: URL? = nil, date: Date? = nil) {
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
        /// Its title.
        public var title: String?
        /// How long it plays, in seconds.
        public var duration: Double?

        package init(url: URL, type: String? = nil, length: Int? = nil) {
            self.url = url
            self.type = type
            self.length = length
        }
    }
}
