import SteplineJSON

/// The format of records in a JSON file.
public enum JSONRecordFormat: Sendable, Hashable {
    /// Each record on its own line: JSON Lines.
    case lines
    /// An array with each element on its own line.
    case array
}

/// Writes records one at a time.
struct JSONRecordWriter {
    private let format: JSONRecordFormat
    private let encode: (any Encodable) throws -> [UInt8]
    private var buffer: FileBuffer
    private(set) var count = 0

    init(
        _ file: OpenFile, _ format: JSONRecordFormat, encode: @escaping (any Encodable) throws -> [UInt8]
    ) throws {
        self.format = format
        self.encode = encode
        buffer = FileBuffer(file)
        if format == .array { try buffer.append("[".utf8) }
    }

    mutating func write(_ record: any Encodable) throws {
        if format == .array { try buffer.append((count == 0 ? "\n" : ",\n").utf8) }
        try buffer.append(try encode(record))
        if format == .lines { try buffer.append("\n".utf8) }
        count += 1
    }

    mutating func finish() throws {
        if format == .array { try buffer.append((count == 0 ? "]\n" : "\n]\n").utf8) }
        try buffer.flush()
    }
}
