import Foundation
import SteplineWorkflow

/// The stored form of a large map's result: the names of its elements, whose own results are stored with them.
///
/// The format is a line `elements`, then the names as JSON in list order. No other result begins with this line: the
/// result of a map is JSON or a number.
enum ElementNames {
    private static let line = Data("elements\n".utf8)

    /// The largest result that is also stored whole with the map, so that one read is enough.
    private static let largestWhole = 65_536

    /// Returns the stored form of a map's result.
    static func bytes(_ results: any ElementResults, of step: String, _ codec: ResultCodec) throws -> Data {
        // Stop encoding as soon as the sum exceeds the limit.
        if let element = codec.elements?.codec, let values = results.loaded {
            var size = 0
            let isSmall = try values.allSatisfy { value in
                size += try element.encode(value).count
                return size <= largestWhole
            }
            if isSmall, let whole = try results.result(at: 0) { return try codec.encode(whole) }
        }
        // A step's name is the path of the map's workflow followed by the element's title.
        let prefix = step.utf8.dropLast(results.title.utf8.count)
        let names = results.names.map { String(decoding: prefix, as: UTF8.self) + $0 }
        return line + (try ResultCodec.write(names))
    }

    /// Returns the names; nil for a result that is stored whole.
    static func read(_ data: Data) -> [String]? {
        guard data.starts(with: line) else { return nil }
        return try? ResultCodec.read([String].self, Data(data.dropFirst(line.count)))
    }
}

extension ResultCodec {
    /// Decodes a stored result; `results` reads results of map elements by name.
    func value(of data: Data, _ results: ([String]) throws -> [Data?]) throws -> any Sendable {
        guard let elements, let names = ElementNames.read(data) else { return try decode(data) }
        let values = try results(names).enumerated().map { place, data in
            try elements.value(of: data, named: names[place])
        }
        guard let list = elements.list.make(values) else { throw ElementGone(name: names.first ?? "") }
        return list
    }
}

/// The codec of a map's elements.
struct ElementCodec: Sendable {
    let list: ElementList
    let codec: ResultCodec
    /// Whether each result is stored with what the element has found.
    let grows: Bool

    func value(of data: Data?, named name: String) throws -> any Sendable {
        guard var data else { throw ElementGone(name: name) }
        if grows { data = GrownBytes.result(in: data) }
        return try codec.decode(ResultCodec.withoutFiles(data))
    }
}

/// The error for a missing result of an element.
struct ElementGone: Error, CustomStringConvertible {
    let name: String

    var description: String { "the result of \"\(name)\" is gone" }
}

extension RunStore {
    /// Returns results of steps by name, 256 in one query if the store supports that.
    func results(of names: [String], in id: RunID) throws -> [Data?] {
        var results: [Data?] = []
        results.reserveCapacity(names.count)
        for start in stride(from: 0, to: names.count, by: 256) {
            results += try batch(Array(names[start..<min(start + 256, names.count)]), id)
        }
        return results
    }

    private func batch(_ names: [String], _ id: RunID) throws -> [Data?] {
        if let file = self as? SQLiteRunStore { return try file.results(of: names, in: id) }
        guard let shared = self as? any SharedRunStore else {
            return try names.map { try result(of: $0, in: id) }
        }
        // The store returns steps in any order, and leaves out missing ones.
        let found = try shared.steps(names, of: id).map { ($0.step.name, $0.result) }
        let results = Dictionary(found) { first, _ in first }
        return names.map { results[$0] ?? nil }
    }
}
