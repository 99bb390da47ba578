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

    /// Hands over what is made of each record of a file.
    func forEach(
        _ records: JSON.Records, of file: URL, _ options: JSON.Options, _ body: (R) throws -> Void
    ) throws {
        let chunks = try FileChunks(file)
        try forEach(records, options, chunks.next, body)
    }

    /// Hands over what is made of each record in chunks.
    func forEach(
        _ records: JSON.Records, _ options: JSON.Options, _ nextChunk: () throws -> Data?,
        _ body: (R) throws -> Void
    ) throws {
        let reader = try records.reader(options)
        var position = 0
        func take(_ record: JSON) throws {
            try checkCancellation()
            let made: R?
            do {
                made = try make(record)
            } catch {
                let name = records == .lines ? "the record" : "element \(position)"
                throw JSONError(
                    .record, message: "Nothing can be made of \(name)", line: reader.line,
                    column: reader.column, underlying: error)
            }
            if let made { try body(made) }
            position += 1
        }
        while let chunk = try nextChunk() { try reader.read(chunk, take) }
        try reader.finish(take)
    }
}
