public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Processes each line of JSON Lines in the content's bytes, in order.
///
///     JSONLinesStep<Reading>()                                // each line decoded
///     JSONLinesStep { $0.ok?.bool == true ? $0.name?.string : nil }
///
/// A malformed line throws a `JSONError` with its number. An error of the closure becomes `.record` with the number and
/// that error beneath. Empty lines are skipped, and lines for which the closure returns nil. Cancellation is checked
/// between lines.
public final class JSONLinesStep<R: Sendable>: BasicStep<Data, [R]>,
    @unchecked Sendable  // all stored properties are constant
{
    private let parsing: JSON.Options
    private let make: @Sendable (JSON) throws -> R?

    /// Creates a step that calls `make` with each line; the options apply to one line.
    public init(options: JSON.Options = .init(), _ make: @escaping @Sendable (JSON) throws -> R?) {
        parsing = options
        self.make = make
        super.init()
    }

    /// Creates a step that decodes each line.
    public convenience init(decoder: JSON.Decoder = .init()) where R: Decodable {
        self.init(options: decoder.options) { try decoder.decode(R.self, from: $0) }
    }

    /// Creates an unused step with the same closure and options.
    public override func makeCopy() -> any Step {
        let copy = JSONLinesStep(options: parsing, make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the lines.
    public override func process(_ data: Data) throws -> [R] {
        let context = context
        let records = JSONRecordMaker(make) { try context.checkCancellation() }
        var rest = data[...]
        return try records.collect(linesOf: parsing) {
            // In pieces, since each piece is appended to the rest of the one before.
            guard !rest.isEmpty else { return nil }
            let chunk = rest.prefix(1 << 18)
            rest = rest.dropFirst(chunk.count)
            return chunk
        }
    }
}
