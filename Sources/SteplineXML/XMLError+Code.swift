extension XMLError {
    /// The kind of an ``XMLError``; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case malformed, truncated, empty, encoding, namespace, entity, limit, query, unreadable, decoding,
                record
            case misuse, noFeed
        }

        private let value: Value

        private init(_ value: Value) { self.value = value }

        /// The name of the code.
        public var description: String { value.rawValue }

        /// The input isn't well-formed.
        public static var malformed: Code { Code(.malformed) }
        /// The input ends too early.
        public static var truncated: Code { Code(.truncated) }
        /// The input is empty.
        public static var empty: Code { Code(.empty) }
        /// The encoding is unknown, or the bytes violate it.
        public static var encoding: Code { Code(.encoding) }
        /// A prefix isn't bound to a namespace, or a namespace is misused.
        public static var namespace: Code { Code(.namespace) }
        /// A reference to an undeclared or external entity, which isn't read.
        public static var entity: Code { Code(.entity) }
        /// A limit was exceeded; ``XMLError/limit`` names it.
        public static var limit: Code { Code(.limit) }
        /// The query's expression is invalid, or its result has another type than requested.
        public static var query: Code { Code(.query) }
        /// A file or another source failed; see the underlying error.
        public static var unreadable: Code { Code(.unreadable) }
        /// A type can't be decoded.
        public static var decoding: Code { Code(.decoding) }
        /// The closure that processes records threw; see the underlying error.
        public static var record: Code { Code(.record) }
        /// The parser was used after its end.
        public static var misuse: Code { Code(.misuse) }
        /// The document is neither RSS nor Atom; the message names its kind.
        public static var noFeed: Code { Code(.noFeed) }
    }
}
