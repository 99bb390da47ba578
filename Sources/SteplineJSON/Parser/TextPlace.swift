/// Converts offsets in the UTF-8 copy of a text to positions in the input.
struct TextPlace {
    let original: UnsafeRawBufferPointer
    let encoding: TextEncoding
    /// Whether the text is a single line, in which carriage returns are white space.
    var isLine = false

    func error(_ failure: TapeParser.Failure, in source: Source) -> JSONError {
        let bytes = UnsafeRawBufferPointer(start: source.start, count: source.count)
        let isEmpty = failure.code == .unexpectedEnd && bytes.allSatisfy { $0 <= 0x20 }
        let code = isEmpty ? .empty : failure.code
        let (line, column) =
            isLine
            ? (1, TextPlace.scalars(in: bytes.prefix(failure.offset)) + 1)
            : TextPlace.lineAndColumn(of: failure.offset, in: bytes)
        return JSONError(
            code, message: code.message, byteOffset: originalOffset(failure.offset, in: bytes), line: line,
            column: column)
    }

    /// Returns the line and column of an offset; a line feed, a carriage return, or both together end a line.
    static func lineAndColumn(of offset: Int, in bytes: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
        let before = UnsafeRawBufferPointer(rebasing: bytes.prefix(offset))
        var breaks = 0
        var last: UInt8 = 0
        for byte in before {
            breaks &+= byte == 0x0D || (byte == 0x0A && last != 0x0D) ? 1 : 0
            last = byte
        }
        let start = before.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
        return (breaks + 1, scalars(in: before[start...]) + 1)
    }

    private static func scalars(in bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    private func originalOffset(_ offset: Int, in utf8: UnsafeRawBufferPointer) -> Int {
        guard encoding.unit > 1 else { return offset + encoding.markLength }
        var result = encoding.markLength
        for byte in utf8.prefix(offset) where byte & 0xC0 != 0x80 {
            result += encoding.unit == 2 && byte >= 0xF0 ? 4 : encoding.unit
        }
        return result
    }
}
