public import Foundation

extension Feed {
    /// An entry of a feed.
    public struct Item: Sendable, Hashable, Codable, Identifiable {
        /// The identifier: the item's own, otherwise its link or its title.
        public var id: String
        /// The title without markup.
        public var title: String?
        /// The title as HTML, if it has markup.
        public var titleMarkup: String?
        /// The item's page.
        public var link: URL?
        /// The external page that the item is about.
        public var externalLink: URL?
        /// All links with their relations.
        public var links: [Link] = []
        /// The date of publication, otherwise of the latest change.
        public var date: Date?
        /// The original text of ``date``, even if it can't be parsed.
        public var dateText: String?
        /// The date of the latest change.
        public var updated: Date?
        /// The original text of ``updated``, even if it can't be parsed.
        public var updatedText: String?
        /// The summary.
        public var summary: FeedText?
        /// The full content.
        public var content: FeedText?
        /// Content that isn't text: a reference, bytes, or other markup.
        public var embedded: Embedded?
        /// The names of the authors, joined.
        public var author: String?
        /// The authors.
        public var authors: [Person] = []
        /// The contributors.
        public var contributors: [Person] = []
        /// The labels of the categories.
        public var categories: [String] = []
        /// The categories with their schemes.
        public var topics: [Category] = []
        /// The attached files, such as audio.
        public var enclosures: [Enclosure] = []
        /// The media as described by Media RSS.
        public var media: [Media] = []
        /// The main image.
        public var image: URL?
        /// All images.
        public var images: [Image] = []
        /// The comments about the item.
        public var comments: Comments?
        /// The feed that the item was taken from.
        public var source: Source?
        /// The rights and their holder.
        public var rights: FeedText?
        /// The language.
        public var language: String?
        /// The geographic place.
        public var place: Place?
        /// The podcast episode's properties.
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

    /// A file attached to an item.
    public struct Enclosure: Sendable, Hashable, Codable {
        /// The URL of the file.
        public var url: URL
        /// The media type.
        public var type: String?
        /// The size in bytes.
        public var length: Int?
        /// The title.
        public var title: String?
        /// The duration in seconds.
        public var duration: Double?

        package init(url: URL, type: String? = nil, length: Int? = nil) {
            self.url = url
            self.type = type
            self.length = length
        }
    }
}
