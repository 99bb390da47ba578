import CLibXML2Peer
import Foundation
import Stepline

/// Pages, beside libxml2's own tree of them, with its faults silenced.
enum HTMLParsing: Benchmark {
    static let name = "html"
    static let summary = "parse a page of 1 MB, and 400 KB of ampersands"

    static func run() -> [Finding] {
        [
            duel("a page", page(size: 1_000_000), bound: 1.3),
            duel("ampersands", Array(repeating: UInt8(ascii: "&"), count: 400_000), bound: 2),
        ]
    }

    private static func duel(_ kind: String, _ input: [UInt8], bound: Double) -> Finding {
        let data = Data(input)
        let duel = Duel(
            rounds: 9, units: [input.count, input.count],
            [
                { parseByLibXML(input) },
                { if orFail({ try XML.Document(html: data) }).root.name != "html" { fatalError("no page") } },
            ])
        return Finding(
            "\(kind), of libxml2's time", 1 / duel.ratios[1], "times", bound: bound,
            rival: "\(Int(1_000 / duel.medians[1])) MB/s; libxml2, MB/s", rivalValue: 1_000 / duel.medians[0])
    }

    private static func parseByLibXML(_ input: [UInt8]) {
        let tree = input.withUnsafeBytes { bytes in
            peer_html_parse(bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
        }
        guard let tree else { fatalError("libxml2 gives no tree") }
        peer_dom_free(tree)
    }

    private static func page(size: Int) -> [UInt8] {
        var words = Words()
        var text =
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>Shop</title></head><body>\n"
        while text.utf8.count < size {
            text += """
                <div class="card wide" data-id=\(words.random(9_000))><h2>\(words.sentence(5))</h2>
                <p>\(words.sentence(40))<br>\(words.sentence(12))
                <ul><li><a href="/shop?a=1&amp;b=\(words.random(90))">\(words.next())</a><li>\(words.next())</ul>
                <img src="/i/\(words.random(900)).png" alt="\(words.sentence(3))"></div>

                """
        }
        return Array((text + "</body></html>\n").utf8)
    }
}
