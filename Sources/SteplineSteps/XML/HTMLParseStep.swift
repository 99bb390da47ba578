public import Foundation
import SteplinePipeline
public import SteplineXML

/// Parses the content's bytes as an HTML page, repairing errors; keeps the bytes.
///
/// The output is an `XML.Document` with the usual queries. The charset is that of a byte order
/// mark, of the options, of the response that the bytes came with, of `meta`, or UTF-8. Faults of the page are
/// listed in its `problems`; only limits, encodings and empty input are errors.
public final class HTMLParseStep: ReadyMadeStep<Data, XML.Document>, @unchecked Sendable {
    /// Makes a step that reads HTML.
    public init(options: XML.Options = .init()) {
        super.init(alsoReading: [.possibleResponse], copy: { HTMLParseStep(options: options) }) {
            data, step in
            try XML.Document(html: data, options: options.filled(from: step.content))
        }
    }
}
