extension XMLError {
    /// The kind of an ``XMLError``; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case malformed, truncated, empty, encoding, namespace, entity, limit, query, unreadable, decoding,
                record
            case misuse, noFeed
        }

        private let value: Value

        private init(_ value: Value) { self.value = value }

        /// The code's name.
        public var description: String { value.rawValue }

        /// The input isn't well-formed.
        public static var malformed: Code { Code(.malformed) }
        /// The input ends too early.
        public static var truncated: Code { Code(.truncated) }
        /// There is nothing in the input.
        public static var empty: Code { Code(.empty) }
        /// The encoding is unknown, or the bytes violate it.
        public static var encoding: Code { Code(.encoding) }
        /// A prefix isn't bound to a namespace, or a namespace is misused.
        public static var namespace: Code { Code(.namespace) }
        /// A reference to an entity that is undeclared or external, and so is never read.
        public static var entity: Code { Code(.entity) }
        /// A limit of ``XML/Options`` was exceeded; the description names the limit.
        public static var limit: Code { Code(.limit) }
        /// A query's expression is wrong, or its result isn't of the type asked for.
        public static var query: Code { Code(.query) }
        /// A file or another source failed; the cause is beneath.
        public static var unreadable: Code { Code(.unreadable) }
        /// A type couldn't be decoded.
        public static var decoding: Code { Code(.decoding) }
        /// The closure that makes something of a record threw; its error is beneath.
        public static var record: Code { Code(.record) }
        /// A parser was fed after its end.
        public static var misuse: Code { Code(.misuse) }
        /// The document is neither RSS nor Atom; the message says what it is.
        public static var noFeed: Code { Code(.noFeed) }
    }
}
