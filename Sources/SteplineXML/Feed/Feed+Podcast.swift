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
        /// What it is of: `podcast`, `music`, `video` and so on.
        public var medium: String?
        /// Whether it wants to stay out of directories.
        public var isBlocked: Bool?
        /// Where it has moved to.
        public var newAddress: URL?
        /// Words to find it by.
        public var keywords: [String] = []
        /// Whether others may take it over.
        public var isLocked: Bool?
        /// Where to give money, and what for.
        public var funding: [Link] = []
        /// Who is to be heard.
        public var people: [Person] = []
        /// What may be done with it.
        public var license: String?
        /// What it is about on earth.
        public var place: Place?

        /// Makes an empty one.
        public init() {}
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
        /// The same as it is written, also where it can't be read.
        public var durationText: String?
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
        /// Whether it wants to stay out of directories.
        public var isBlocked: Bool?
        /// Its place in a list.
        public var order: Int?
        /// Words to find it by.
        public var keywords: [String] = []
        /// Who is to be heard.
        public var people: [Person] = []
        /// What is said in it, as text.
        public var transcripts: [Link] = []
        /// Where its chapters are told.
        public var chapters: Link?
        /// Parts of it that stand for the whole.
        public var soundbites: [Soundbite] = []
        /// The same in other forms.
        public var alternates: [Enclosure] = []
        /// What may be done with it.
        public var license: String?
        /// What it is about on earth.
        public var place: Place?

        /// Makes an empty one.
        public init() {}
    }

    /// A part of an episode that stands for the whole.
    public struct Soundbite: Sendable, Hashable, Codable {
        /// Where it starts, in seconds.
        public var start: Double
        /// How long it plays, in seconds.
        public var duration: Double
        /// Its title.
        public var title: String?
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
        /// Kilobits a second.
        public var bitrate: Double?
        /// Its language.
        public var language: String?
        /// Whether it is the one to take of several.
        public var isDefault: Bool?
        /// Whether it is all of it: `full`, `sample` or `nonstop`.
        public var expression: String?
        /// Its title.
        public var title: String?
        /// What it shows.
        public var summary: FeedText?
        /// Small pictures of it.
        public var thumbnails: [Image] = []
        /// Who had a part in it.
        public var credits: [Person] = []
        /// Words to find it by.
        public var keywords: [String] = []
        /// Whom it is for.
        public var rating: String?
        /// Who has the rights.
        public var copyright: String?
        /// The page on which it plays.
        public var player: URL?

        /// Makes an empty one.
        public init() {}
    }
}
