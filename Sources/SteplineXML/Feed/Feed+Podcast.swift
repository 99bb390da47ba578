public import Foundation

extension Feed {
    /// What a feed says of itself as a podcast, by the modules of iTunes, Google Play and Podcasting 2.0.
    public struct Podcast: Sendable, Hashable, Codable {
        /// Its identifier, which stays when the feed moves.
        public var guid: String?
        /// Who makes it.
        public var author: String?
        /// A line about it.
        public var subtitle: String?
        /// A text about it.
        public var summary: FeedText?
        /// Whom to write to.
        public var owner: Person?
        /// Whether it isn't for children.
        public var isExplicit: Bool?
        /// Whether its episodes belong in an order: `episodic` or `serial`.
        public var kind: String?
        /// Where it has moved to.
        public var newAddress: URL?
        /// Where to give money, and what for.
        public var funding: [Link] = []
        /// Who is to be heard.
        public var people: [Person] = []

        init() {}
    }

    /// What an item says of itself as an episode of a podcast.
    public struct Episode: Sendable, Hashable, Codable {
        /// Its title for a player.
        public var title: String?
        /// Who makes it.
        public var author: String?
        /// A line about it.
        public var subtitle: String?
        /// A text about it.
        public var summary: FeedText?
        /// How long it plays, in seconds.
        public var duration: Double?
        /// Whether it isn't for children.
        public var isExplicit: Bool?
        /// Its number in the season.
        public var number: Double?
        /// Its season.
        public var season: Int?
        /// What its season is called.
        public var seasonName: String?
        /// What it is: `full`, `trailer` or `bonus`.
        public var kind: String?
        /// Who is to be heard.
        public var people: [Person] = []
        /// What is said in it, as text.
        public var transcripts: [Link] = []
        /// Where its chapters are told.
        public var chapters: Link?

        init() {}
    }

    /// A sound, film or picture, as Media RSS describes it.
    public struct Media: Sendable, Hashable, Codable {
        /// Where it is.
        public var url: URL?
        /// Its media type.
        public var type: String?
        /// What it is: `image`, `audio`, `video`, `document` or `executable`.
        public var medium: String?
        /// Its size in bytes.
        public var length: Int?
        /// Its width.
        public var width: Int?
        /// Its height.
        public var height: Int?
        /// How long it plays, in seconds.
        public var duration: Double?
        /// Its title.
        public var title: String?
        /// What it shows.
        public var summary: FeedText?
        /// Small pictures of it.
        public var thumbnails: [Image] = []
        /// Who had a part in it.
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
