public import Foundation
public import SteplinePipeline
public import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads the bag's bytes, RSS, Atom or JSON Feed, as a `Feed`; the bytes stay in the bag.
///
/// Links are taken relative to the base given, or to the address that the bytes were loaded from. Bytes that are
/// neither fail with an `XMLError`, `.noFeed`, malformed ones as in `XMLParseStep` and `JSONParseStep`.
public final class FeedStep: BasicStep<Data, Feed>,
    @unchecked Sendable  // all that is stored is constant
{
    private let base: URL?
    private let parsing: XML.Options

    /// Makes a step that reads a feed.
    public init(base: URL? = nil, options: XML.Options = .init()) {
        self.base = base
        parsing = options
        super.init()
    }

    /// The bytes, and the response that they came with, if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Makes an unused step with the same base and options.
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
