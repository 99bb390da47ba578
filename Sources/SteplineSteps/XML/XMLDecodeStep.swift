public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Decodes the bag's bytes, or the first element that a path finds, as a `Decodable` type; the bytes stay.
///
///     Pipeline { FileLoadStep(file); XMLDecodeStep<Channel>(at: "/rss/channel") }
///
/// How elements and attributes become properties is told at `XML/Decoder`. Malformed input is an `XMLError`,
/// as in `XMLParseStep`; a wrong shape is a `DecodingError` with its coding path, and the line in the
/// `XMLError` beneath. If nothing is at the path, that is an error too, or nil if the type is an Optional.
public final class XMLDecodeStep<T: Decodable & Sendable>: BasicStep<Data, T>,
    @unchecked Sendable  // all that is stored is constant
{
    private let path: String?
    private let namespaces: [String: String]
    private let decoder: XML.Decoder
    private let parsing: XML.Options

    /// Makes a step that decodes; the path is an XPath expression whose prefixes `namespaces` maps to URIs.
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

    /// The bytes, and the response that they came with, if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// What is wrong with the settings: a wrong path, or a prefix without a namespace.
    public override var configurationProblems: [String] {
        path.map { XML.Query.first($0).problems(namespaces) } ?? []
    }

    /// Makes an unused step with the same path, namespaces, decoder and options.
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
