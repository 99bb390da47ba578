public import Foundation
import SteplinePipeline
public import SteplineXML

/// Calls a closure with each record of an XML document in order, and counts the records; stores none.
///
///     XMLEachRecordStep(file, of: "item") { item in try table.insert(item["id"]) }
///
/// Everything else is as in `XMLRecordsStep`.
public final class XMLEachRecordStep<Input: Sendable>: ReadyMadeStep<Input, Int>, @unchecked Sendable {
    private init(_ records: XMLRecords, _ body: @escaping @Sendable (XML.Element) throws -> Void) {
        super.init(
            alsoReading: records.inputs, problems: records.problems,
            copy: { XMLEachRecordStep(records, body) }
        ) { input, step in
            try records.stream(of: input, in: step).visit(for: step.context, body)
        }
    }

    /// Creates a step for the records of a file; `name` is as in `XMLRecordsStep`.
    public convenience init(
        _ file: URL, of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == Void {
        self.init(XMLRecords(file: file, name: name, namespaces: namespaces, options: options), body)
    }

    /// Creates a step for the records in the content's bytes.
    public convenience init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == Data {
        self.init(XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// Creates a step for the records of the file whose URL is in the content, such as after a download.
    public convenience init(
        ofFile name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == URL {
        self.init(XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }
}
