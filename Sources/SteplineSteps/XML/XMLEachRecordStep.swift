public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Calls a closure with each record of an XML document, in order, and counts them: nothing is kept.
///
///     XMLEachRecordStep(file, of: "item") { item in try table.insert(item["id"]) }
///
/// Everything else is as in `XMLRecordsStep`.
public final class XMLEachRecordStep<Input: Sendable>: BasicStep<Input, Int>,
    @unchecked Sendable  // all that is stored is constant
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

    /// Makes a step for the records of a file; `name` is as in `XMLRecordsStep`.
    public convenience init(
        _ file: URL, of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == Void {
        self.init(
            file: file, records: XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// Makes a step for the records of the bag's bytes.
    public convenience init(
        of name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == Data {
        self.init(file: nil, records: XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// Makes a step for the records of the file whose URL the bag holds, as after a download.
    public convenience init(
        ofFile name: String, namespaces: [String: String] = [:], options: XML.Options = .streaming,
        _ body: @escaping @Sendable (XML.Element) throws -> Void
    ) where Input == URL {
        self.init(file: nil, records: XMLRecords(name: name, namespaces: namespaces, options: options), body)
    }

    /// What it reads; unless the file is given, also the response that came with that, if there is one.
    public override var inputs: [AnyContentKey] {
        super.inputs + (file == nil ? [.possibleResponse] : [])
    }

    /// What is wrong with the settings: a URL of something else than a file.
    public override var configurationProblems: [String] { file?.problemsAsFile ?? [] }

    /// Makes an unused step with the same source, name, namespaces, closure and options.
    public override func makeCopy() -> any Step {
        let copy = XMLEachRecordStep(file: file, records: records, body)
        copy.takeOptions(of: self)
        return copy
    }

    /// Goes through the records.
    public override func process(_ input: Input) throws -> Int {
        let bag = file == nil ? content : Content()
        let stream =
            if let data = input as? Data {
                records.stream(of: data, in: bag)
            } else if let url = file ?? input as? URL {
                try records.stream(ofFile: url, in: bag)
            } else {
                records.stream(of: Data(), in: bag)  // the initializers leave no such case
            }
        return try stream.visit(for: context, body)
    }
}
