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
        /// Whether a key may occur twice in one object, and the last member counts; else that is `.duplicateKey`.
        ///
        /// Default: true.
        public var allowsDuplicateKeys: Bool
        /// Whether the top value may be a string, number, truth or null; else that is `.fragment`.
        ///
        /// Default: true.
        public var allowsFragments: Bool

        /// Makes options, each with its default.
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
