public import Foundation
public import SteplineJSON
import SteplinePipeline

/// Processes each line of JSON Lines in the content's bytes, in order.
///
///     JSONLinesStep<Reading>()                                // each line decoded
///     JSONLinesStep { $0.ok?.bool == true ? $0.name?.string : nil }
///
/// A line that is malformed is a `JSONError` with its number, one that nothing can be made of an error
/// `.record` with its number and the cause beneath. Empty lines are skipped, and so are those of which nil is
/// made. Cancellation is seen between lines.
public final class JSONLinesStep<R: Sendable>: ReadyMadeStep<Data, [R]>, @unchecked Sendable {
    /// Makes a step that calls `make` with each line; the options hold for one line.
    public init(options: JSON.Options = .init(), _ make: @escaping @Sendable (JSON) throws -> R?) {
        super.init(copy: { JSONLinesStep(options: options, make) }) { data, step in
            let context = step.context
            let records = JSONRecordMaker(make) { try context.checkCancellation() }
            var rest = data[...]
            var all: [R] = []
            // In pieces, since each is copied behind what was left over of the one before.
            func nextChunk() -> Data? {
                guard !rest.isEmpty else { return nil }
                let chunk = rest.prefix(1 << 18)
                rest = rest.dropFirst(chunk.count)
                return chunk
            }
            try records.forEach(.lines, options, nextChunk) { all.append($0) }
            return all
        }
    }

    /// Makes a step that decodes each line as the step's type.
    public convenience init(decoder: JSON.Decoder = .init()) where R: Decodable {
        self.init(options: decoder.options) { try decoder.decode(R.self, from: $0) }
    }
}
