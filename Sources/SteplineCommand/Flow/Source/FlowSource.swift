/// The bytes of a workflow file, and the beginnings of its lines.
struct FlowSource: Sendable {
    /// The name in messages, as given by the user.
    let name: String
    let bytes: [UInt8]
    let format: Format
    private let lineStarts: [Int]
    /// The number of characters before each block of bytes, to find columns in long lines quickly.
    private let charactersBefore: [Int]
    private static let block = 1024

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - bytes: The content of the file.
    ///   - format: The format; by default that of the name.
    init(name: String, bytes: [UInt8], format: Format? = nil) {
        self.name = name
        self.bytes = bytes
        self.format = format ?? Format(ofName: name)
        var starts = [0]
        var before: [Int] = []
        var characters = 0
        for (offset, byte) in bytes.enumerated() {
            if offset % Self.block == 0 { before.append(characters) }
            if Self.beginsCharacter(byte) { characters += 1 }
            if Self.endsLine(bytes, offset) { starts.append(offset + 1) }
        }
        lineStarts = starts
        charactersBefore = before
    }

    init(name: String, text: String) { self.init(name: name, bytes: Array(text.utf8)) }

    /// Returns whether a byte ends a line: LF, or CR without LF.
    private static func endsLine(_ bytes: [UInt8], _ offset: Int) -> Bool {
        switch bytes[offset] {
        case 0x0A: true
        case 0x0D: offset + 1 == bytes.count || bytes[offset + 1] != 0x0A
        default: false
        }
    }

    /// Returns whether a byte is LF or CR.
    static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Returns whether a byte begins a character in UTF-8.
    static func beginsCharacter(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    /// Returns the text around an offset within its line, and the part before the offset.
    ///
    /// At most `most` bytes on each side, since a line may be as long as the file.
    func line(at offset: Int, most: Int = 4096) -> (text: String, before: String) {
        let offset = min(max(offset, 0), bytes.count)
        let lineStart = lineStarts[place(at: offset).line - 1]
        var start = max(lineStart, offset - most)
        while start < offset, !Self.beginsCharacter(bytes[start]) { start += 1 }
        let last = min(bytes.count, offset + most)
        let end = (offset..<last).first { Self.isBreak(bytes[$0]) } ?? last
        return (
            String(decoding: bytes[start..<end], as: UTF8.self),
            String(decoding: bytes[start..<offset], as: UTF8.self)
        )
    }

    /// Returns line and column of an offset.
    func place(at offset: Int) -> FlowPlace {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = lineStarts.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
        }
        return FlowPlace(
            line: low + 1, column: characters(before: offset) - characters(before: lineStarts[low]) + 1)
    }

    private func characters(before offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        let block = (offset - 1) / Self.block
        return charactersBefore[block] + bytes[block * Self.block..<offset].count(where: Self.beginsCharacter)
    }
}

/// A place in a file: line and column, from 1; the column counts Unicode scalars.
struct FlowPlace: Hashable, Sendable, Comparable, CustomStringConvertible {
    let line: Int
    let column: Int

    var description: String { "\(line):\(column)" }

    static func < (left: FlowPlace, right: FlowPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
