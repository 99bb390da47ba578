import Foundation
import SteplineXML
import TestSupport
import Testing

/// Content before a fault isn't lost, and a page is always read.
@Suite(.timeLimit(.minutes(5))) struct DamageTests {
    @Test(arguments: [1, 7, 64, 1_000, 4_096, 65_536])
    func `all records before a fault are given, whatever the pieces`(size: Int) throws {
        let count = Chance.isSoak ? 1_500 : 150
        let good = Array(recordsSource(count + 500).utf8)
        let wide: [UInt8] = [0xFF, 0xFE] + good.flatMap { [$0, 0] as [UInt8] }
        let end = try #require(good.firstRange(of: Array("<item id='\(count)'".utf8))).lowerBound
        var cases: [([UInt8], XML.Options)] = []
        for fault: [UInt8] in [[0xFF], [0xC3, 0x28], [0], Array("</wrong>".utf8), [0x01], Array("<>".utf8)] {
            cases.append((Array(good[..<end]) + fault + Array(good[end...]), .streaming))
        }
        var limited = XML.Options.streaming
        limited.maximumSize = end + 5
        cases.append((good, limited))
        var undeclared = XML.Options.streaming
        undeclared.charset = "windows-1252"
        cases.append((Array(good[..<end]) + [0x81] + Array(good[end...]), undeclared))
        cases.append(
            (Array(wide[..<(2 + 2 * end)]) + [0x00, 0xD8, 0x20, 0x00] + wide[(2 + 2 * end)...], .streaming))
        for (bytes, options) in cases {
            let parser = XML.RecordParser(of: "item", options: options)
            var read = 0
            let error = #expect(throws: XMLError.self) {
                for piece in bytes.chunked(size) { read += try parser.feed(piece).count }
                read += try parser.finish().count
            }
            read += parser.rest.count
            #expect(
                read == count && error?.recordsRead == count, "\(error.map(String.init(describing:)) ?? "")")
        }
    }

    private func html(_ bytes: [UInt8], charset: String? = nil) throws -> XML.Document {
        var options = XML.Options()
        options.charset = charset
        return try XML.Document(html: Data(bytes), options: options)
    }

    @Test func `a page with stray bytes is read, and says so`() throws {
        let start = Array("<p>ä €".utf8)
        let stray = try html(start + [0xE4] + Array("z ü</p>".utf8))
        #expect(stray.root.text == "ä €\u{FFFD}z ü" && !stray.problems.isEmpty)
        #expect(stray.problems.contains { $0.code == .encoding && $0.line == 1 })
        let latin = try html(Array("<p>gr".utf8) + [0xFC] + Array("n ".utf8) + [0x80])
        #expect(latin.root.text == "grün €" && latin.encoding.uppercased() == "WINDOWS-1252")
        let declared = try html(Array("<meta charset=utf-8><p>gr".utf8) + [0xFC] + Array("n".utf8))
        #expect(declared.root.text == "gr\u{FFFD}n" && declared.encoding == "UTF-8")
        let fitsNowhere = try html(Array("<p>a".utf8) + [0x81] + Array("b".utf8), charset: "windows-1252")
        #expect(fitsNowhere.root.text == "a\u{FFFD}b" && !fitsNowhere.problems.isEmpty)
        let cut = try html(Array("<p>a".utf8) + [0xE2, 0x82])
        #expect(cut.root.text.hasPrefix("a") && !cut.problems.isEmpty)
        let odd = try html([0xFF, 0xFE] + Array("<p>x".utf8).flatMap { [$0, 0] as [UInt8] } + [0x41])
        #expect(odd.root.text == "x\u{FFFD}")
        let japanese = try html(
            Array("<meta charset=shift_jis><p>".utf8) + [0x93, 0xFA, 0xFF, 0x96, 0x7B])
        #expect(japanese.root.text == "日\u{FFFD}本")
    }

    @Test func `a page in an unknown charset is guessed, and says so`() throws {
        for page in [
            try html(Array("<p>ü".utf8), charset: "nonsense"),
            try html(Array("<meta charset=klingon><p>ü".utf8)),
            try html(Array("<p>ü".utf8), charset: "utf-7"),
        ] {
            #expect(page.root.text == "ü")
            #expect(page.problems.contains { $0.code == .encoding })
        }
        let other = try html(Array("<meta charset=iso-8859-1><p>".utf8) + [0xE4], charset: "nonsense")
        #expect(other.root.text == "ä")
    }

    @Test(arguments: [
        "</b>", "&#", "<!--", "<!", "<?", "<", " ", "text", "\u{0}", "</", "<!doctype html>", "&",
    ])
    func `a page without an element is read`(source: String) throws {
        let page = try XML.Document(html: source)
        #expect(page.root.name == "html")
        _ = page.xml
    }

    @Test func `a page full of faults costs no more than its list`() throws {
        for piece in ["&", "</x>", "<p a=1 a=2>", "&#;", "<"] {
            let source = String(
                repeating: piece, count: (Chance.isSoak ? 400_000 : 50_000) / piece.utf8.count)
            let count = try #require(
                ending(within: 20) { (try? XML.Document(html: source))?.problems.count }, "\(piece)")
            #expect((count ?? 0) <= 1_001)
        }
    }
}
