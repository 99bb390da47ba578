public import Foundation
import SteplineJSON
public import SteplinePipeline

/// Encodes a value as JSON into the bag's bytes.
///
/// Fails with the `EncodingError` of a value that can't be encoded, and leaves the bag as it was. A `JSON`
/// document is written as it is, with all digits and the order of its members.
public final class JSONEncodeStep<T: Encodable & Sendable>: BasicStep<T, Data>,
    @unchecked Sendable  // the encoder is a copy that nobody else has, and is never changed
{
    private let encoder: JSONEncoder

    /// Makes a step that encodes with the strategies that `encoder` has now.
    public init(encoder: JSONEncoder = .init()) {
        self.encoder = encoder.copy
        super.init()
    }

    /// Makes an unused step with the same strategies and options.
    public override func makeCopy() -> any Step {
        let copy = JSONEncodeStep(encoder: encoder)
        copy.takeOptions(of: self)
        return copy
    }

    /// Encodes.
    public override func process(_ value: T) throws -> Data {
        guard let json = value as? JSON else { return try encoder.encode(value) }
        let formatting = encoder.outputFormatting
        return json.data(
            JSON.Format(
                isPretty: formatting.contains(.prettyPrinted), sortsKeys: formatting.contains(.sortedKeys)))
    }
}
