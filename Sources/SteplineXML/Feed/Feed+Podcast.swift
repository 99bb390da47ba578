public import Foundation

extension Feed {
    /// The podcast properties of a feed, from the modules iTunes, Google Play and Podcasting 2.0.
    public struct Podcast: Sendable, Hashable, Codable {
        /// The permanent identifier, independent of the feed's address.
        public var guid: String?
        /// The author.
        public var author: String?
        /// The subtitle.
        public var subtitle: String?
        /// The summary.
        public var summary: FeedText?
        /// The contact person.
        public var owner: Person?
        /// Whether the podcast isn't suitable for children.
        public var isExplicit: Bool?
        /// The order of episodes: `episodic` or `serial`.
        public var kind: String?
        /// Where it has moved to.
        public var newAddress: URL?
        /// Where to give money, and what for.
        public var funding: [Link] = []
        /// The participating people.
        public var people: [Person] = []

        init() {}
    }

    /// The episode properties of an item.
    public struct Episode: Sendable, Hashable, Codable {
        /// The title for players.
        public var title: String?
        /// The author.
        public var author: String?
        /// The subtitle.
        public var subtitle: String?
        /// The summary.
        public var summary: FeedText?
        /// The duration in seconds.
        public var duration: Double?
        /// Whether it isn't for children.
        public var isExplicit: Bool?
        /// The number of the episode.
        public var number: Double?
        /// The number of the season.
        public var season: Int?
        /// The name of the season.
        public var seasonName: String?
        /// The kind: `full`, `trailer` or `bonus`.
        public var kind: String?
        /// The people in the episode.
        public var people: [Person] = []
        /// The transcripts.
        public var transcripts: [Link] = []
        /// The chapters.
        public var chapters: Link?

        init() {}
    }

    /// A medium as described by Media RSS.
    public struct Media: Sendable, Hashable, Codable {
        /// The URL.
        public var url: URL?
        /// The media type.
        public var type: String?
        /// The kind: `image`, `audio`, `video`, `document` or `executable`.
        public var medium: String?
        /// The size in bytes.
        public var length: Int?
        /// The width.
        public var width: Int?
        /// The height.
        public var height: Int?
        /// The duration in seconds.
        public var duration: Double?
        /// Its title.
        public var title: String?
        /// The description.
        public var summary: FeedText?
        /// The thumbnails.
        public var thumbnails: [Image] = []
        /// The credits.
        public var credits: [Person] = []
        /// The page on which it plays.
        public var player: URL?
        /// The attributes of the element, as written: also `bitrate`, `lang`, `isDefault`, `expression`.
        public var attributes: [String: String] = [:]
        /// The elements that no property stands for: `media:keywords`, `media:rating` and others.
        public var extensions: [Extension] = []

        init() {}
    }
}
