extension JSON {
    /// How a text is parsed, and what it may ask for.
    public struct Options: Hashable, Sendable {
        /// How deeply arrays and objects may be nested; more is `.tooDeep`.
        ///
        /// Default: 512.
        public var maximumDepth: Int
        /// How many bytes the text may have; more is `.tooLarge`.
        ///
        /// Default and upper limit: 1 GiB.
        public var maximumSize: Int
        /// What becomes of keys that occur twice in one object.
        ///
        /// Default: the last wins.
        public var duplicateKeys: DuplicateKeys
        /// Whether the top value may be a string, number, truth or null; else that is `.fragment`.
        ///
        /// Default: true.
        public var allowsFragments: Bool

        /// Makes options; each has its default.
        public init(
            maximumDepth: Int = 512, maximumSize: Int = 1 << 30, duplicateKeys: DuplicateKeys = .lastWins,
            allowsFragments: Bool = true
        ) {
            self.maximumDepth = maximumDepth
            self.maximumSize = maximumSize
            self.duplicateKeys = duplicateKeys
            self.allowsFragments = allowsFragments
        }
    }

    /// What becomes of keys that occur twice in one object.
    public enum DuplicateKeys: Hashable, Sendable {
        /// The last member of a key stays, in its place; the earlier ones are gone.
        case lastWins
        /// The second one is an error, `.duplicateKey`.
        case error
    }
}
