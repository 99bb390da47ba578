public import Foundation
import SteplineJSON
public import SteplinePipeline

/// Encodes a value as JSON into the content's bytes.
///
/// Throws the `EncodingError` of a value that can't be encoded, and then leaves the content unchanged. A `JSON`
/// document is written with all digits and its member order.
public final class JSONEncodeStep<T: Encodable & Sendable>: BasicStep<T, Data>,
    @unchecked Sendable  // the encoder is a private copy that is never changed
{
    private let encoder: JSONEncoder

    /// Creates a step with the encoder's present strategies.
    public init(encoder: JSONEncoder = .init()) {
        self.encoder = encoder.copy
        super.init()
    }

    /// Creates an unused step with the same strategies and options.
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
