/// The bytes of a workflow file, and where its lines begin.
struct FlowSource: Sendable {
    /// The name for messages, as the user has given it.
    let name: String
    let bytes: [UInt8]
    private let lineStarts: [Int]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(offset + 1)
        }
        lineStarts = starts
    }

    init(name: String, text: String) { self.init(name: name, bytes: Array(text.utf8)) }

    /// The text of a line, from 1, and how much of it stands before an offset.
    func line(at offset: Int) -> (text: String, before: String) {
        let offset = min(max(offset, 0), bytes.count)
        let start = lineStarts[place(at: offset).line - 1]
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return (
            String(decoding: bytes[start..<end], as: UTF8.self),
            String(decoding: bytes[start..<offset], as: UTF8.self)
        )
    }

    /// Line and column of an offset, as editors count them.
    func place(at offset: Int) -> FlowPlace {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = lineStarts.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
        }
        // Bytes that continue a character are not counted.
        let column = bytes[lineStarts[low]..<offset].count { $0 & 0xC0 != 0x80 }
        return FlowPlace(line: low + 1, column: column + 1)
    }
}

/// A place in a file: line and column from 1, the column in Unicode scalars.
struct FlowPlace: Hashable, Sendable, Comparable, CustomStringConvertible {
    let line: Int
    let column: Int

    var description: String { "\(line):\(column)" }

    static func < (left: FlowPlace, right: FlowPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
