import Foundation
import Stepline

/// A catalogue as values of Swift: decoded, beside Foundation's tree read by hand, and beside bare trees.
enum XMLDecoding: Benchmark {
    static let name = "xml-decode"
    static let summary = "decode a catalogue of 1 MB"

    struct Catalogue: Decodable {
        let item: [Item]
    }

    struct Item: Decodable {
        let id: Int
        let kind: String
        let title: String
        let price: Double
        let description: String
    }

    static func run() -> [Finding] {
        let input = catalogue(size: 1_000_000)
        let data = Data(input)
        let decoder = XML.Decoder()
        let duel = Duel(
            rounds: 9, units: Array(repeating: data.count, count: 4),
            [
                { check(readByHand(data)) },
                { check(orFail { try decoder.decode(Catalogue.self, from: data) }.item) },
                { if orFail({ try XML.Document(data: data) }).root.name.isEmpty { fatalError("no root") } },
                { XMLParsing.parseByLibXML(input) },
            ])
        let speeds = duel.medians.map { Int(1_000 / $0) }
        return [
            Finding(
                "decoding, of the time of reading Foundation's tree", 1 / duel.ratios[1], "times",
                bound: 0.2, rival: "\(speeds[1]) MB/s; Foundation, MB/s", rivalValue: Double(speeds[0])),
            Finding(
                "decoding, of libxml2's tree's time", duel.ratios[3] / duel.ratios[1], "times", bound: 2,
                rival: "libxml2, MB/s", rivalValue: Double(speeds[3])),
            Finding(
                "decoding, of our tree's time", duel.ratios[2] / duel.ratios[1], "times",
                rival: "tree, MB/s", rivalValue: Double(speeds[2])),
        ]
    }

    private static func check(_ items: [Item]) {
        if items.count < 100 { fatalError("there are items") }
    }
}
