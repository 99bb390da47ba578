extension JSON {
    /// The options of the parser.
    public struct Options: Hashable, Sendable {
        /// The maximum nesting depth of arrays and objects; exceeding it is the error `.tooDeep`.
        ///
        /// Default: 512.
        public var maximumDepth: Int
        /// The maximum size of the text in bytes; exceeding it is the error `.tooLarge`.
        ///
        /// Default and upper limit: 1 GiB.
        public var maximumSize: Int
        /// The policy for keys that occur more than once in an object.
        ///
        /// Default: the last wins.
        public var duplicateKeys: DuplicateKeys
        /// Whether the top-level value may be a scalar; otherwise a scalar is the error `.fragment`.
        ///
        /// Default: true.
        public var allowsFragments: Bool

        /// Makes options, each with its default.
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

    /// The policies for keys that occur more than once in an object.
    public enum DuplicateKeys: Hashable, Sendable {
        /// Keep the last member of a key at its position, and drop the earlier ones.
        case lastWins
        /// Fail with the error `.duplicateKey` at the second occurrence.
        case error
    }
}
