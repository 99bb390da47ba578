import Foundation
import Stepline

/// A feed, beside libxml2's tree of the same bytes, and beside the document that it is made from.
enum FeedReading: Benchmark {
    static let name = "xml-feed"
    static let summary = "read feeds of 1 MB: short items, and long ones as articles are"

    static func run() -> [Finding] {
        [("short items", 30), ("articles", 600)].flatMap { kind, words in
            let input = feed(size: 1_000_000, words: words)
            let data = Data(input)
            let duel = Duel(
                rounds: 9, units: [data.count, data.count, data.count],
                [
                    { XMLParsing.parseByLibXML(input) },
                    {
                        if orFail({ try XML.Document(data: data) }).root.name != "rss" {
                            fatalError("no feed")
                        }
                    },
                    {
                        if orFail({ try Feed(data: data) }).items.count < 10 { fatalError("there are items") }
                    },
                ])
            return [
                Finding(
                    "\(kind): feed, of libxml2's tree's time", 1 / duel.ratios[2], "times", bound: 2,
                    rival: "\(Int(1_000 / duel.medians[2])) MB/s; libxml2, MB/s",
                    rivalValue: 1_000 / duel.medians[0]),
                Finding(
                    "\(kind): feed, of our tree's time", duel.ratios[1] / duel.ratios[2], "times",
                    rival: "tree, MB/s", rivalValue: 1_000 / duel.medians[1]),
            ]
        }
    }

    /// A feed of about `size` bytes, whose items have so many words.
    private static func feed(size: Int, words count: Int) -> [UInt8] {
        var words = Words()
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
            xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>
            <link>https://news.example/</link><description>What happens</description>

            """
        var number = 0
        while text.utf8.count < size {
            number += 1
            text += """
                <item><title>\(words.sentence(6))</title><link>https://news.example/\(number)</link>
                <guid isPermaLink="false">news-\(number)</guid><dc:creator>Ann \(words.next())</dc:creator>
                <pubDate>Mon, 02 Mar 2026 10:\(10 + words.random(50)):00 +0100</pubDate>
                <category>\(words.next())</category><description>\(words.sentence(20))</description>
                <content:encoded><![CDATA[<p>\(words.sentence(count))</p><p><a href="/more">more</a></p>]]>\
                </content:encoded></item>

                """
        }
        return Array((text + "</channel></rss>\n").utf8)
    }
}
