import SteplineSupport
import SteplineXML
import TestSupport
import Testing

/// Documents without a document type, well-formed and damaged, through libxml2's own tree and through streams.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PlainTests {
    @Test func `plain documents are taken, read and refused as libxml2 has it`() {
        let seed = Chance.seed
        for offset in 0..<Chance.rounds(250) {
            var generator = PlainGenerator(seed: seed &+ UInt64(offset))
            let bytes = generator.document()
            let expected = DOMDump.lines(of: bytes)
            var isRight: Bool
            do throws(XMLError) {
                isRight = try TreeDump.lines(of: XML.Document(bytes: bytes)) == expected
            } catch {
                // libxml2 makes a tree in spite of a fault in a namespace.
                isRight = expected == nil || error.code == .namespace
            }
            guard isRight else {
                Issue.record("seed \(seed &+ UInt64(offset)): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
        }
    }

    @Test func `a colon in the name of a processing instruction is a fault in a namespace`() {
        for text in ["<?e:d?><r/>", "<r><?e:d?></r>", "<r/><?e:d x?>"] {
            do throws(XMLError) {
                _ = try XML.Document(string: text)
                Issue.record("it was taken: \(text)")
            } catch {
                #expect(error.code == .namespace, "\(error)")
            }
        }
    }

    @Test func `streams give what documents have, whatever the pieces`() {
        let seed = Chance.seed
        for offset in 0..<Chance.rounds(250) {
            var generator = PlainGenerator(seed: seed &+ UInt64(offset))
            let bytes = generator.document()
            let whole = Outcome(of: bytes)
            let streamed = Outcome(streaming: bytes, by: &generator)
            guard whole.matches(streamed) else {
                Issue.record(
                    "seed \(seed &+ UInt64(offset)): \(whole), \(streamed): \(String(decoding: bytes, as: UTF8.self))"
                )
                return
            }
        }
    }

    @Test func `a fault that only shows at the end is thrown there, and the records before it aren't lost`()
        throws
    {
        let parser = XML.RecordParser(of: "a")
        // The text after the record may be the begin of anything until the input ends.
        var records = try parser.feed(Array("<r><a/>".utf8)) + parser.feed(Array("&gt<?xml ?>".utf8))
        let fault = #expect(throws: XMLError.self) { records += try parser.finish() }
        #expect(fault?.recordsRead == 1)
        #expect(records.count + parser.rest.count == 1)
        #expect(throws: XMLError.self) { try parser.finish() }
        let cut = XML.RecordParser(of: "a")
        #expect(throws: XMLError.self) {
            _ = try cut.feed(Array("<r><a/>\n<a/>&gt<?xml ?>".utf8))
            _ = try cut.finish()
        }
    }

    @Test func `a fault after much that is well has the same line in a stream and in a document`()
        throws
    {
        let number = Chance.isSoak ? 5_000 : 500
        let text =
            "<r xmlns='urn:r'>\n" + String(repeating: "<i a='1'>\n<p:b xmlns:p='u'/>ä\n</i>\n", count: number)
        for fault in [
            "<i>\n</j>", "&none;", "<p:x/>", "\u{1}", "]]>", "<a b='1' b='2'/>", "<!DOCTYPE r>", "<i>",
        ] {
            let bytes = Array((text + fault + "</r>").utf8)
            let expected = #expect(throws: XMLError.self) { try XML.Document(bytes: bytes) }
            let parser = XML.RecordParser(of: "i")
            var count = 0
            let found = #expect(throws: XMLError.self) {
                for start in stride(from: 0, to: bytes.count, by: 1_000) {
                    count += try parser.feed(Array(bytes[start..<min(bytes.count, start + 1_000)])).count
                }
                count += try parser.finish().count
            }
            #expect(found?.line == expected?.line, "\(fault)")
            #expect(count == number, "\(fault)")
        }
    }

    @Test func `the parser doesn't read after the end of the bytes`() throws {
        for count in 0..<200 {
            for filling in ["x", "ü"] {
                let text = "<a>" + String(repeating: filling, count: count) + "</a>"
                let bytes = Array(text.utf8)
                let document = try (bytes + [0xFF, 0xFF, 0]).withUnsafeBytes {
                    try XML.Document(bytes: UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]))
                }
                #expect(document.root.text.utf8.count == bytes.count - 7)
            }
        }
    }

    @Test(arguments: ["http://müller.example/", "a b", "urn:x:ü", "{}"])
    func `a namespace needn't be an address`(name: String) throws {
        for type in ["", "<!DOCTYPE r>"] {
            let document = try XML.Document(string: type + "<p:r xmlns:p='\(name)'/>")
            #expect(document.root.namespace == name)
        }
    }

    @Test func `entities of HTML are known to streams that meet them late`() throws {
        var options = XML.Options.streaming
        options.knowsHTMLCharacters = true
        let parser = XML.RecordParser(of: "i", options: options)
        let records = try parser.feed(
            Array("<r xmlns:p='urn:p'><i>a</i><i p:k='1'>b&nbsp;<p:c/></i><i/></r>".utf8))
        #expect(records.map(\.text) == ["a", "b\u{A0}", ""])
        #expect(records[1].children.first { _ in true }?.namespace == "urn:p")
        #expect(try parser.finish().isEmpty)
    }

    /// How a parse ended.
    private struct Outcome {
        var records: [String] = []
        var isWellFormed = true

        init(of bytes: [UInt8]) {
            guard let document = try? XML.Document(bytes: bytes) else {
                isWellFormed = false
                return
            }
            var all = Array(document.elements).filter { $0.localName == "a" }
            all.removeAll { element in element.ancestors.contains { $0.localName == "a" } }
            records = all.map(\.text)
        }

        init(streaming bytes: [UInt8], by generator: inout PlainGenerator) {
            let parser = XML.RecordParser(of: "a")
            do {
                var place = 0
                while place < bytes.count {
                    let end = min(bytes.count, place + 1 + generator.random(40))
                    records += try parser.feed(Array(bytes[place..<end])).map(\.text)
                    place = end
                }
                records += try parser.finish().map(\.text)
            } catch {
                isWellFormed = false
            }
        }

        func matches(_ other: Self) -> Bool {
            isWellFormed == other.isWellFormed && (!isWellFormed || records == other.records)
        }
    }
}

