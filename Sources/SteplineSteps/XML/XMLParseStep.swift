public import Foundation
import SteplinePipeline
public import SteplineXML

/// Parses the content's bytes into an `XML.Document`; keeps the bytes.
///
/// The encoding is that of a byte order mark, of the options, of the response that the bytes came with, of the
/// declaration, or UTF-8. Malformed or empty input and every limit that is exceeded is an `XMLError` with its
/// place, unless the options are lenient. Nothing outside the bytes is ever loaded.
public final class XMLParseStep: ReadyMadeStep<Data, XML.Document>, @unchecked Sendable {
    /// Makes a step that parses.
    public init(options: XML.Options = .init()) {
        super.init(alsoReading: [.possibleResponse], copy: { XMLParseStep(options: options) }) { data, step in
            try XML.Document(data: data, options: options.filled(from: step.content))
        }
    }
}
