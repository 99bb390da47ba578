public import Foundation
public import SteplinePipeline

/// Writes the records of the bag's list to a file as comma-separated values, and passes them on.
///
///     CSVSaveStep<City>(file)
///
/// The names of the first record's properties are the header; a property that is nil is an empty field. Each
/// record is written when its turn comes: beside the list memory holds no more than one. How the file is written,
/// and what becomes of it if something fails, is as with ``FileSaveStep``. What isn't flat is a ``CSVError``.
public final class CSVSaveStep<T: Encodable & Sendable>: BasicStep<[T], [T]>,
    @unchecked Sendable  // all that is stored is constant
{
    private let file: URL
    private let format: CSVFormat
    private let saving: FileSaveOptions

    /// Makes a step that writes to a file.
    public init(_ file: URL, format: CSVFormat = .init(), options: FileSaveOptions = .init()) {
        self.file = file
        self.format = format
        saving = options
        super.init()
    }

    /// What is wrong with the settings: a separator that can be none, a URL of something else than a file.
    public override var configurationProblems: [String] { format.problems + file.problemsAsFile }

    /// The file.
    public override var produces: [URL] { [file] }

    /// Makes an unused step with the same file, format and options.
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