/// Random documents of all that needs no document type, every other one damaged; the same for the same seed.
struct PlainGenerator {
    private var source: StableRandom
    private var depth = 0

    init(seed: UInt64) { source = StableRandom(seed: seed) }

    mutating func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &source) }

    private mutating func pick(_ choices: [String]) -> String { choices[random(choices.count)] }

    mutating func document() -> [UInt8] {
        let start = pick([
            "", "", "<?xml version='1.0'?>\n",
            "<?xml version=\"1.0\" encoding='UTF-8' standalone='yes'?>\r\n",
            "<?xml version='1.0' standalone = 'no' ?>", "<!--before-->\r\n", "<?style sheet?>\n", " ",
        ])
        let text = start + element("r") + pick(["", "\n<!--after-->\n", "<?end?>", "\r\n"])
        var bytes = Array(text.utf8)
        guard random(2) == 0 else { return bytes }
        for _ in 0...random(2) {
            let place = random(bytes.count)
            let piece = Array(pick(Self.damage).utf8)
            let end = random(3) == 0 ? place : min(bytes.count, place + piece.count)
            bytes.replaceSubrange(place..<end, with: piece)
        }
        return bytes
    }

    private static let damage = [
        "<", ">", "&", "\"", "'", "/", "]", "]]>", "--", "?>", " ", "=", ":", ";", "\u{1}", "\r", "\u{FFFE}",
        "a",
        "xmlns", "xml:", "&#0;", "&#xD800;", "&#x110000;", "&lt", "<!", "<![CDATA[", "<?xml ?>", "<?XML?>",
        "", "-",
        "xmlns:p=''", " p:k='2'", " k='2'", "é", "·", "\u{300}", "\u{2028}", "1", "<a:b:c/>", "<:a/>",
        "<a:/>", "%",
        "xmlns:xml='u'", " xmlns:q='urn:p' q:k='3'", "&#00000000000000000065;", "&#x0A;", " xmlns='a b'",
        "\t",
    ]

    private mutating func piece() -> String {
        switch random(12) {
        case 0:
            pick([
                "text ", "ü€😀", "line\nline\r\nline", "]]&gt;", "  ", "a\rb", "]]", "\u{FFFD}\u{EFFF}",
                "\u{7F}",
            ])
        case 1:
            pick(["&amp;", "&#x20AC;", "&lt;", "&#13;", "&quot;", "&apos;", "&gt;", "&#10;", "&#x10FFFF;"])
        case 2:
            pick(["<![CDATA[<&]]>", "<![CDATA[]]>", "<![CDATA[\r\n]] >]]>", "<![CDATA[]]]]><![CDATA[>]]>"])
        case 3: pick(["<!---->", "<!-- c\r\n-->", "<!-- - -->", "<!--\n\n<a>&-->"])
        case 4: pick(["<?p?>", "<?p d = 'x'?>", "<?p  ?>", "<?p \n?>", "<?p a?b?>", "<?xml-style\r\n a?>"])
        case 5:
            pick([
                "<d/>", "<d xmlns=''/>", "<p:x xmlns:p='urn:q' p:y='1'/>", "<q:x xmlns:q='urn:p' q:k='1'/>",
            ])
        default:
            element(
                pick(["a", "b", "p:c", "ünï", "d", "long-name.of_an-element", "p:longer-name_with.parts"]))
        }
    }

    private mutating func element(_ name: String) -> String {
        var attributes = depth == 0 ? " xmlns:p='urn:p' xmlns = 'http://d.example/?a=1&amp;b'" : ""
        for key in ["k", "p:k", "xml:lang", "y", "xml:space", "another-long.name", "p:another-long.name"]
        where random(3) == 0 {
            attributes += pick([" ", "\n  ", "\r\n", "\t"]) + key
            attributes += pick([
                "='v'", "=\"'&quot;'\"", "='a\n\tb\r\nc'", " = 'ä&#10;'", "=''", "='&lt;>]]>'",
                "=\n'\u{FFFD}'", "='\"'",
            ])
        }
        depth += 1
        defer { depth -= 1 }
        let inner = (0..<random(depth > 6 ? 2 : 7)).map { _ in piece() }.joined()
        let blank = pick(["", "", " ", "\n", "\r\n"])
        return inner.isEmpty && random(2) == 0
            ? "<\(name)\(attributes)\(blank)/>"
            : "<\(name)\(attributes)\(blank)>\(inner)</\(name)\(pick(["", "", " ", "\n"]))>"
    }
}
