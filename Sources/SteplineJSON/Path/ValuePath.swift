/// The way to one value, read once: a JSON Pointer (`/items/0`) or a JSONPath (`$.items[0]`), of which the first
/// match counts.
package struct ValuePath: Sendable {
    private enum Way {
        case pointer(JSONPointer)
        case query(JSONPath)
    }

    private let text: String
    private let way: Way

    /// Reads a path; one that is not well-formed is an `.invalidPath` with its place.
    package init(_ text: String) throws(JSONError) {
        self.text = text
        way =
            text.utf8.first == UInt8(ascii: "$")
            ? .query(try JSONPath(text)) : .pointer(try JSONPointer(text))
    }

    /// The value in a document; `.notFound` if there is none.
    package func value(in json: JSON) throws(JSONError) -> JSON {
        let found: JSON? =
            switch way {
            case .pointer(let pointer): json[pointer]
            case .query(let path): try json.query(path).first
            }
        guard let found else { throw JSONError(.notFound, message: "There is nothing at \(text)") }
        return found
    }
}
