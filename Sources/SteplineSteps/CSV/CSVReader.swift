public import Foundation

/// A push parser that splits chunks of bytes into records.
///
/// Uses memory for one record. Empty lines are skipped. After an error, all further calls throw the same error.
///
///
/// ```swift
/// let reader = CSVReader()
/// for chunk in chunks { try reader.read(chunk) { record in print(record["name"] ?? "") } }
/// try reader.finish { record in print(record["name"] ?? "") }
/// ```
public final class CSVReader {
    private var tokenizer: CSVTokenizer
    private let hasHeader: Bool
    private var header: CSVRecord.Names?
    private var failure: (any Error)?

    /// Creates a reader.
    public init(format: CSVFormat = .init()) {
        tokenizer = CSVTokenizer(format)
        hasHeader = format.hasHeader
    }

    /// Parses the next bytes and calls `body` with each completed record.
    ///
    /// - Throws: A ``CSVError`` with line and column for malformed input, or the error of `body`.
    public func read(_ chunk: Data, _ body: (CSVRecord) throws -> Void) throws {
        try guarding {
            try chunk.withUnsafeBytes { bytes in try tokenizer.take(bytes) { try hand($0, body) } }
        }
    }

    /// Ends the input and calls `body` with a last record without line end.
    ///
    /// - Throws: A ``CSVError`` with line and column for malformed or truncated input, or the error of `body`.
    public func finish(_ body: (CSVRecord) throws -> Void) throws {
        try guarding { try tokenizer.finish { try hand($0, body) } }
    }

    private func guarding(_ body: () throws -> Void) throws {
        if let failure { throw failure }
        do {
            try body()
        } catch {
            failure = error
            throw error
        }
    }

    private func hand(_ row: CSVTokenizer.Row, _ body: (CSVRecord) throws -> Void) throws {
        guard row.isUTF8 else {
            throw CSVError(.invalidUTF8, "The text is not UTF-8", line: row.line)
        }
        guard let header else {
            let first = row.record(CSVRecord.Names([]))
            let names = hasHeader ? first.fields : (0..<first.count).map { "\($0)" }
            header = try checked(names, row)
            if !hasHeader { try hand(row, body) }
            return
        }
        guard row.ends.count == header.list.count else {
            let last = min(row.ends.count, header.list.count) - 1
            throw CSVError(
                .wrongFieldCount, "The record has \(row.ends.count) fields, not \(header.list.count)",
                line: row.places[max(0, last)].line, column: row.places[max(0, last)].column)
        }
        try body(row.record(header))
    }

    private func checked(_ names: [String], _ row: CSVTokenizer.Row) throws -> CSVRecord.Names {
        var seen: Set<String> = []
        for (position, name) in names.enumerated() where !seen.insert(name).inserted {
            throw CSVError(
                .duplicateName, "Two fields are called \"\(name)\"", line: row.places[position].line,
                column: row.places[position].column, field: name)
        }
        return CSVRecord.Names(names)
    }
}

// Not thread-safe.
@available(*, unavailable)
extension CSVReader: Sendable {}
