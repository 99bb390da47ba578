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
        /// Whether a key may occur twice in one object, and the last member counts; else that is `.duplicateKey`.
        ///
        /// Default: true.
        public var allowsDuplicateKeys: Bool
        /// Whether the top value may be a string, number, truth or null; else that is `.fragment`.
        ///
        /// Default: true.
        public var allowsFragments: Bool

        /// Makes options; each has its default.
        public init(
            maximumDepth: Int = 512, maximumSize: Int = 1 << 30, allowsDuplicateKeys: Bool = true,
            allowsFragments: Bool = true
        ) {
            self.maximumDepth = maximumDepth
            self.maximumSize = maximumSize
            self.allowsDuplicateKeys = allowsDuplicateKeys
            self.allowsFragments = allowsFragments
        }
    }
}
