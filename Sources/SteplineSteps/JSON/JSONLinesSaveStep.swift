public import Foundation
import SteplineJSON
public import SteplinePipeline

/// Writes the content's list of records to a file as JSON Lines or as one array, and passes it on.
///
///     JSONLinesSaveStep<Reading>(file)
///     JSONLinesSaveStep<JSON>(file, as: .array)
///
/// Records are encoded one at a time. Files are written as by ``FileSaveStep``. A record that can't be encoded throws
/// its `EncodingError`.
public final class JSONLinesSaveStep<T: Encodable & Sendable>: BasicStep<[T], [T]>,
    @unchecked Sendable  // the encoder is a private copy that is never changed
{
    private let file: URL
    private let format: JSONRecordFormat
    private let saving: FileSaveOptions
    private let encoder: JSONEncoder

    /// Creates a step with the encoder's present strategies; records are never pretty-printed.
    public init(
        _ file: URL, as format: JSONRecordFormat = .lines, options: FileSaveOptions = .init(),
        encoder: JSONEncoder = .init()
    ) {
        self.file = file
        self.format = format
        saving = options
        self.encoder = encoder.copyForRecords
        super.init()
    }

    /// The errors in the settings: a URL that isn't a file URL.
    public override var configurationProblems: [String] { file.problemsAsFile }

    /// The file.
    public override var produces: [URL] { [file] }

    /// Creates an unused step with the same file, format, strategies and options.
    public override func makeCopy() -> any Step {
        let copy = JSONLinesSaveStep(file, as: format, options: saving, encoder: encoder)
        copy.takeOptions(of: self)
        return copy
    }

    /// Writes the records.
    public override func process(_ records: [T]) throws -> [T] {
        let context = context
        let writer = try FileWriter(file.pathOfFile(), saving) { try context.checkCancellation() }
        try writer.write { file in
            var output = try JSONRecordWriter(file, format, encode: encoder.recordBytes)
            for record in records {
                try context.checkCancellation()
                try output.write(record)
            }
            try output.finish()
        }
        return records
    }
}
