import Foundation
import SteplinePipeline
import SteplineXML

/// The path of records in a document, and the options for reading.
struct XMLRecords: Sendable {
    let name: String
    let namespaces: [String: String]
    let options: XML.Options

    /// Returns the records of bytes, in the response's charset unless the options have their own.
    func stream(of data: Data, in bag: Content) -> XML.Stream {
        XML.Stream(of: name, in: data, namespaces: namespaces, options: options.filled(from: bag))
    }

    /// Returns the records of a file, in the response's charset unless the options have their own.
    func stream(ofFile file: URL, in bag: Content) throws -> XML.Stream {
        _ = try file.pathOfFile()
        return XML.Stream(of: name, in: file, namespaces: namespaces, options: options.filled(from: bag))
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
