public import Foundation
public import SteplineJSON
import SteplinePipeline

/// Decodes the content's bytes, or a value at a path in them, as a `Decodable` type; keeps the bytes.
///
///     Pipeline { FileLoadStep(file); JSONDecodeStep<City>(at: "/results/0") }
///
/// Malformed text is a `JSONError` with its place, a wrong shape a `DecodingError` with its coding path. Empty
/// data is an `.empty` error, or nil if the type is an Optional.
public final class JSONDecodeStep<T: Decodable & Sendable>: ReadyMadeStep<Data, T>, @unchecked Sendable {
    /// Makes a step that decodes.
    ///
    /// The path is a JSON Pointer (`/items/0`) or a JSONPath (`$.items[0]`), whose first match is used. The pipeline's
    /// check reports a malformed path.
    public init(at path: String? = nil, decoder: JSON.Decoder = .init()) {
        let place = path.map { path in Result { () throws(JSONError) in try ValuePath(path) } }
        super.init(
            problems: place?.problems(of: "path", path ?? "") ?? [],
            copy: { JSONDecodeStep(at: path, decoder: decoder) }
        ) { data, _ in
            if data.isEmpty, let absent: T = absentValue() { return absent }
            let json = try JSON(parsing: data, options: decoder.options)
            return try decoder.decode(T.self, from: place?.get().value(in: json) ?? json)
        }
    }
}
