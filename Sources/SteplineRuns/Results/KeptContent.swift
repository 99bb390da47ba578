import Foundation
import SteplineJSON
import SteplinePipeline

/// The stored form of a pipeline's content: entries of known types.
struct KeptContent: Codable {
    private var entries: [String: Value] = [:]

    private enum Value: Codable {
        // The names of the cases are stored: never change them.
        case data(Data)
        case text(String)
        case texts([String])
        case whole(Int)
        case number(Double)
        case truth(Bool)
        case date(Date)
        case url(URL)
        case urls([URL])
        case json(JSON)

        init?(_ value: any Sendable) {
            switch value {
            case let value as Data: self = .data(value)
            case let value as String: self = .text(value)
            case let value as [String]: self = .texts(value)
            case let value as Int: self = .whole(value)
            case let value as Double: self = .number(value)
            case let value as Bool: self = .truth(value)
            case let value as Date: self = .date(value)
            case let value as URL: self = .url(value)
            case let value as [URL]: self = .urls(value)
            case let value as JSON: self = .json(value)
            default: return nil
            }
        }

        var value: any Sendable {
            switch self {
            case .data(let value): value
            case .text(let value): value
            case .texts(let value): value
            case .whole(let value): value
            case .number(let value): value
            case .truth(let value): value
            case .date(let value): value
            case .url(let value): value
            case .urls(let value): value
            case .json(let value): value
            }
        }
    }

    /// Throws an error for an entry whose type has no stored form.
    init(_ content: Content) throws {
        for name in content.names {
            guard let value = content[name] else { continue }
            guard let kept = Value(value) else { throw Unkept(name: name, type: type(of: value)) }
            entries[name] = kept
        }
    }

    func content() -> Content {
        var content = Content()
        for (name, value) in entries { content[name] = value.value }
        return content
    }

    private struct Unkept: Error, CustomStringConvertible {
        let name: String
        let type: any Sendable.Type

        var description: String { "the entry \"\(name)\" is a \(type), which can't be kept" }
    }
}
