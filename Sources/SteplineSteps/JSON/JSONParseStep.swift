public import Foundation
public import SteplineJSON
import SteplinePipeline

/// Parses the content's bytes into a `JSON` document; keeps the bytes.
///
/// Any value may stand on top, unless the options forbid it. Empty data is a success, and `.null`; anything
/// malformed or beyond a limit is a `JSONError` with its place.
public final class JSONParseStep: ReadyMadeStep<Data, JSON>, @unchecked Sendable {
    /// Makes a step that parses.
    public init(options: JSON.Options = .init()) {
        super.init(copy: { JSONParseStep(options: options) }) { data, _ in
            data.isEmpty ? .null : try JSON(parsing: data, options: options)
        }
    }
}
