public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Decodes the bag's bytes, or the part of them at a path, as a `Decodable` type; the bytes stay in the bag.
///
///     Pipeline { FileLoadStep(file); JSONDecodeStep<City>(at: "/results/0") }
///
/// Malformed text is a `JSONError` with its place, a wrong shape a `DecodingError` with its coding path. Empty
/// data is an `.empty` error, or nil if the type is an Optional.
public final class JSONDecodeStep<T: Decodable & Sendable>: BasicStep<Data, T>,
    @unchecked Sendable  // all that is stored is constant
{
    private let path: String?
    private let place: Result<ValuePath, JSONError>?
    private let decoder: JSON.Decoder

    /// Makes a step that decodes.
    ///
    /// The path is a JSON Pointer (`/items/0`) or a JSONPath (`$.items[0]`), of which the first match counts;
    /// the pipeline's check finds a malformed one.
    public init(at path: String? = nil, decoder: JSON.Decoder = .init()) {
        self.path = path
        place = path.map { path in Result { () throws(JSONError) in try ValuePath(path) } }
        self.decoder = decoder
        super.init()
    }

    /// What is wrong with the settings: a malformed path.
    public override var configurationProblems: [String] {
        guard case .failure(let error) = place else { return [] }
        return ["the path \"\(path ?? "")\" is malformed: \(error)"]
    }

    /// Makes an unused step with the same path, decoder and options.
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
