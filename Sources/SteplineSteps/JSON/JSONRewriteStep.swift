public import Foundation
public import SteplineJSON
import SteplinePipeline

/// Transforms each record of a JSON file and writes the results to another file, in constant memory; counts them.
///
///     JSONRewriteStep(input, of: .elements(at: "/data/items"), to: output) { item in item["name"] }
///
/// Reading is as with ``JSONLinesLoadStep``, writing as with ``JSONLinesSaveStep``; records of which nil is made
/// are left out. (`return nil`: in `wanted ? item : nil` the nil is a `JSON`, null.)
///
/// If the step fails or is cancelled, the target keeps its old content, or isn't created. Only if
/// ``FileSaveOptions/isAtomic`` is false, an existing target keeps the records written so far. Another attempt begins
/// at the first record.
public final class JSONRewriteStep<Input: Sendable, T: Encodable & Sendable>: ReadyMadeStep<Input, Int>,
    @unchecked Sendable
{
    /// How records are read and written, apart from the closure.
    private struct Settings: Sendable {
        let source: JSON.Records
        let parsing: JSON.Options
        let target: URL
        let format: JSONRecordFormat
        let saving: FileSaveOptions
        let encoder: JSONEncoder
    }

    private init(file: URL?, settings: Settings, make: @escaping @Sendable (JSON) throws -> T?) {
        super.init(
            producing: [settings.target],
            problems: settings.source.problems + settings.target.problemsAsFile
                + (file?.problemsAsFile ?? []),
            copy: { JSONRewriteStep(file: file, settings: settings, make: make) }
        ) { input, step in
            guard let url = file ?? input as? URL else { return 0 }  // the initializers leave no third case
            let context = step.context
            let records = JSONRecordMaker(make) { try context.checkCancellation() }
            let writer = try FileWriter(settings.target.pathOfFile(), settings.saving) {
                try context.checkCancellation()
            }
            var count = 0
            try writer.write { file in
                var output = try JSONRecordWriter(file, settings.format, encode: settings.encoder.recordBytes)
                try records.forEach(settings.source, of: url, settings.parsing) { try output.write($0) }
                try output.finish()
                count = output.count
            }
            return count
        }
    }

    /// Creates a step that reads a file.
    public convenience init(
        _ file: URL, of source: JSON.Records = .lines, parsing: JSON.Options = .init(), to target: URL,
        as format: JSONRecordFormat = .lines, options: FileSaveOptions = .init(),
        encoder: JSONEncoder = .init(), _ make: @escaping @Sendable (JSON) throws -> T?
    ) where Input == Void {
        let settings = Settings(
            source: source, parsing: parsing, target: target, format: format, saving: options,
            encoder: encoder.copyForRecords)
        self.init(file: file, settings: settings, make: make)
    }

    /// Creates a step that reads the file whose URL is in the content, such as after a download.
    public convenience init(
        of source: JSON.Records = .lines, parsing: JSON.Options = .init(), to target: URL,
        as format: JSONRecordFormat = .lines, options: FileSaveOptions = .init(),
        encoder: JSONEncoder = .init(), _ make: @escaping @Sendable (JSON) throws -> T?
    ) where Input == URL {
        let settings = Settings(
            source: source, parsing: parsing, target: target, format: format, saving: options,
            encoder: encoder.copyForRecords)
        self.init(file: nil, settings: settings, make: make)
    }
}
