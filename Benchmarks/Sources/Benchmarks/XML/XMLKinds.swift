import Foundation
import Stepline

/// Documents of three kinds: as trees, beside libxml2's and Foundation's, and as streams, beside bare SAX2.
enum XMLKinds: Benchmark {
    static let name = "xml-kinds"
    static let summary = "3 MB of text, of attributes and of small elements: trees, freed again, and streams"

    static func run() -> [Finding] { XMLKind.allCases.flatMap { trees($0) } + XMLKind.allCases.map(stream) }

    private static func trees(_ kind: XMLKind) -> [Finding] {
        let input = kind.document(size: 3_000_000)
        let duel = Duel(
            rounds: 9, units: [input.count, input.count, input.count],
            [
                { XMLParsing.parseByLibXML(input) },
                { if orFail({ try XML.Document(bytes: input) }).root.name.isEmpty { fatalError("no root") } },
                { XMLParsing.parseByFoundation(input) },
            ])
        let speeds = duel.medians.map { Int(1_000 / $0) }
        return [
            Finding(
                "\(kind.rawValue): tree, of libxml2's time", 1 / duel.ratios[1], "times", bound: 1 / 1.3,
                rival: "\(speeds[1]) MB/s; libxml2, MB/s", rivalValue: Double(speeds[0])),
            Finding(
                "\(kind.rawValue): tree, of Foundation's time", duel.ratios[2] / duel.ratios[1], "times",
                bound: 1, rival: "Foundation, MB/s", rivalValue: Double(speeds[2])),
        ]
    }

    private static func stream(_ kind: XMLKind) -> Finding {
        let input = kind.document(size: 3_000_000)
        let data = Data(input)
        let duel = Duel(
            rounds: 9, units: [input.count, input.count],
            [
                { XMLStreaming.pushByLibXML(input, piece: XMLStreaming.piece) },
                { orFail { try XMLStreaming.readByStepline(data, of: kind.record) } },
            ])
        return Finding(
            "\(kind.rawValue): stream, of bare SAX2's time", 1 / duel.ratios[1], "times", bound: 1 / 0.9,
            rival: "\(Int(1_000 / duel.medians[1])) MB/s; SAX2, MB/s", rivalValue: 1_000 / duel.medians[0])
    }
}
