/// Turns offsets in the UTF-8 copy of a text into places in what was handed in.
struct TextPlace {
    let original: UnsafeRawBufferPointer
    let encoding: TextEncoding

    func error(_ failure: TapeParser.Failure, in source: Source) -> JSONError {
        let bytes = UnsafeRawBufferPointer(start: source.start, count: source.count)
        let isEmpty = failure.code == .unexpectedEnd && bytes.allSatisfy { $0 <= 0x20 }
        let code = isEmpty ? .empty : failure.code
        let (line, column) = TextPlace.lineAndColumn(of: failure.offset, in: bytes)
        return JSONError(
            code, message: code.message, byteOffset: originalOffset(failure.offset, in: bytes), line: line,
            column: column)
    }

    /// Lines end at a line feed, at a carriage return, or at both together.
    static func lineAndColumn(of offset: Int, in bytes: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            switch bytes[index] {
            case 0x0A where index > 0 && bytes[index - 1] == 0x0D:
                break
            case 0x0A, 0x0D:
                line += 1
                column = 1
            case 0x80...0xBF:
                break
            default:
                column += 1
            }
        }
        return (line, column)
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
