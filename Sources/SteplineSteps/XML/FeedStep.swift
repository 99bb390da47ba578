public import Foundation
import SteplinePipeline
public import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parses the content's bytes as RSS, Atom or JSON Feed; keeps the bytes.
///
/// Links are taken relative to the base given, or to the address that the bytes were loaded from. Bytes that are
/// neither fail with an `XMLError`, `.noFeed`, malformed ones as in `XMLParseStep` and `JSONParseStep`.
public final class FeedStep: ReadyMadeStep<Data, Feed>, @unchecked Sendable {
    /// Makes a step that reads a feed.
    public init(base: URL? = nil, options: XML.Options = .init()) {
        super.init(
            alsoReading: [.possibleResponse], copy: { FeedStep(base: base, options: options) }
        ) { data, step in
            let bag = step.content
            let address = base ?? bag[.urlResponse]?.url
            return try Feed(reading: data, base: address, options: options.filled(from: bag))
        }
    }
}
