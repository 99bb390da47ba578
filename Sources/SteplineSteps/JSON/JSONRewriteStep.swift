public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Transforms each record of a JSON file and writes the results to another file, in constant memory; counts them.
///
///     JSONRewriteStep(input, of: .elements(at: "/data/items"), to: output) { item in item["name"] }
///
/// Reads like ``JSONLinesLoadStep`` and writes like ``JSONLinesSaveStep``. Records are left out if the closure returns
/// nil. Use `return nil`: in `wanted ? item : nil` the nil is a `JSON` null. A failure leaves no incomplete file.
public final class JSONRewriteStep<Input: Sendable, T: Encodable & Sendable>: BasicStep<Input, Int>,
    @unchecked Sendable  // the encoder is a private copy; everything else is constant
{
    /// The settings except the closure.
    private struct Settings {
        let source: JSONRecordSource
        let parsing: JSON.Options
        let target: URL
        let format: JSONRecordFormat
        let saving: FileSaveOptions
        let encoder: JSONEncoder
    }

    private let file: URL?
    private let settings: Settings
    private let make: @Sendable (JSON) throws -> T?

    private init(file: URL?, settings: Settings, make: @escaping @Sendable (JSON) throws -> T?) {
        self.file = file
        self.settings = settings
        self.make = make
        super.init()
    }

    /// Creates a step that reads a file.
    public convenience init(
        _ file: URL, of source: JSONRecordSource = .lines, parsing: JSON.Options = .init(), to target: URL,
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
        of source: JSONRecordSource = .lines, parsing: JSON.Options = .init(), to target: URL,
        as format: JSONRecordFormat = .lines, options: FileSaveOptions = .init(),
        encoder: JSONEncoder = .init(), _ make: @escaping @Sendable (JSON) throws -> T?
    ) where Input == URL {
        let settings = Settings(
            source: source, parsing: parsing, target: target, format: format, saving: options,
            encoder: encoder.copyForRecords)
        self.init(file: nil, settings: settings, make: make)
    }

    /// The errors in the settings: a malformed pointer, or URLs that aren't file URLs.
    public override var configurationProblems: [String] {
        settings.source.problems + settings.target.problemsAsFile + (file?.problemsAsFile ?? [])
    }

    /// The written file.
    public override var produces: [URL] { [settings.target] }

    /// Creates an unused step with the same files, closure and options.
    public override func makeCopy() -> any Step {
        let copy = JSONRewriteStep(file: file, settings: settings, make: make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Reads and writes.
    public override func process(_ input: Input) throws -> Int {
        guard let url = file ?? input as? URL else { return 0 }  // no other case: see the initializers
        let context = context
        let records = JSONRecordMaker(make) { try context.checkCancellation() }
        let writer = try FileWriter(settings.target.pathOfFile(), settings.saving) {
            try context.checkCancellation()
        }
        var count = 0
        try writer.write { file in
            var output = try JSONRecordWriter(file, settings.format, encode: settings.encoder.recordBytes)
            try settings.source.forEach(of: url, settings.parsing, records) { try output.write($0) }
            try output.finish()
            count = output.count
        }
        return count
    }
}
