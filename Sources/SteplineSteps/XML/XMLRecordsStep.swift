public import Foundation
import SteplinePipeline
public import SteplineXML

/// Makes something of each record of an XML document, in order.
///
///     XMLRecordsStep(of: "item") { item in item.first("title")?.text }        // the bag's bytes
///     XMLRecordsStep(file, of: "item") { item in item.first("title")?.text }  // a file, in constant memory
///     XMLRecordsStep(ofFile: "item") { item in item["id"] }                   // a file that a step before made
///
/// The records are read one at a time, without a tree of the whole; those of which nil is made are skipped.
/// What the closure throws ends the step with an `XMLError`, `.record`, that has the record's number and line;
/// input cut off midway fails, telling how many records were read. Cancellation is seen between records.
/// The output is a list of all records; `XMLEachRecordStep` keeps none.
public final class XMLRecordsStep<Input: Sendable, R: Sendable>: ReadyMadeStep<Input, [R]>,
    @unchecked Sendable
{
    private init(_ records: XMLRecords, _ make: @escaping @Sendable (XML.Element) throws -> R?) {
        super.init(
            alsoReading: records.inputs, problems: records.problems, copy: { XMLRecordsStep(records, make) }
        ) { input, step in
            try records.stream(of: input, in: step).collect(for: step.context, make)
        }
    }

    /// Makes a step for the elements of the bag's bytes that `name` tells: `item`, `channel/item`, `a:entry`.
    ///
    /// A name that starts with a slash, as `/rss/channel/item`, begins at the root; prefixes are those of
    /// `namespaces`, or else as written in the document.
    public convenience init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == Data {
        self.init(XMLRecords(name: name, namespaces: namespaces, options: options), make)
    }

    /// Makes a step for the elements of a file.
    public convenience init(
        _ file: URL, of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == Void {
        self.init(XMLRecords(file: file, name: name, namespaces: namespaces, options: options), make)
    }

    /// Makes a step for the elements of the file whose URL the bag holds, as after a download.
    public convenience init(
        ofFile name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == URL {
        self.init(XMLRecords(name: name, namespaces: namespaces, options: options), make)
    }
}
