import Foundation
import SteplinePipeline
import SteplineXML

/// Which elements of a document are records, and how it is read.
struct XMLRecords: Sendable {
    let name: String
    let namespaces: [String: String]
    let options: XML.Options

    /// The records of bytes, in the charset of the response that they came with unless the options name one.
    func stream(of data: Data, in bag: Content) -> XML.Stream {
        XML.Stream(of: name, in: data, namespaces: namespaces, options: options.filled(from: bag))
    }

    /// The records of a file, likewise.
    func stream(ofFile file: URL, in bag: Content) throws -> XML.Stream {
        _ = try file.pathOfFile()
        return XML.Stream(of: name, in: file, namespaces: namespaces, options: options.filled(from: bag))
    }
}

extension XML.Stream {
    /// What `make` makes of each record, in order, without those of which it makes nil.
    func collect<R>(for context: StepContext, _ make: (XML.Element) throws -> R?) throws -> [R] {
        var all: [R] = []
        try visit(for: context) { record in
            if let made = try make(record) { all.append(made) }
        }
        return all
    }

    /// Calls `body` with each record in order, unless the step is cancelled, and counts them.
    @discardableResult
    func visit(for context: StepContext, _ body: (XML.Element) throws -> Void) throws -> Int {
        try forEach { record in
            try context.checkCancellation()
            try body(record)
            return .more
        }
    }
}
