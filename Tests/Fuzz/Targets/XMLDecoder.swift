import Foundation
import SteplineXML

private struct Thing: Decodable {
    enum Part: Decodable {
        case text(String), b(Int)

        enum CodingKeys: String, CodingKey { case text = "#text", b }
    }

    let id: Int?
    let date: Date?
    let url: URL?
    let flag: Bool?
    let things: [Thing]
    let parts: [Part]
    let rest: [String: String]

    enum CodingKeys: String, CodingKey {
        case id = "@id"
        case date, url, flag
        case things = "a/t"
        case parts = "#content"
        case rest
    }
}

/// Any bytes as a document to decode, and as a feed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    _ = try? XML.Decoder().decode(Thing.self, from: data)
    _ = try? XML.Decoder().decode([[Double]].self, from: data)
    _ = try? Feed(data: data, base: URL(string: "https://a.example/"))
    return 0
}
