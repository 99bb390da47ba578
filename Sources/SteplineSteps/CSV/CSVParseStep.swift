public import Foundation
import SteplinePipeline

/// Processes each record of comma-separated values in order.
///
///     CSVParseStep(as: City.self)                                   // the content's bytes, each record decoded
///     CSVParseStep(file) { record in record["name"] }               // a file, in constant memory
///     CSVParseStep(format: CSVFormat(separator: ";")) { record in record.fields }
///
/// The first line names the fields, unless the format says otherwise. What is malformed, and a field that can't
/// be decoded, is a ``CSVError`` with its line and column; what a closure throws is `.record`, with the cause
/// beneath. Records of which nil is made are skipped. Cancellation is seen between records.
public final class CSVParseStep<Input: Sendable, R: Sendable>: ReadyMadeStep<Input, [R]>, @unchecked Sendable
{
    private init(file: URL?, format: CSVFormat, make: @escaping @Sendable (CSVRecord) throws -> R?) {
        super.init(
            problems: format.problems + (file?.problemsAsFile ?? []),
            copy: { CSVParseStep(file: file, format: format, make: make) }
        ) { input, step in
            let context = step.context
            let reader = CSVReader(format: format)
            var all: [R] = []
            func take(_ record: CSVRecord) throws {
                try context.checkCancellation()
                if let made = try CSVParseStep.made(of: record, make) { all.append(made) }
            }
            if let file {
                let chunks = try FileChunks(file)
                while let chunk = try chunks.next() { try reader.read(chunk, take) }
            } else if let data = input as? Data {
                try reader.read(data, take)
            }
            try reader.finish(take)
            return all
        }
    }

    /// Creates a step that calls `make` with each record in the content's bytes.
    public convenience init(
        format: CSVFormat = .init(), _ make: @escaping @Sendable (CSVRecord) throws -> R?
    ) where Input == Data {
        self.init(file: nil, format: format, make: make)
    }

    /// Creates a step that decodes each record in the content's bytes.
    public convenience init(
        as type: R.Type, format: CSVFormat = .init()
    ) where Input == Data, R: Decodable {
        self.init(file: nil, format: format) { try $0.decode(R.self) }
    }

    /// Creates a step that calls `make` with each record of a file, in constant memory.
    public convenience init(
        _ file: URL, format: CSVFormat = .init(), _ make: @escaping @Sendable (CSVRecord) throws -> R?
    ) where Input == Void {
        self.init(file: file, format: format, make: make)
    }

    /// Creates a step that decodes each record of a file.
    public convenience init(
        _ file: URL, as type: R.Type, format: CSVFormat = .init()
    ) where Input == Void, R: Decodable {
        self.init(file: file, format: format) { try $0.decode(R.self) }
    }

    private static func made(of record: CSVRecord, _ make: (CSVRecord) throws -> R?) throws -> R? {
        do {
            return try make(record)
        } catch let error as CSVError {
            throw error
        } catch {
            throw CSVError(
                .record, "Nothing can be made of the record", line: record.line, underlying: error)
        }
    }
}
