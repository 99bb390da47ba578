public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Processes each record of an XML file in order, in constant memory.
///
///     XMLFileRecordsStep(file, of: "item") { item in item.first("title")?.text }   // a given file
///     XMLFileRecordsStep(of: "item") { item in item.first("title")?.text }         // a file of an earlier step
///
/// Otherwise like `XMLRecordsStep`. Results are stored in a list; `XMLEachRecordStep` stores none.
public final class XMLFileRecordsStep<Input: Sendable, R: Sendable>: BasicStep<Input, [R]>,
    @unchecked Sendable  // all stored properties are constant
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

    /// Creates a step for the records of a file; `name` is as in `XMLRecordsStep`.
    public convenience init(
        _ file: URL, of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == Void {
        self.init(
            file: file, records: XMLRecords(name: name, namespaces: namespaces, options: options), make)
    }

    /// Creates a step for the records of the file whose URL is in the content, such as after a download.
    public convenience init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ make: @escaping @Sendable (XML.Element) throws -> R?
    ) where Input == URL {
        self.init(file: nil, records: XMLRecords(name: name, namespaces: namespaces, options: options), make)
    }

    /// The input, and the response if there is one, unless the file is given.
    public override var inputs: [AnyContentKey] {
        super.inputs + (file == nil ? [.possibleResponse] : [])
    }

    /// The errors in the settings: a URL that isn't a file URL.
    public override var configurationProblems: [String] { file?.problemsAsFile ?? [] }

    /// Creates an unused step with the same file, name, namespaces, closure and options.
    public override func makeCopy() -> any Step {
        let copy = XMLFileRecordsStep(file: file, records: records, make)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the records.
    public override func process(_ input: Input) throws -> [R] {
        guard let url = file ?? input as? URL else { return [] }  // no other case: see the initializers
        let bag = file == nil ? content : Content()
        return try records.stream(ofFile: url, in: bag).collect(for: context, make)
    }
}
