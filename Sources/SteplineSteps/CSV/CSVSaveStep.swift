public import Foundation
public import SteplinePipeline

/// Writes the content's list of records to a file as comma-separated values, and passes it on.
///
///     CSVSaveStep<City>(file)
///
/// The property names of the first record become the header; nil becomes an empty field. Records are encoded one
/// at a time. Files are written as by ``FileSaveStep``. A nested value throws a ``CSVError``.
public final class CSVSaveStep<T: Encodable & Sendable>: BasicStep<[T], [T]>,
    @unchecked Sendable  // all stored properties are constant
{
    private let file: URL
    private let format: CSVFormat
    private let saving: FileSaveOptions

    /// Creates a step that writes to a file.
    public init(_ file: URL, format: CSVFormat = .init(), options: FileSaveOptions = .init()) {
        self.file = file
        self.format = format
        saving = options
        super.init()
    }

    /// The errors in the settings: an invalid separator, or a URL that isn't a file URL.
    public override var configurationProblems: [String] { format.problems + file.problemsAsFile }

    /// The file.
    public override var produces: [URL] { [file] }

    /// Creates an unused step with the same file, format and options.
    public override func makeCopy() -> any Step {
        let copy = CSVSaveStep(file, format: format, options: saving)
        copy.takeOptions(of: self)
        return copy
    }

    /// Writes the records.
    public override func process(_ records: [T]) throws -> [T] {
        let context = context
        let writer = try FileWriter(file.pathOfFile(), saving) { try context.checkCancellation() }
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
