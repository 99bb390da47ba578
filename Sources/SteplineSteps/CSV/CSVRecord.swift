/// A record of comma-separated values; fields are converted to strings on access.
public struct CSVRecord: Sendable {
    /// The names of the fields, shared by all records.
    final class Names: Sendable {
        let list: [String]
        let positions: [String: Int]

        init(_ list: [String]) {
            self.list = list
            positions = Dictionary(
                list.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The line of the record's begin, from 1.
    public let line: Int
    let header: Names
    private let bytes: [UInt8]
    /// The end of each field in the bytes, and its begin in the source.
    private let ends: [Int]
    private let places: [CSVPlace]

    init(line: Int, header: Names, bytes: [UInt8], ends: [Int], places: [CSVPlace]) {
        self.line = line
        self.header = header
        self.bytes = bytes
        self.ends = ends
        self.places = places
    }

    /// The number of fields.
    public var count: Int { ends.count }

    /// The names of the fields, in order.
    public var names: [String] { header.list }

    /// All fields, in order.
    public var fields: [String] { ends.indices.map { text($0) } }

    /// The field at a position; nil if there is none.
    public subscript(position: Int) -> String? { ends.indices.contains(position) ? text(position) : nil }

    /// The field with a name; nil if there is none.
    public subscript(name: String) -> String? { header.positions[name].flatMap { self[$0] } }

    /// Decodes the record as a flat type, whose properties have the names of fields.
    ///
    /// An empty field is nil for an optional and an empty string for a string. Booleans are `true`, `false`, `1` and
    /// `0`, dates ISO 8601, data Base64.
    ///
    /// - Throws: A ``CSVError`` with the place of a field that can't be decoded, or with the code `notFlat`.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try T(from: CSVRecordDecoder(record: self))
    }

    func place(_ position: Int) -> CSVPlace {
        places.indices.contains(position) ? places[position] : CSVPlace(line: line, column: 1)
    }

    private func text(_ position: Int) -> String {
        let start = position == 0 ? 0 : ends[position - 1]
        return String(decoding: bytes[start..<ends[position]], as: UTF8.self)
    }
}
