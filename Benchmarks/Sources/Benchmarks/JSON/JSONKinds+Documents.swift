import Foundation

/// Records in records.
struct Nested: Codable {
    struct Leaf: Codable {
        var x: Int
        var y: Int
        var ok: Bool
        var name: String
    }
    struct Branch: Codable {
        var id: Int
        var label: String
        var leaf: Leaf
        var list: [Leaf]
    }
    var id: Int
    var kind: String
    var branch: Branch
    var parent: Branch?

    static func some(_ count: Int, _ random: inout LinearGenerator) -> [Nested] {
        (0..<count).map {
            Nested(
                id: $0, kind: "record", branch: branch(&random), parent: $0 % 2 == 0 ? branch(&random) : nil)
        }
    }

    private static func branch(_ random: inout LinearGenerator) -> Branch {
        Branch(
            id: .random(in: 0..<1_000_000, using: &random), label: TweetWords.phrase(2, &random),
            leaf: leaf(&random), list: (0..<3).map { _ in leaf(&random) })
    }

    private static func leaf(_ random: inout LinearGenerator) -> Leaf {
        Leaf(
            x: .random(in: 0..<1000, using: &random), y: .random(in: 0..<100_000, using: &random),
            ok: .random(using: &random), name: TweetWords.phrase(1, &random))
    }
}

/// Little but text.
struct Essay: Codable {
    var title: String
    var body: String

    static func some(_ count: Int, _ random: inout LinearGenerator) -> [Essay] {
        (0..<count).map { _ in
            Essay(title: TweetWords.phrase(6, &random), body: TweetWords.phrase(1_000, &random))
        }
    }
}

/// Little but numbers, as in a map of Canada that parsers are often measured by.
struct Coordinates: Codable {
    var type: String
    var coordinates: [[[Double]]]

    static func some(_ points: Int, _ random: inout LinearGenerator) -> [Coordinates] {
        let rings = (0..<points / 500).map { _ in
            (0..<500).map { _ in
                [Double.random(in: -180...180, using: &random), .random(in: -90...90, using: &random)]
            }
        }
        return [Coordinates(type: "Polygon", coordinates: rings)]
    }
}

/// A message of a social network, half of it not ASCII.
struct Tweet: Codable {
    struct User: Codable {
        var id: Int
        var name: String
        var screen_name: String
        var description: String
        var followers_count: Int
        var verified: Bool
        var url: String?
    }
    struct Entities: Codable {
        var hashtags: [String]
        var indices: [Int]
    }
    var id: Int
    var id_str: String
    var created_at: String
    var text: String
    var user: User
    var entities: Entities
    var retweet_count: Int
    var favorited: Bool
    var lang: String
    var in_reply_to: Int?

    static func some(_ count: Int, _ random: inout LinearGenerator) -> [Tweet] {
        (0..<count).map { number in
            let id = 505_874_924_095_815_681 + number
            let user = User(
                id: 1_186_275_104 + number, name: TweetWords.phrase(2, &random, foreign: 5),
                screen_name: "user\(number)", description: TweetWords.phrase(16, &random, foreign: 5),
                followers_count: number % 5000, verified: false,
                url: number % 3 == 0 ? nil : "http://t.co/\(number)")
            return Tweet(
                id: id, id_str: "\(id)", created_at: "Sun Aug 31 00:29:15 +0000 2014",
                text: TweetWords.phrase(14, &random, foreign: 5), user: user,
                entities: Entities(
                    hashtags: [TweetWords.phrase(1, &random)], indices: [number % 100, number % 140]),
                retweet_count: number % 77, favorited: number % 2 == 0, lang: "ja",
                in_reply_to: number % 4 == 0 ? number : nil)
        }
    }
}

private enum TweetWords {
    private static let plain = [
        "alpha", "river", "stone", "quick", "brown", "window", "garden", "paper", "lamp", "over", "the",
        "lazy",
        "bright", "cellar",
    ]
    private static let foreign = ["東京タワー", "café", "naïve", "こんにちは", "Zürich", "привет", "😀"]

    /// A phrase of `count` words, of which `share` in ten aren't ASCII.
    static func phrase(_ count: Int, _ random: inout LinearGenerator, foreign share: Int = 0) -> String {
        let words = (0..<count).map { _ in
            let list = Int.random(in: 0..<10, using: &random) < share ? foreign : plain
            return list.randomElement(using: &random) ?? ""
        }
        return words.joined(separator: " ")
    }
}

func encoded(_ values: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return orFail { try encoder.encode(values) }
}

/// The same document with all that isn't ASCII written as escapes.
func escaped(_ data: Data) -> Data {
    var result: [UInt8] = []
    for unit in String(decoding: data, as: UTF8.self).utf16 {
        if unit < 0x80 {
            result.append(UInt8(unit))
        } else {
            let digits = String(unit, radix: 16)
            result += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
    }
    return Data(result)
}
