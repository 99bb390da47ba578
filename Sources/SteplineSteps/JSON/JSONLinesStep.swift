public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Makes something of each line of JSON Lines text in the bag's bytes, in order.
///
///     JSONLinesStep<Reading>()                                // each line decoded
///     JSONLinesStep { $0.ok?.bool == true ? $0.name?.string : nil }
///
/// A line that is malformed is a `JSONError` with its number, one that nothing can be made of an error
/// `.record` with its number and the cause beneath. Empty lines are skipped, and so are those of which nil is
/// made. Cancellation is seen between lines.
public final class JSONLinesStep<R: Sendable>: BasicStep<Data, [R]>,
    @unchecked Sendable  // all that is stored is constant
{
    private let parsing: JSON.Options
    private let make: @Sendable (JSON) throws -> R?

    /// Makes a step that calls `make` with each line; the options hold for one line.
    public init(options: JSON.Options = .init(), _ make: @escaping @Sendable (JSON) throws -> R?) {
        parsing = options
        self.make = make
        super.init()
    }

    /// What is made of each line decoded as the step's type.
    public convenience init(decoder: JSON.Decoder = .init()) where R: Decodable {
        self.init(options: decoder.options) { try decoder.decode(R.self, from: $0) }
    }

    /// Makes an unused step with the same closure and options.
    public override func makeCopy() -> any Step {
        let copy = JSONLinesStep(options: parsing, make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Goes through the lines.
    public override func process(_ data: Data) throws -> [R] {
        let context = context
        let records = JSONRecordMaker(make) { try context.checkCancellation() }
        var rest = data[...]
        return try records.collect(linesOf: parsing) {
            // In pieces, since each is copied behind what was left over of the one before.
            guard !rest.isEmpty else { return nil }
            let chunk = rest.prefix(1 << 18)
            rest = rest.dropFirst(chunk.count)
            return chunk
        }
    }
}
