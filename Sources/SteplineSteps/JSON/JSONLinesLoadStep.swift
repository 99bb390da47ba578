public import Foundation
public import SteplineJSON
import SteplinePipeline

/// Processes each record of a large JSON file in order, in constant memory.
///
///     JSONLinesLoadStep(file, as: Reading.self)                        // a given file
///     JSONLinesLoadStep { $0.ok?.bool == true ? $0.name?.string : nil }  // a file created by an earlier step
///     JSONLinesLoadStep(file, of: .elements(at: "/data/items")) { item in item.id?.int }
///
/// The records are the file's lines, or the elements of an array deep in it. A malformed one is a `JSONError` with
/// its place, one that nothing can be made of an error `.record` with the cause beneath. Those of which nil is
/// made are skipped, and what is made of the others is kept in a list. Cancellation is seen between records.
public final class JSONLinesLoadStep<Input: Sendable, R: Sendable>: ReadyMadeStep<Input, [R]>,
    @unchecked Sendable
{
    private init(
        file: URL?, source: JSON.Records, parsing: JSON.Options,
        make: @escaping @Sendable (JSON) throws -> R?
    ) {
        super.init(
            problems: source.problems + (file?.problemsAsFile ?? []),
            copy: { JSONLinesLoadStep(file: file, source: source, parsing: parsing, make: make) }
        ) { input, step in
            guard let url = file ?? input as? URL else { return [] }  // the initializers leave no third case
            let context = step.context
            let records = JSONRecordMaker(make) { try context.checkCancellation() }
            var all: [R] = []
            try records.forEach(source, of: url, parsing) { all.append($0) }
            return all
        }
    }

    /// Creates a step that calls `make` with each record of a file; the options apply to one record.
    public convenience init(
        _ file: URL, of source: JSON.Records = .lines, options: JSON.Options = .init(),
        _ make: @escaping @Sendable (JSON) throws -> R?
    ) where Input == Void {
        self.init(file: file, source: source, parsing: options, make: make)
    }

    /// Creates a step that decodes each record of a file.
    public convenience init(
        _ file: URL, of source: JSON.Records = .lines, as type: R.Type, decoder: JSON.Decoder = .init()
    ) where Input == Void, R: Decodable {
        self.init(file: file, source: source, parsing: decoder.options) {
            try decoder.decode(R.self, from: $0)
        }
    }

    /// Creates a step for the file whose URL is in the content, such as after a download.
    public convenience init(
        of source: JSON.Records = .lines, options: JSON.Options = .init(),
        _ make: @escaping @Sendable (JSON) throws -> R?
    ) where Input == URL {
        self.init(file: nil, source: source, parsing: options, make: make)
    }

    /// Creates a step that decodes each record of the file whose URL is in the content.
    public convenience init(
        of source: JSON.Records = .lines, as type: R.Type, decoder: JSON.Decoder = .init()
    ) where Input == URL, R: Decodable {
        self.init(file: nil, source: source, parsing: decoder.options) {
            try decoder.decode(R.self, from: $0)
        }
    }
}
