public import Foundation
public import SteplinePipeline

/// Writes the bag's bytes to a file, and passes them on.
///
/// Unless told otherwise it makes missing directories and replaces an existing file atomically, keeping its
/// mode and following links. Success means that the file is there, whole; whatever goes wrong fails the step
/// with a ``FileError``. A failed atomic save, and one cancelled before the new file is in place, leaves the old
/// file, and no temporary one.
public final class FileSaveStep: BasicStep<Data, Data>,
    @unchecked Sendable  // all that is stored is constant
{
    private let url: URL
    private let saveOptions: FileSaveOptions

    /// Makes a step that writes to the file at `url`.
    public init(_ url: URL, options: FileSaveOptions = .init()) {
        self.url = url
        saveOptions = options
        super.init()
    }

    /// What is wrong with the settings: a URL of something else than a file.
    public override var configurationProblems: [String] { url.problemsAsFile }

    /// The file.
    public override var produces: [URL] { [url] }

    /// Makes an unused step with the same file and options.
    public override func makeCopy() -> any Step {
        let copy = FileSaveStep(url, options: saveOptions)
        copy.takeOptions(of: self)
        return copy
    }

    /// Writes the file.
    public override func process(_ data: Data) throws -> Data {
        let context = context
        let writer = try FileWriter(url.pathOfFile(), saveOptions) { try context.checkCancellation() }
        try writer.write(data)
        return data
    }
}
