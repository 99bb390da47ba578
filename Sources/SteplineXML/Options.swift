extension XML {
    /// The parsing options and limits.
    ///
    /// A limit that is exceeded is an ``XMLError`` with the code ``XMLError/Code/limit``, described with its name.
    public struct Options: Sendable, Equatable {
        /// The charset that came with the bytes, as in `Content-Type`; takes precedence over the declaration.
        ///
        /// A byte order mark takes precedence over both.
        public var charset: String?

        /// Whether malformed input is repaired as far as possible, with errors in ``XML/Document/problems``.
        ///
        /// Limits and encodings are enforced in any case: such an error is thrown and gives no document. A document
        /// without any element throws its first problem. An ``XML/Stream`` reports no problems.
        public var isLenient = false

        /// Whether HTML's named characters, such as `&nbsp;`, are accepted without declaration; each is recorded as a
        /// problem.
        public var knowsHTMLCharacters = false

        /// Whether a strict parse continues after unbound prefixes, each of which is a problem.
        var toleratesNamespaceFaults = false

        /// The greatest size of the input, in bytes; for a whole document at most 2 GiB.
        public var maximumSize = 1 << 30

        /// The largest depth of nested elements.
        public var maximumDepth = 256

        /// The largest size of one text, comment or attribute, in bytes of UTF-8.
        public var maximumTextLength = 10_000_000

        /// The largest number of attributes of one element, also of namespaces in scope at one place.
        public var maximumAttributes = 1_000

        /// The greatest length of a name, in bytes of UTF-8, its prefix not counted.
        package var maximumNameLength = 10_000

        /// The greatest number of different names, of elements, attributes, instructions and all else.
        package var maximumNames = 200_000

        /// The largest number of bytes that entities and attribute defaults may add to the input.
        public var maximumEntityExpansion = 4 << 20

        /// The largest size of one record of an ``XML/Stream``: bytes of UTF-8 plus 32 for each node.
        public var maximumRecordSize = 8 << 20

        /// The largest number of operations of one query, as counted by libxml2.
        public var maximumQueryOperations = 20_000_000

        /// Creates the default options: strict, with generous limits.
        public init() {}

        /// The default options without a limit of the total size, for streams of records.
        public static var streaming: Options {
            var options = Options()
            options.maximumSize = .max
            return options
        }
    }
}
