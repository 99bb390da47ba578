import Foundation
import SteplineWorkflow

/// The kept form of a large map's result: the names of its elements, whose results are kept once, by themselves.
///
/// The bytes are a line `elements` and the names as JSON, in the order of the list. The result of no other step begins so:
/// that of a map is JSON, or a number.
enum ElementNames {
    private static let line = Data("elements\n".utf8)

    /// Results up to this size are kept once more with the map, so that one read has all of them.
    private static let largestWhole = 65_536

    /// The bytes for the result of a map with that step name.
    static func bytes(_ results: any ElementResults, of step: String, _ codec: ResultCodec) throws -> Data {
        if let element = codec.elements?.codec, let values = results.loaded {
            var size = 0
            let isSmall = try values.allSatisfy { value in
                size += try element.encode(value).count
                return size <= largestWhole
            }
            if isSmall, let whole = try results.result(at: 0) { return try codec.encode(whole) }
        }
        let prefix = step.utf8.dropLast(results.title.utf8.count)
        let names = results.names.map { String(decoding: prefix, as: UTF8.self) + $0 }
        return line + (try ResultCodec.write(names))
    }

    /// The names; nil for bytes that hold a result themselves.
    static func read(_ data: Data) -> [String]? {
        guard data.starts(with: line) else { return nil }
        return try? ResultCodec.read([String].self, Data(data.dropFirst(line.count)))
    }
}

extension ResultCodec {
    /// The value of what is kept of a result; `results` reads those of a map's elements, by their names.
    func value(of data: Data, _ results: ([String]) throws -> [Data?]) throws -> any Sendable {
        guard let elements, let names = ElementNames.read(data) else { return try decode(data) }
        let values = try results(names).enumerated().map { place, data in
            try elements.value(of: data, named: names[place])
        }
        guard let list = elements.list.make(values) else { throw ElementGone(name: names.first ?? "") }
        return list
    }
}

/// How the results of a map's elements are read.
struct ElementCodec: Sendable {
    let list: ElementList
    let codec: ResultCodec

    func value(of data: Data?, named name: String) throws -> any Sendable {
        guard let data else { throw ElementGone(name: name) }
        return try codec.decode(ResultCodec.withoutFiles(data))
    }
}

/// The result of an element that a map needs isn't kept any more.
struct ElementGone: Error, CustomStringConvertible {
    let name: String

    var description: String { "the result of \"\(name)\" is gone" }
}

extension RunStore {
    /// The results of steps, by their names: with few questions where the store can answer for many at once.
    func results(of names: [String], in id: RunID) throws -> [Data?] {
        guard let shared = self as? any SharedRunStore else {
            return try names.map { try result(of: $0, in: id) }
        }
        var found: [String: Data] = [:]
        for start in stride(from: 0, to: names.count, by: 256) {
            for kept in try shared.steps(Array(names[start..<min(start + 256, names.count)]), of: id) {
                found[kept.step.name] = kept.result
            }
        }
        return names.map { found[$0] }
    }
}
