import Foundation
import SteplineJSON

/// Processes records one at a time, checking for cancellation in between.
struct JSONRecordMaker<R: Sendable> {
    private let make: (JSON) throws -> R?
    private let checkCancellation: () throws -> Void

    init(_ make: @escaping (JSON) throws -> R?, checkCancellation: @escaping () throws -> Void) {
        self.make = make
        self.checkCancellation = checkCancellation
    }

    /// Returns the results for all lines in chunks.
    func collect(
        linesOf options: JSON.Options, _ nextChunk: () throws -> Data?
    ) throws -> [R] {
        var all: [R] = []
        try forEach(lineOf: options, nextChunk) { all.append($0) }
        return all
    }

    /// Calls `body` with the result of each line in chunks.
    func forEach(
        lineOf options: JSON.Options, _ nextChunk: () throws -> Data?,
        _ body: (R) throws -> Void
    ) throws {
        let reader = JSON.LineReader(options: options)
        func take(_ record: JSON) throws {
            if let made = try made(of: record, "the record", at: (reader.line, 1)) { try body(made) }
        }
        while let chunk = try nextChunk() { try reader.read(chunk, take) }
        try reader.finish(take)
    }

    /// Calls `body` with the result of each element of an array in chunks.
    func forEach(
        elementAt pointer: String, options: JSON.Options, _ nextChunk: () throws -> Data?,
        _ body: (R) throws -> Void
    ) throws {
        let reader = try JSON.ElementReader(at: pointer, options: options)
        var position = 0
        func take(_ element: JSON) throws {
            let made = try made(of: element, "element \(position)", at: (reader.line, reader.column))
            if let made { try body(made) }
            position += 1
        }
        while let chunk = try nextChunk() { try reader.read(chunk, take) }
        try reader.finish(take)
    }

    private func made(
        of record: JSON, _ name: String, at place: @autoclosure () -> (line: Int, column: Int)
    ) throws -> R? {
        try checkCancellation()
        do {
            return try make(record)
        } catch {
            throw JSONError(
                .record, message: "Nothing can be made of \(name)", line: place().line,
                column: place().column,
                underlying: error)
        }
    }
}
