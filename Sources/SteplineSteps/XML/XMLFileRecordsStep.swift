public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Makes something of each record of an XML file, in order; memory doesn't depend on the file's length.
///
///     XMLFileRecordsStep(file, of: "item") { item in item.first("title")?.text }   // a file known already
///     XMLFileRecordsStep(of: "item") { item in item.first("title")?.text }         // one that a step before made
///
/// Everything else is as in `XMLRecordsStep`. What is made is kept in a list; `XMLEachRecordStep` keeps none.
public final class XMLFileRecordsStep<Input: Sendable, R: Sendable>: BasicStep<Input, [R]>,
    @unchecked Sendable  // all that is stored is constant
{
    private let file: URL?
    private let records: XMLRecords
    private let make: @Sendable (XML.Element) throws -> R?

    private init(
        file: URL?, records: XMLRecords, _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) {
        self.file = file
        self.records = records
        self.make = make
        super.init()
    }

    /// Makes a step for the records of a file; `name` is as in `XMLRecordsStep`.
    public convenience init(
        _ file: URL, of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == Void {
        self.init(
            file: file, records: XMLRecords(name: name, namespaces: namespaces, options: options), make)
    }

    /// Makes a step for the records of the file whose URL the bag holds, as after a download.
    public convenience init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == URL {
        self.init(file: nil, records: XMLRecords(name: name, namespaces: namespaces, options: options), make)
    }

    /// What it reads; with a file that a step before made, also the response that this came with, if any.
    public override var inputs: [AnyContentKey] {
        super.inputs + (file == nil ? [.possibleResponse] : [])
    }

    /// What is wrong with the settings: a URL of something else than a file.
    public override var configurationProblems: [String] { file?.problemsAsFile ?? [] }

    /// Makes an unused step with the same file, name, namespaces, closure and options.
    public override func makeCopy() -> any Step {
        let copy = XMLFileRecordsStep(file: file, records: records, make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Goes through the records.
    public override func process(_ input: Input) throws -> [R] {
        guard let url = file ?? input as? URL else { return [] }  // the initializers leave no third case
        let bag = file == nil ? content : Content()
        return try records.stream(ofFile: url, in: bag).collect(for: context, make)
    }
}
