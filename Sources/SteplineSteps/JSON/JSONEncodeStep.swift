public import Foundation
import SteplineJSON
import SteplinePipeline

/// Encodes a value as JSON into the content's bytes.
///
/// Fails with the `EncodingError` of a value that can't be encoded, and leaves the bag as it was. A `JSON`
/// document is written as it is, with all digits and the order of its members.
public final class JSONEncodeStep<T: Encodable & Sendable>: ReadyMadeStep<T, Data>, @unchecked Sendable {
    /// Makes a step that encodes with the strategies that `encoder` has now.
    public init(encoder: JSONEncoder = .init()) {
        let encoder = encoder.copy
        super.init(copy: { JSONEncodeStep(encoder: encoder) }) { value, _ in
            guard let json = value as? JSON else { return try encoder.encode(value) }
            let formatting = encoder.outputFormatting
            return json.data(
                JSON.Format(
                    isPretty: formatting.contains(.prettyPrinted),
                    sortsKeys: formatting.contains(.sortedKeys)))
        }
    }
}
