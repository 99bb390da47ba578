public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Processes each record of an XML document in the content's bytes, in order.
///
///     XMLRecordsStep(of: "item") { item in item.first("title")?.text }
///
/// Records are read one at a time, without a tree of the whole document. Records are skipped if the closure returns
/// nil. An error of the closure becomes an `XMLError` `.record` with the record's number and line. Truncated input
/// throws with the number of records read. Cancellation is checked between records. `XMLFileRecordsStep` reads files,
/// `XMLEachRecordStep` stores no results.
public final class XMLRecordsStep<R: Sendable>: BasicStep<Data, [R]>,
    @unchecked Sendable  // all stored properties are constant
{
    private let records: XMLRecords
    private let make: @Sendable (XML.Element) throws -> R?

    /// Creates a step for the elements at a path: `item`, `channel/item`, `/rss/channel/item`, `a:entry`.
    ///
    /// A leading slash means the root. Prefixes refer to `namespaces`, otherwise to the document's own prefixes.
    public init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) {
        records = XMLRecords(name: name, namespaces: namespaces, options: options)
        self.make = make
        super.init()
    }

    /// The bytes, and the response if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Creates an unused step with the same name, namespaces, closure and options.
    public override func makeCopy() -> any Step {
        let copy = XMLRecordsStep(
            of: records.name, namespaces: records.namespaces, options: records.options, make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the records.
    public override func process(_ data: Data) throws -> [R] {
        try records.stream(of: data, in: content).collect(for: context, make)
    }
}
