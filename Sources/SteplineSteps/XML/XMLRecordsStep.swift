public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Makes something of each record of an XML document in the bag's bytes, in order.
///
///     XMLRecordsStep(of: "item") { item in item.first("title")?.text }
///
/// The records are read one at a time, without a tree of the whole; those of which nil is made are skipped.
/// What the closure throws ends the step with an `XMLError`, `.record`, that has the record's number and line;
/// input cut off midway fails, telling how many records were read. Cancellation is seen between records.
/// `XMLFileRecordsStep` reads from a file, `XMLEachRecordStep` keeps no list.
public final class XMLRecordsStep<R: Sendable>: BasicStep<Data, [R]>,
    @unchecked Sendable  // all that is stored is constant
{
    private let records: XMLRecords
    private let make: @Sendable (XML.Element) throws -> R?

    /// Makes a step for the elements that `name` tells: `item`, `channel/item`, `/rss/channel/item`, `a:entry`.
    ///
    /// A name that starts with a slash begins at the root; prefixes are those of `namespaces`, or else as
    /// written in the document.
    public init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) {
        records = XMLRecords(name: name, namespaces: namespaces, options: options)
        self.make = make
        super.init()
    }

    /// The bytes, and the response that they came with, if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Makes an unused step with the same name, namespaces, closure and options.
    public override func makeCopy() -> any Step {
        let copy = XMLRecordsStep(
            of: records.name, namespaces: records.namespaces, options: records.options, make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Goes through the records.
    public override func process(_ data: Data) throws -> [R] {
        try records.stream(of: data, in: content).collect(for: context, make)
    }
}
