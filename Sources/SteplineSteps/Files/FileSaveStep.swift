public import Foundation
public import SteplinePipeline

/// Writes the content's bytes to a file, and passes them on.
///
/// By default creates missing directories and replaces an existing file atomically, preserving its mode and following
/// links. Throws a ``FileError``. After a failed or cancelled atomic save the old file is unchanged, and no temporary
/// file remains.
public final class FileSaveStep: BasicStep<Data, Data>,
    @unchecked Sendable  // all stored properties are constant
{
    private let url: URL
    private let saveOptions: FileSaveOptions

    /// Creates a step that writes to a file.
    public init(_ url: URL, options: FileSaveOptions = .init()) {
        self.url = url
        saveOptions = options
        super.init()
    }

    /// The errors in the settings: a URL that isn't a file URL.
    public override var configurationProblems: [String] { url.problemsAsFile }

    /// The file.
    public override var produces: [URL] { [url] }

    /// Creates an unused step with the same file and options.
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
