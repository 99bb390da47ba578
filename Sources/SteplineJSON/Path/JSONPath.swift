/// A JSONPath query (RFC 9535), parsed once and reusable.
///
/// ```swift
/// let cheap = try JSONPath("$.store.book[?@.price < 10].title")
/// for title in try json.query(cheap) { … }
/// ```
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The text of the query.
    public let description: String
    let segments: [Segment]

    /// Parses a query.
    ///
    /// - Throws: `JSONError` with the code `.invalidPath` and the position if the query is malformed or ill-typed.
    public init(_ text: String) throws(JSONError) {
        var parser = PathParser(text)
        segments = try parser.parse()
        description = text
    }

    /// Returns whether the texts of both queries are equal.
    public static func == (left: JSONPath, right: JSONPath) -> Bool { left.description == right.description }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// A value that a query matches, with its path.
    public struct Match: Sendable {
        /// The value.
        public let value: JSON
        let root: JSON

        /// The normalized path of the value from the query's root: `$['store']['book'][0]`.
        ///
        /// Cost: linear in the part of the document before the value.
        public var path: String { NormalizedPath.text(steps) }

        /// The path of the value as a JSON Pointer.
        ///
        /// Cost: as for `path`.
        public var pointer: JSONPointer {
            JSONPointer(
                tokens: steps.map { $0.key ?? "\($0.position)" })
        }

        private var steps: [Whereabouts.Step] {
            var whereabouts = Whereabouts(root.tape, root: root.index)
            return whereabouts.steps(to: value.index)
        }
    }
}
