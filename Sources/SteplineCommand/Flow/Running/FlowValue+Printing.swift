import Foundation
import SteplineJSON
import SteplineSupport
import SteplineXML

extension FlowValue {
    /// Returns the value as a run prints it: bytes and texts as they are, other values as a line of JSON.
    ///
    /// A text ends with a line break, bytes only on a terminal.
    ///
    /// - Throws: An error for bytes that are no text on a terminal.
    func printed(onTerminal isTerminal: Bool) throws -> Data {
        switch self {
        case .json(let json): return Self.line(json.string ?? json.description)
        case .document(let document): return Self.line(document.tree.node.xml)
        case .bytes(let data, _):
            guard isTerminal else { return data }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw FlowError("\(Self.noText(data)), which a terminal can't show: redirect stdout")
            }
            return Self.line(text)
        }
    }

    /// Returns the value as part of a JSON object; throws for bytes that are no text.
    func json() throws -> JSON {
        switch self {
        case .json(let json): return json
        case .document(let document): return JSON(document.tree.node.xml)
        case .bytes(let data, _):
            guard let text = String(validating: data.withoutByteOrderMark, as: UTF8.self) else {
                throw FlowError("\(Self.noText(data)), which JSON can't hold")
            }
            return JSON(text)
        }
    }

    private static func line(_ text: String) -> Data {
        Data((text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8)
    }

    private static func noText(_ data: Data) -> String { "the value is \(data.count) bytes that are no text" }
}
