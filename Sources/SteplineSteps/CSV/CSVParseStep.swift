public import Foundation
public import SteplinePipeline

/// Processes each record of comma-separated values in order.
///
///     CSVParseStep(as: City.self)                                   // the content's bytes, each record decoded
///     CSVParseStep(file) { record in record["name"] }               // a file, in constant memory
///     CSVParseStep(format: CSVFormat(separator: ";")) { record in record.fields }
///
/// The first line contains the names, unless the format says otherwise. Malformed input and fields that can't be
/// decoded are errors of type ``CSVError`` with line and column. An error of the closure becomes `.record` with that
/// error beneath. Records are skipped if the closure returns nil. Cancellation is checked between records.
public final class CSVParseStep<Input: Sendable, R: Sendable>: BasicStep<Input, [R]>,
    @unchecked Sendable  // all stored properties are constant
{
    private let file: URL?
    private let format: CSVFormat
    private let make: @Sendable (CSVRecord) throws -> R?

    private init(file: URL?, format: CSVFormat, make: @escaping @Sendable (CSVRecord) throws -> R?) {
        self.file = file
        self.format = format
        self.make = make
        super.init()
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

    /// The errors in the settings: an invalid separator, or a URL that isn't a file URL.
    public override var configurationProblems: [String] { format.problems + (file?.problemsAsFile ?? []) }

    /// Creates an unused step with the same file, format, closure and options.
    public override func makeCopy() -> any Step {
        let copy = CSVParseStep(file: file, format: format, make: make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the records.
    public override func process(_ input: Input) throws -> [R] {
        let context = context
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
