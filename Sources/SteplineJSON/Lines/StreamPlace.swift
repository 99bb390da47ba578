/// A position in a stream of UTF-8 that advances over the consumed bytes.
struct StreamPlace {
    private(set) var offset = 0
    private(set) var line = 1
    private(set) var column = 1
    private var isAfterReturn = false

    mutating func advance(over bytes: UnsafeRawBufferPointer) {
        guard let last = bytes.last else { return }
        let first = isAfterReturn && bytes.first == 0x0A ? 1 : 0
        let (lines, columns) = TextPlace.lineAndColumn(
            of: bytes.count - first, in: UnsafeRawBufferPointer(rebasing: bytes[first...]))
        line += lines - 1
        column = lines > 1 ? columns : column + columns - 1
        offset += bytes.count
        isAfterReturn = last == 0x0D
    }

    /// Returns an error with its position relative to this place converted to its position in the stream.
    func moved(_ error: JSONError) -> JSONError {
        JSONError(
            error.code, message: error.message, byteOffset: offset + error.byteOffset,
            line: line + error.line - 1, column: error.line == 1 ? column + error.column - 1 : error.column,
            underlying: error.underlying)
    }
}
