public import Foundation
import SteplineJSON
import SteplinePipeline

/// Writes the content's list of records to a file as JSON Lines or as one array, and passes it on.
///
///     JSONLinesSaveStep<Reading>(file)
///     JSONLinesSaveStep<JSON>(file, as: .array)
///
/// Each record is encoded and written when its turn comes: beside the list memory holds no more than one.
/// How the file is written, and what becomes of it if something fails, is as with ``FileSaveStep``. A record that
/// can't be encoded is its `EncodingError`.
public final class JSONLinesSaveStep<T: Encodable & Sendable>: ReadyMadeStep<[T], [T]>, @unchecked Sendable {
    /// Makes a step that writes to a file, with the strategies that `encoder` has now; records are never pretty
    /// printed.
    public init(
        _ file: URL, as format: JSONRecordFormat = .lines, options: FileSaveOptions = .init(),
        encoder: JSONEncoder = .init()
    ) {
        let encoder = encoder.copyForRecords
        super.init(
            producing: [file], problems: file.problemsAsFile,
            copy: { JSONLinesSaveStep(file, as: format, options: options, encoder: encoder) }
        ) { records, step in
            let context = step.context
            let writer = try FileWriter(file.pathOfFile(), options) { try context.checkCancellation() }
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
}
