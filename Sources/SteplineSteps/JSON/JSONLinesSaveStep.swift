public import Foundation
import SteplineJSON
public import SteplinePipeline

/// Writes the records of the bag's list to a file as JSON Lines or as one array, and passes them on.
///
///     JSONLinesSaveStep<Reading>(file)
///     JSONLinesSaveStep<JSON>(file, as: .array)
///
/// Each record is encoded and written when its turn comes: beside the list memory holds no more than one.
/// How the file is written, and what becomes of it if something fails, is as with ``FileSaveStep``. A record that
/// can't be encoded is its `EncodingError`.
public final class JSONLinesSaveStep<T: Encodable & Sendable>: BasicStep<[T], [T]>,
    @unchecked Sendable  // the encoder is a copy that nobody else has, and is never changed
{
    private let file: URL
    private let format: JSONRecordFormat
    private let saving: FileSaveOptions
    private let encoder: JSONEncoder

    /// Makes a step that writes to a file, with the strategies that `encoder` has now; records are never pretty
    /// printed.
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

    /// What is wrong with the settings: a URL of something else than a file.
    public override var configurationProblems: [String] { file.problemsAsFile }

    /// The file.
    public override var produces: [URL] { [file] }

    /// Makes an unused step with the same file, format, strategies and options.
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
