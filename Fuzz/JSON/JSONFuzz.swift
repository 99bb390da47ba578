import Foundation
import SteplineJSON

/// What any bytes may meet: the parser, everything that can be asked of a document, paths and patterns,
/// lines, decoding.
///
/// Whatever is accepted must be written and read again as the same value, and Foundation must accept it as
/// well.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    if let json = try? JSON(parsing: data) { check(json) }
    _ = try? JSON(parsing: data, options: .init(maximumDepth: 8, duplicateKeys: .error))
    readLines(data)
    if count < 200, let text = String(data: data, encoding: .utf8) { query(text) }
    return 0
}

private func check(_ json: JSON) {
    guard let again = try? JSON(parsing: json.data()), again == json, again.hashValue == json.hashValue,
        let pretty = try? JSON(parsing: json.prettyPrinted), pretty == json
    else { fatalError("written and read, it is another value") }
    _ = json.foundationObject
    for value in (try? json.query("$..*")) ?? [] {
        _ = (value.string, value.int, value.uint64, value.double, value.literal)
    }
    for (key, value) in json.members where json[key] != value { fatalError("a key leads to another value") }
    _ = try? json.decode([String: [Int]].self)
    _ = try? json.decode([Double?].self)
    _ = try? json.decode(String.self)
}

private func readLines(_ data: Data) {
    var reader = JSON.LineReader(options: .init(maximumSize: 1000))
    for start in stride(from: 0, to: data.count, by: 7) {
        try? reader.read(data.dropFirst(start).prefix(7)) { _ in }
    }
    try? reader.finish { _ in }
}

private let document: JSON = ["a": ["b": [1, 2.5, "text", nil, ["c": true]], "d": "x"], "e": [[], [:]]]

private func query(_ text: String) {
    if let path = try? JSONPath(text) {
        let matches = (try? document.matches(path, budget: 10_000)) ?? []
        for match in matches.prefix(20) {
            guard (try? document.query(match.path)) == [match.value] else {
                fatalError("a normalized path leads elsewhere")
            }
        }
    }
    _ = try? JSONPointer(text)
    let pattern = JSON(text).description
    _ = try? document.query("$..[?search(@, \(pattern))]")
}
