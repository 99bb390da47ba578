public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Processes each record of a large JSON file in order, in constant memory.
///
///     JSONLinesLoadStep(file, as: Reading.self)                        // a given file
///     JSONLinesLoadStep { $0.ok?.bool == true ? $0.name?.string : nil }  // a file created by an earlier step
///     JSONLinesLoadStep(file, of: .elements(at: "/data/items")) { item in item.id?.int }
///
/// The records are the file's lines, or the elements of an array at a path. A malformed record throws a `JSONError`
/// with its place. An error of the closure becomes `.record` with that error beneath. Records are skipped if the
/// closure returns nil; the other results form the output list. Cancellation is checked between records.
public final class JSONLinesLoadStep<Input: Sendable, R: Sendable>: BasicStep<Input, [R]>,
    @unchecked Sendable  // all stored properties are constant
{
    private let file: URL?
    private let source: JSONRecordSource
    private let parsing: JSON.Options
    private let make: @Sendable (JSON) throws -> R?

    private init(
        file: URL?, source: JSONRecordSource, parsing: JSON.Options,
        make: @escaping @Sendable (JSON) throws -> R?
    ) {
        self.file = file
        self.source = source
        self.parsing = parsing
        self.make = make
        super.init()
    }

    /// Creates a step that calls `make` with each record of a file; the options apply to one record.
    public convenience init(
        _ file: URL, of source: JSONRecordSource = .lines, options: JSON.Options = .init(),
        _ make: @escaping @Sendable (JSON) throws -> R?
    ) where Input == Void {
        self.init(file: file, source: source, parsing: options, make: make)
    }

    /// Creates a step that decodes each record of a file.
    public convenience init(
        _ file: URL, of source: JSONRecordSource = .lines, as type: R.Type, decoder: JSON.Decoder = .init()
    ) where Input == Void, R: Decodable {
        self.init(file: file, source: source, parsing: decoder.options) {
            try decoder.decode(R.self, from: $0)
        }
    }

    /// Creates a step for the file whose URL is in the content, such as after a download.
    public convenience init(
        of source: JSONRecordSource = .lines, options: JSON.Options = .init(),
        _ make: @escaping @Sendable (JSON) throws -> R?
    ) where Input == URL {
        self.init(file: nil, source: source, parsing: options, make: make)
    }

    /// Creates a step that decodes each record of the file whose URL is in the content.
    public convenience init(
        of source: JSONRecordSource = .lines, as type: R.Type, decoder: JSON.Decoder = .init()
    ) where Input == URL, R: Decodable {
        self.init(file: nil, source: source, parsing: decoder.options) {
            try decoder.decode(R.self, from: $0)
        }
    }

    /// The errors in the settings: a malformed pointer, or a URL that isn't a file URL.
    public override var configurationProblems: [String] { source.problems + (file?.problemsAsFile ?? []) }

    /// Creates an unused step with the same file, closure and options.
    public override func makeCopy() -> any Step {
        let copy = JSONLinesLoadStep(file: file, source: source, parsing: parsing, make: make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the records.
    public override func process(_ input: Input) throws -> [R] {
        guard let url = file ?? input as? URL else { return [] }  // no other case: see the initializers
        let context = context
        let records = JSONRecordMaker(make) { try context.checkCancellation() }
        var all: [R] = []
        try source.forEach(of: url, parsing, records) { all.append($0) }
        return all
    }
}
