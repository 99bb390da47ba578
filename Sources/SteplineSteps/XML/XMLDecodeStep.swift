public import Foundation
import SteplinePipeline
public import SteplineXML

/// Decodes the content's bytes, or the first element at a path, as a `Decodable` type; keeps the bytes.
///
///     Pipeline { FileLoadStep(file); XMLDecodeStep<Channel>(at: "/rss/channel") }
///
/// How elements and attributes become properties is told at `XML.Decoder`. Malformed input is an `XMLError`,
/// as in ``XMLParseStep``; a wrong shape is a `DecodingError` with its coding path, and the line in the
/// `XMLError` beneath. If nothing is at the path, that is an error too, or nil if the type is an Optional.
public final class XMLDecodeStep<T: Decodable & Sendable>: ReadyMadeStep<Data, T>, @unchecked Sendable {
    /// Makes a step that decodes; the path is an XPath expression whose prefixes `namespaces` maps to URIs.
    public init(
        at path: String? = nil, namespaces: [String: String] = [:], decoder: XML.Decoder = .init(),
        options: XML.Options = .init()
    ) {
        super.init(
            alsoReading: [.possibleResponse],
            problems: path.map { XML.Query.first($0).problems(namespaces) } ?? [],
            copy: { XMLDecodeStep(at: path, namespaces: namespaces, decoder: decoder, options: options) }
        ) { data, step in
            let document = try XML.Document(data: data, options: options.filled(from: step.content))
            guard let path else { return try decoder.decode(T.self, from: document) }
            if let element = try document.query(.first(path), namespaces: namespaces) {
                return try decoder.decode(T.self, from: element)
            }
            if let absent: T = absentValue() { return absent }
            return try decoder.decode(T.self, from: document, at: path, namespaces: namespaces)
        }
    }
}
