public import Foundation
public import SteplinePipeline
public import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parses the content's bytes as RSS, Atom or JSON Feed; keeps the bytes.
///
/// Links are relative to the given base, otherwise to the address of the response. Other documents throw an `XMLError`
/// `.noFeed`; malformed ones throw as in `XMLParseStep` and `JSONParseStep`.
public final class FeedStep: BasicStep<Data, Feed>,
    @unchecked Sendable  // all stored properties are constant
{
    private let base: URL?
    private let parsing: XML.Options

    /// Creates a step that reads a feed.
    public init(base: URL? = nil, options: XML.Options = .init()) {
        self.base = base
        parsing = options
        super.init()
    }

    /// The bytes, and the response if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Creates an unused step with the same base and options.
    public override func makeCopy() -> any Step {
        let copy = FeedStep(base: base, options: parsing)
        copy.takeOptions(of: self)
        return copy
    }

    /// Reads the feed.
    public override func process(_ data: Data) throws -> Feed {
        let bag = content
        let address = base ?? bag[.urlResponse]?.url
        return try Feed(reading: data, base: address, options: parsing.filled(from: bag))
    }
}
