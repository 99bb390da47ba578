/// A JSONPath query (RFC 9535), read once and used as often as you like.
///
/// ```swift
/// let cheap = try JSONPath("$.store.book[?@.price < 10].title")
/// for title in try json.query(cheap) { … }
/// ```
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The query as it was written.
    public let description: String
    let segments: [Segment]

    /// Reads a query; one that is not well-formed or not well-typed is an `.invalidPath` with its place.
    public init(_ text: String) throws(JSONError) {
        var parser = PathParser(text)
        segments = try parser.parse()
        description = text
    }

    /// Two queries are equal if they are written alike.
    public static func == (left: JSONPath, right: JSONPath) -> Bool { left.description == right.description }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// A value that a query has found, and its place.
    public struct Match: Sendable {
        /// The value.
        public let value: JSON
        let root: JSON

        /// The value's normalized path from where the query began: `$['store']['book'][0]`.
        ///
        /// Cost: linear in what stands before it.
        public var path: String { NormalizedPath.text(steps) }

        /// The value's place as a JSON Pointer.
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
