public import Foundation
import SteplinePipeline

/// Writes the content's list of records to a file as comma-separated values, and passes it on.
///
///     CSVSaveStep<City>(file)
///
/// The names of the first record's properties are the header; a property that is nil is an empty field. Each
/// record is written when its turn comes: beside the list memory holds no more than one. How the file is written,
/// and what becomes of it if something fails, is as with ``FileSaveStep``. What isn't flat is a ``CSVError``.
public final class CSVSaveStep<T: Encodable & Sendable>: ReadyMadeStep<[T], [T]>, @unchecked Sendable {
    /// Makes a step that writes to a file.
    public init(_ file: URL, format: CSVFormat = .init(), options: FileSaveOptions = .init()) {
        super.init(
            producing: [file], problems: format.problems + file.problemsAsFile,
            copy: { CSVSaveStep(file, format: format, options: options) }
        ) { records, step in
            let context = step.context
            let writer = try FileWriter(file.pathOfFile(), options) { try context.checkCancellation() }
            try writer.write { file in
                var output = try CSVWriter(format)
                var buffer = FileBuffer(file)
                for record in records {
                    try context.checkCancellation()
                    try buffer.append(try output.bytes(of: record))
                }
                try buffer.flush()
            }
            return records
        }
    }
}
