import Foundation
import SteplineJSON

/// Any bytes as a document.
///
/// Whatever is accepted must be written and read again as the same value, and every key must lead to its value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    if let json = try? JSON(parsing: data) { check(json) }
    _ = try? JSON(parsing: data, options: .init(maximumDepth: 8, allowsDuplicateKeys: false))
    return 0
}

private func check(_ json: JSON) {
    guard let again = try? JSON(parsing: json.data()), again == json, again.hashValue == json.hashValue,
        let pretty = try? JSON(parsing: json.prettyPrinted), pretty == json
    else { fatalError("written and read, it is another value") }
    _ = json.foundationObject
    for value in (try? json.query("$..*")) ?? [] {
        _ = (
            value.string, value.int, value.integer(as: UInt64.self), value.double, value.literal,
            value.decimal
        )
    }
    for (key, value) in json.members where json[key] != value { fatalError("a key leads to another value") }
}
