import Foundation
import SteplineJSON

private struct Thing: Decodable, Equatable {
    var n: Int?
    var small: UInt8?
    var real: Double?
    var text: String?
    var flag: Bool?
    var list: [Thing]?
    var map: [String: Int]?
    var when: Date?
    var bytes: Data?
    var link: URL?
}

/// Any bytes decoded: what this module's decoder and Foundation's both take must come out alike.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    // Of duplicate keys Foundation takes the first.
    guard let json = try? JSON(parsing: data, options: .init(maximumDepth: 64, allowsDuplicateKeys: false))
    else {
        return 0
    }
    compare(Thing.self, json, data)
    compare([Thing].self, json, data)
    compare([String: [Double]].self, json, data)
    compare([Int8].self, json, data)
    compare([String?].self, json, data)
    _ = try? json.decode(JSON.self)
    _ = try? json.decode(Decimal.self)
    return 0
}

private func compare<T: Decodable & Equatable>(_ type: T.Type, _ json: JSON, _ data: Data) {
    guard let ours = try? json.decode(type), let theirs = try? JSONDecoder().decode(type, from: data) else {
        return
    }
    guard ours == theirs else { fatalError("\(ours) is \(theirs) for Foundation") }
}
