public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Decodes the content's bytes, or the first element at a path, as a `Decodable` type; keeps the bytes.
///
///     Pipeline { FileLoadStep(file); XMLDecodeStep<Channel>(at: "/rss/channel") }
///
/// `XML.Decoder` describes the mapping of elements and attributes to properties. Malformed input throws an `XMLError`
/// as in ``XMLParseStep``. A mismatch throws a `DecodingError` with its coding path, whose underlying `XMLError` has
/// the line. A path without a match throws, or gives nil if the type is an Optional.
public final class XMLDecodeStep<T: Decodable & Sendable>: BasicStep<Data, T>,
    @unchecked Sendable  // all stored properties are constant
{
    private let path: String?
    private let namespaces: [String: String]
    private let decoder: XML.Decoder
    private let parsing: XML.Options

    /// Creates a step that decodes; the path is an XPath whose prefixes `namespaces` maps to URIs.
    public init(
        at path: String? = nil, namespaces: [String: String] = [:], decoder: XML.Decoder = .init(),
        options: XML.Options = .init()
    ) {
        self.path = path
        self.namespaces = namespaces
        self.decoder = decoder
        parsing = options
        super.init()
    }

    /// The bytes, and the response if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// The errors in the settings: an invalid path, or an unbound prefix.
    public override var configurationProblems: [String] {
        path.map { XML.Query.first($0).problems(namespaces) } ?? []
    }

    /// Creates an unused step with the same path, namespaces, decoder and options.
    public override func makeCopy() -> any Step {
        let copy = XMLDecodeStep(at: path, namespaces: namespaces, decoder: decoder, options: parsing)
        copy.takeOptions(of: self)
        return copy
    }

    /// Decodes.
    public override func process(_ data: Data) throws -> T {
        let document = try XML.Document(data: data, options: parsing.filled(from: content))
        guard let path else { return try decoder.decode(T.self, from: document) }
        if let element = try document.query(.first(path), namespaces: namespaces) {
            return try decoder.decode(T.self, from: element)
        }
        if let absent: T = absentValue() { return absent }
        return try decoder.decode(T.self, from: document, at: path, namespaces: namespaces)
    }
}
