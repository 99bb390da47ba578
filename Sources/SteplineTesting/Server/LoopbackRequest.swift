public import Foundation
import SteplineSupport

/// A request as the loopback server received it.
public struct LoopbackRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String

    /// The target as it was sent: the path and the query.
    public let target: String

    /// The header lines in the order they came.
    package let headers: LoopbackHeaders

    /// The body, up to the server's limit of recorded bytes.
    public internal(set) var body = Data()

    /// The number of bytes in the body.
    public internal(set) var bodyCount = 0

    /// The number of the connection it came on, from 1.
    package internal(set) var connection = 0

    /// The path without the query, percent-decoded.
    public var path: String {
        let path = String(target.unicodeScalars.prefix { $0 != "?" && $0 != "#" })
        return path.removingPercentEncoding ?? path
    }

    /// The part of the target after the question mark.
    public var query: String? {
        target.halves(at: "?")?.after
    }

    /// The first value of a header, ignoring case.
    public subscript(header: String) -> String? { headers[header] }
}

/// Header lines: names and values in order, found by name whatever its capitals.
package struct LoopbackHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// The lines in order.
    package private(set) var lines: [(name: String, value: String)]

    /// Makes headers of names and values.
    package init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The first value of that name; setting replaces all, nil removes them.
    package subscript(name: String) -> String? {
        get { lines.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            lines.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a line, whatever is there of that name.
    package mutating func add(_ name: String, _ value: String) {
        lines.append((name: name, value: value))
    }
}
