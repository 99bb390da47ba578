public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Decodes the content's bytes, or a value at a path in them, as a `Decodable` type; keeps the bytes.
///
///     Pipeline { FileLoadStep(file); JSONDecodeStep<City>(at: "/results/0") }
///
/// Malformed text throws a `JSONError` with its place, a mismatch a `DecodingError` with its coding path. Empty data
/// throws `.empty`, or gives nil if the type is an Optional.
public final class JSONDecodeStep<T: Decodable & Sendable>: BasicStep<Data, T>,
    @unchecked Sendable  // all stored properties are constant
{
    private let path: String?
    private let place: Result<ValuePath, JSONError>?
    private let decoder: JSON.Decoder

    /// Creates a step that decodes.
    ///
    /// The path is a JSON Pointer (`/items/0`) or a JSONPath (`$.items[0]`), whose first match is used. The pipeline's
    /// check reports a malformed path.
    public init(at path: String? = nil, decoder: JSON.Decoder = .init()) {
        self.path = path
        place = path.map { path in Result { () throws(JSONError) in try ValuePath(path) } }
        self.decoder = decoder
        super.init()
    }

    /// The errors in the settings: a malformed path.
    public override var configurationProblems: [String] {
        guard case .failure(let error) = place else { return [] }
        return ["the path \"\(path ?? "")\" is malformed: \(error)"]
    }

    /// Creates an unused step with the same path, decoder and options.
    public override func makeCopy() -> any Step {
        let copy = JSONDecodeStep(at: path, decoder: decoder)
        copy.takeOptions(of: self)
        return copy
    }

    /// Decodes.
    public override func process(_ data: Data) throws -> T {
        if data.isEmpty, let absent: T = absentValue() { return absent }
        let json = try JSON(parsing: data, options: decoder.options)
        return try decoder.decode(T.self, from: place?.get().value(in: json) ?? json)
    }
}
