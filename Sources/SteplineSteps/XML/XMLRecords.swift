import Foundation
import SteplinePipeline
import SteplineXML

/// The path of records in a document, and the options for reading.
struct XMLRecords: Sendable {
    /// The file, unless the step's input is bytes or a file's URL.
    var file: URL?
    let name: String
    let namespaces: [String: String]
    let options: XML.Options

    /// The entries that a step reads beside its input: the response that came with the input, if there is one.
    var inputs: [AnyContentKey] { file == nil ? [.possibleResponse] : [] }

    /// The problems of the settings: a URL that isn't a file's.
    var problems: [String] { file?.problemsAsFile ?? [] }

    /// The records of a step's input, in the charset of the response that came with it unless the options name one.
    func stream<Input>(of input: Input, in step: StepOperation) throws -> XML.Stream {
        let options = file == nil ? options.filled(from: step.content) : options
        if let url = file ?? input as? URL {
            _ = try url.pathOfFile()
            return XML.Stream(of: name, in: url, namespaces: namespaces, options: options)
        }
        // The initializers of the steps leave no input but bytes.
        return XML.Stream(of: name, in: input as? Data ?? Data(), namespaces: namespaces, options: options)
    }
}

extension XML.Stream {
    /// Returns the results of `make` for all records in order, without nils.
    func collect<R>(for context: StepContext, _ make: (XML.Element) throws -> R?) throws -> [R] {
        var all: [R] = []
        try visit(for: context) { record in
            if let made = try make(record) { all.append(made) }
        }
        return all
    }

    /// Calls `body` with each record in order, checking for cancellation; returns their number.
    @discardableResult
    func visit(for context: StepContext, _ body: (XML.Element) throws -> Void) throws -> Int {
        try forEach { record in
            try context.checkCancellation()
            try body(record)
            return .more
        }
    }
}
