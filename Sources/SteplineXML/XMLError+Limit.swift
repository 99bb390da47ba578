extension XMLError {
    /// The name of a limit in ``XML/Options``; later versions may add more.
    public struct Limit: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case size, depth, textLength, attributes, nameLength, names, entityExpansion, recordSize,
                queryOperations
            case queryComplexity
        }

        private let value: Value

        private init(_ value: Value) { self.value = value }

        /// The name of the limit.
        public var description: String { value.rawValue }

        /// ``XML/Options/maximumSize``.
        public static var size: Limit { Limit(.size) }
        /// ``XML/Options/maximumDepth``.
        public static var depth: Limit { Limit(.depth) }
        /// ``XML/Options/maximumTextLength``.
        public static var textLength: Limit { Limit(.textLength) }
        /// ``XML/Options/maximumAttributes``.
        public static var attributes: Limit { Limit(.attributes) }
        /// ``XML/Options/maximumNameLength``.
        public static var nameLength: Limit { Limit(.nameLength) }
        /// ``XML/Options/maximumNames``.
        public static var names: Limit { Limit(.names) }
        /// ``XML/Options/maximumEntityExpansion``.
        public static var entityExpansion: Limit { Limit(.entityExpansion) }
        /// ``XML/Options/maximumRecordSize``.
        public static var recordSize: Limit { Limit(.recordSize) }
        /// ``XML/Options/maximumQueryOperations``.
        public static var queryOperations: Limit { Limit(.queryOperations) }
        /// The fixed limits of length and nesting of queries.
        public static var queryComplexity: Limit { Limit(.queryComplexity) }
    }
}
