/// The path to one value: a JSON Pointer (`/items/0`), or a JSONPath (`$.items[0]`) of which the first match counts.
package struct ValuePath: Sendable {
    private enum Way {
        case pointer(JSONPointer)
        case query(JSONPath)
    }

    private let text: String
    private let way: Way

    /// Parses a path.
    ///
    /// - Throws: `JSONError` with the code `.invalidPath` and the position if the path is malformed.
    package init(_ text: String) throws(JSONError) {
        self.text = text
        way =
            text.utf8.first == UInt8(ascii: "$")
            ? .query(try JSONPath(text)) : .pointer(try JSONPointer(text))
    }

    /// Returns the value at the path in a document.
    ///
    /// - Throws: `JSONError` with the code `.notFound` if nothing matches.
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
