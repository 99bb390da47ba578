extension XMLError {
    /// The kind of an ``XMLError``; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The input isn't well-formed.
        public static let malformed = Code(description: "malformed")
        /// The input ends too early.
        public static let truncated = Code(description: "truncated")
        /// There is nothing in the input.
        public static let empty = Code(description: "empty")
        /// The encoding is unknown, or the bytes violate it.
        public static let encoding = Code(description: "encoding")
        /// A prefix isn't bound to a namespace, or a namespace is misused.
        public static let namespace = Code(description: "namespace")
        /// A reference to an entity that is undeclared or external, and so is never read.
        public static let entity = Code(description: "entity")
        /// A limit of ``XML/Options`` was exceeded; the description names the limit.
        public static let limit = Code(description: "limit")
        /// A query's expression is wrong, or its result isn't of the type asked for.
        public static let query = Code(description: "query")
        /// A file or another source failed; the cause is beneath.
        public static let unreadable = Code(description: "unreadable")
        /// A type couldn't be decoded.
        public static let decoding = Code(description: "decoding")
        /// The closure that makes something of a record threw; its error is beneath.
        public static let record = Code(description: "record")
        /// A parser was fed after its end.
        public static let misuse = Code(description: "misuse")
        /// The document is neither RSS nor Atom; the message says what it is.
        public static let noFeed = Code(description: "noFeed")
    }
}
