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
        /// The medium: `podcast`, `music`, `video` and others.
        public var medium: String?
        /// Whether directories shall not list the podcast.
        public var isBlocked: Bool?
        /// The new address of the feed.
        public var newAddress: URL?
        /// The search keywords.
        public var keywords: [String] = []
        /// Whether the podcast may be imported by other platforms.
        public var isLocked: Bool?
        /// The links for donations.
        public var funding: [Link] = []
        /// The participating people.
        public var people: [Person] = []
        /// The license.
        public var license: String?
        /// The geographic subject.
        public var place: Place?

        /// Creates empty properties.
        public init() {}
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
        /// The original text of the duration, even if it can't be parsed.
        public var durationText: String?
        /// Whether the episode isn't suitable for children.
        public var isExplicit: Bool?
        /// The number of the episode.
        public var number: Double?
        /// The number of the season.
        public var season: Int?
        /// The name of the season.
        public var seasonName: String?
        /// The kind: `full`, `trailer` or `bonus`.
        public var kind: String?
        /// Whether directories shall not list the episode.
        public var isBlocked: Bool?
        /// The position in a list.
        public var order: Int?
        /// The search keywords.
        public var keywords: [String] = []
        /// The participating people.
        public var people: [Person] = []
        /// The transcripts.
        public var transcripts: [Link] = []
        /// The chapters.
        public var chapters: Link?
        /// The highlights.
        public var soundbites: [Soundbite] = []
        /// Alternative versions.
        public var alternates: [Enclosure] = []
        /// The license.
        public var license: String?
        /// The geographic subject.
        public var place: Place?

        /// Creates empty properties.
        public init() {}
    }

    /// A highlight of an episode.
    public struct Soundbite: Sendable, Hashable, Codable {
        /// The start in seconds.
        public var start: Double
        /// The duration in seconds.
        public var duration: Double
        /// The title.
        public var title: String?
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
        /// The bit rate in kilobits per second.
        public var bitrate: Double?
        /// The language.
        public var language: String?
        /// Whether this is the preferred one of several.
        public var isDefault: Bool?
        /// The completeness: `full`, `sample` or `nonstop`.
        public var expression: String?
        /// The title.
        public var title: String?
        /// The description.
        public var summary: FeedText?
        /// The thumbnails.
        public var thumbnails: [Image] = []
        /// The credits.
        public var credits: [Person] = []
        /// The search keywords.
        public var keywords: [String] = []
        /// The audience rating.
        public var rating: String?
        /// The copyright holder.
        public var copyright: String?
        /// The page of the player.
        public var player: URL?

        /// Creates an empty medium.
        public init() {}
    }
}
