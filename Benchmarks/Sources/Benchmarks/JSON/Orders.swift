import Foundation

/// Records as a shop's or a social network's interface would send them.
struct Order: Codable, Sendable, Equatable {
    struct Customer: Codable, Sendable, Equatable {
        var id: Int64
        var name: String
        var email: String
        var city: String
        var verified: Bool
        var referrer: String?
    }
    struct Line: Codable, Sendable, Equatable {
        var sku: String
        var title: String
        var quantity: Int
        var price: Double
        var tags: [String]
    }
    var id: Int
    var created: String
    var status: String
    var customer: Customer
    var lines: [Line]
    var total: Double
    var latitude: Double
    var longitude: Double
    var note: String?
}

/// The same bytes on every run.
struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

enum Orders {
    private static let words = [
        "alpha", "river", "Stone", "café", "quick", "brown", "naïve", "window", "garden", "Zürich", "paper",
        "lamp", "东京", "over", "the", "lazy", "\"quoted\"", "line\nbreak", "bright", "cellar",
    ]

    static func data(bytes: Int, pretty: Bool = false) -> Data {
        var random = LinearGenerator(state: 42)
        var text = Data("[".utf8)
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            pretty ? [.prettyPrinted, .withoutEscapingSlashes] : [.withoutEscapingSlashes]
        var id = 100_000
        while text.count < bytes {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            id += 1
            if let data = try? encoder.encode(order(id, &random)) { text.append(data) }
        }
        text.append(UInt8(ascii: "]"))
        return text
    }

    private static func order(_ id: Int, _ random: inout LinearGenerator) -> Order {
        Order(
            id: id, created: "2026-03-\(10 + id % 20)T08:1\(id % 10):00Z",
            status: ["open", "paid", "shipped"].randomElement(using: &random) ?? "",
            customer: .init(
                id: Int64.random(in: 1...9_000_000_000, using: &random), name: phrase(2, &random),
                email: "user\(id)@example.com", city: phrase(1, &random), verified: id % 3 == 0,
                referrer: id % 4 == 0 ? nil : "https://example.com/r/\(id)"),
            lines: (0..<Int.random(in: 1...4, using: &random)).map { _ in line(&random) },
            total: Double(Int.random(in: 100...99999, using: &random)) / 100,
            latitude: Double.random(in: -90...90, using: &random),
            longitude: Double.random(in: -180...180, using: &random),
            note: id % 2 == 0 ? phrase(12, &random) : nil)
    }

    private static func line(_ random: inout LinearGenerator) -> Order.Line {
        .init(
            sku: "SKU-\(Int.random(in: 1000...99999, using: &random))", title: phrase(5, &random),
            quantity: Int.random(in: 1...9, using: &random),
            price: Double(Int.random(in: 100...9999, using: &random)) / 100,
            tags: (0..<3).map { _ in phrase(1, &random) })
    }

    private static func phrase(_ count: Int, _ random: inout LinearGenerator) -> String {
        (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
}
