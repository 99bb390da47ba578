extension XML {
    /// How input is read, and how much of it is accepted.
    ///
    /// A limit that is exceeded is an ``XMLError`` with the code ``XMLError/Code/limit``, described with its name.
    public struct Options: Sendable, Equatable {
        /// The charset the bytes came with, as in a response's `Content-Type`; it wins over the declaration.
        ///
        /// A byte order mark wins over both.
        public var charset: String?

        /// Whether malformed input gives what can be saved of it, with ``XML/Document/problems`` listed.
        ///
        /// Limits hold all the same, and so do encodings.
        public var isLenient = false

        /// Whether HTML's named characters, as `&nbsp;`, are known although nothing declares them; each is a problem.
        public var knowsHTMLCharacters = false

        /// Whether a strict parse goes on behind unbound prefixes, each of which is a problem.
        var toleratesNamespaceFaults = false

        /// The greatest size of the input, in bytes; for a whole document at most 2 GiB.
        public var maximumSize = 1 << 30

        /// The greatest depth of nested elements.
        public var maximumDepth = 256

        /// The greatest size of one text, comment or attribute, in bytes of UTF-8.
        public var maximumTextLength = 10_000_000

        /// The greatest number of attributes of one element.
        public var maximumAttributes = 1_000

        /// The greatest length of a name, in bytes of UTF-8, its prefix not counted.
        package var maximumNameLength = 10_000

        /// The greatest number of different names, of elements, attributes, instructions and all else.
        package var maximumNames = 200_000

        /// How many bytes entities and attribute defaults may add to what the input itself holds.
        public var maximumEntityExpansion = 4 << 20

        /// The greatest size of one record of an ``XML/Stream``, in bytes of UTF-8 and 32 for each node.
        public var maximumRecordSize = 8 << 20

        /// How many operations one query may take, as libxml2 counts them.
        public var maximumQueryOperations = 20_000_000

        /// Makes the default options: strict, with generous limits.
        public init() {}

        /// The default options without a limit of the whole size, for streams of records.
        public static var streaming: Options {
            var options = Options()
            options.maximumSize = .max
            return options
        }
    }
}
