public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Calls a closure with each record of an XML document in order, and counts the records; stores none.
///
///     XMLEachRecordStep(file, of: "item") { item in try table.insert(item["id"]) }
///
/// Otherwise like `XMLRecordsStep`.
public final class XMLEachRecordStep<Input: Sendable>: BasicStep<Input, Int>,
    @unchecked Sendable  // all stored properties are constant
{
    private let file: URL?
    private let records: XMLRecords
    private let body: @Sendable (XML.Element) throws -> Void

    private init(
        file: URL?, records: XMLRecords, _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) {
        self.file = file
        self.records = records
        self.body = body
        super.init()
    }

    /// Creates a step for the records of a file; `name` is as in `XMLRecordsStep`.
    public convenience init(
        _ file: URL, of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == Void {
        self.init(
            file: file, records: XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// Creates a step for the records in the content's bytes.
    public convenience init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == Data {
        self.init(file: nil, records: XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// Creates a step for the records of the file whose URL is in the content, such as after a download.
    public convenience init(
        ofFile name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == URL {
        self.init(file: nil, records: XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// The input, and the response if there is one, unless the file is given.
    public override var inputs: [AnyContentKey] {
        super.inputs + (file == nil ? [.possibleResponse] : [])
    }

    /// The errors in the settings: a URL that isn't a file URL.
    public override var configurationProblems: [String] { file?.problemsAsFile ?? [] }

    /// Creates an unused step with the same source, name, namespaces, closure and options.
    public override func makeCopy() -> any Step {
        let copy = XMLEachRecordStep(file: file, records: records, body)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the records.
    public override func process(_ input: Input) throws -> Int {
        let bag = file == nil ? content : Content()
        let stream =
            if let data = input as? Data {
                records.stream(of: data, in: bag)
            } else if let url = file ?? input as? URL {
                try records.stream(ofFile: url, in: bag)
            } else {
                records.stream(of: Data(), in: bag)  // no such case: see the initializers
            }
        return try stream.visit(for: context, body)
    }
}
