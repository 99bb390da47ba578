public import Foundation
import SteplinePipeline

/// Writes the content's bytes to a file, and passes them on.
///
/// Unless told otherwise it makes missing directories and replaces an existing file atomically, keeping its
/// mode and following links. Success means that the file is there, whole; whatever goes wrong fails the step
/// with a ``FileError``. A failed atomic save, and one cancelled before the new file is in place, leaves the old
/// file, and no temporary one.
public final class FileSaveStep: ReadyMadeStep<Data, Data>, @unchecked Sendable {
    /// Makes a step that writes to the file at `url`.
    public init(_ url: URL, options: FileSaveOptions = .init()) {
        super.init(
            producing: [url], problems: url.problemsAsFile, copy: { FileSaveStep(url, options: options) }
        ) { data, step in
            let context = step.context
            let writer = try FileWriter(url.pathOfFile(), options) { try context.checkCancellation() }
            try writer.write(data)
            return data
        }
    }
}
