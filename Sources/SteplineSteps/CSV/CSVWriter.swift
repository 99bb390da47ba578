import Foundation

/// Writes records as comma-separated values; the first record's names become the header.
package struct CSVWriter {
    private let format: CSVFormat
    private let separator: UInt8
    private var names: [String]?
    private var positions: [String: Int] = [:]

    package init(_ format: CSVFormat) throws {
        guard let separator = format.separatorByte else {
            throw CSVError(.invalidFormat, format.problems.first ?? "The format can't be used")
        }
        self.format = format
        self.separator = separator
    }

    /// Returns the bytes of a record, preceded by the header for the first one.
    package mutating func bytes(of record: some Encodable) throws -> [UInt8] {
        let row = CSVRow()
        try record.encode(to: CSVRecordEncoder(row: row))
        var result: [UInt8] = []
        let names = names ?? begin(row, &result)
        var fields = [String](repeating: "", count: names.count)
        for (name, text) in row.fields {
            guard let position = positions[name] else {
                throw CSVError(.wrongFieldCount, "The header has no field \"\(name)\"", field: name)
            }
            fields[position] = text
        }
        write(fields, to: &result)
        return result
    }

    private mutating func begin(_ row: CSVRow, _ result: inout [UInt8]) -> [String] {
        let names = row.fields.map(\.name)
        self.names = names
        positions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
        if format.hasHeader { write(names, to: &result) }
        return names
    }

    private func write(_ fields: [String], to result: inout [UInt8]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { result.append(separator) }
            // A single empty field would be an empty line, which readers skip.
            if mustQuote(field) || fields.count == 1 && field.isEmpty {
                result.append(UInt8(ascii: "\""))
                for byte in field.utf8 {
                    if byte == UInt8(ascii: "\"") { result.append(byte) }
                    result.append(byte)
                }
                result.append(UInt8(ascii: "\""))
            } else {
                result.append(contentsOf: field.utf8)
            }
        }
        result.append(contentsOf: [0x0D, 0x0A])
    }

    private func mustQuote(_ field: String) -> Bool {
        guard let first = field.utf8.first, let last = field.utf8.last else { return false }
        if first == 0x20 || last == 0x20 || first == 0xEF || field.hasPrefix("sep=") { return true }
        return field.utf8.contains { $0 == separator || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    }
}

/// Collects the fields of a record during encoding.
final class CSVRow {
    private(set) var fields: [(name: String, text: String)] = []

    func add(_ name: String, _ text: String) { fields.append((name, text)) }
}
