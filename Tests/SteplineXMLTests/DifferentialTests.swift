import CLibXML2
import SteplineSupport
import SteplineXML
import TestSupport
import Testing

/// The same documents through libxml2's own tree.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DifferentialTests {
    @Test func `generated documents read as libxml2's own tree has them`() throws {
        let seed = Chance.seed
        for offset in 0..<Chance.rounds(150) {
            var generator = DocumentGenerator(seed: seed &+ UInt64(offset))
            let source = generator.document()
            let bytes = Array(source.utf8)
            let document = try XML.Document(bytes: bytes)
            let expected = try #require(DOMDump.lines(of: bytes), "seed \(seed &+ UInt64(offset))")
            let found = TreeDump.lines(of: document)
            if found != expected {
                let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
                Issue.record("seed \(seed &+ UInt64(offset)): \(String(describing: place)) in \(source)")
                return
            }
            // A written document reads back equal.
            let again = try XML.Document(bytes: document.xmlBytes)
            #expect(
                TreeDump.lines(of: again, withLines: false) == TreeDump.lines(of: document, withLines: false))
            #expect(again.xml == document.xml)
        }
    }

    @Test func `damaged documents fail where libxml2 fails`() {
        let seed = Chance.seed
        for offset in 0..<Chance.rounds(400) {
            var generator = DocumentGenerator(seed: seed &+ UInt64(offset))
            var bytes = Array(generator.document().utf8)
            for _ in 0...generator.random(2) {
                bytes[generator.random(bytes.count)] =
                    [60, 62, 38, 34, 47, 0x80, 32, 97][generator.random(8)]
            }
            let isRefused = (try? XML.Document(bytes: bytes)) == nil
            if DOMDump.lines(of: bytes) == nil, !isRefused {
                Issue.record("seed \(seed &+ UInt64(offset)): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}

/// Random well-formed documents, the same for the same seed.
struct DocumentGenerator {
    private var source: StableRandom
    private var depth = 0

    init(seed: UInt64) { source = StableRandom(seed: seed) }

    mutating func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &source) }

    private mutating func pick(_ choices: [String]) -> String { choices[random(choices.count)] }

    mutating func document() -> String {
        var text = pick([
            "", "<?xml version='1.0'?>\n", "<?xml version=\"1.0\" encoding='UTF-8' standalone='yes'?>\r\n",
        ])
        text += pick(["", "<!--before-->\n", "<?style sheet?>"])
        text += """
            <!DOCTYPE r [<!ENTITY t "te&#38;#38;xt"><!ENTITY m "<e xmlns='urn:e' a='1'>in</e>&t;"><!ENTITY q "'&#34;">
            <!ATTLIST d x CDATA "fallback" y CDATA #IMPLIED><!-- inside --><?pi inside?>]>
            """
        return text + "<r xmlns:p='urn:p' xmlns='urn:d'>" + content() + "</r>"
            + pick(["", "\n<!--after-->\n", "<?end?>"])
    }

    private mutating func content() -> String {
        depth += 1
        defer { depth -= 1 }
        return (0..<random(depth > 6 ? 2 : 7)).map { _ in piece() }.joined()
    }

    private mutating func piece() -> String {
        switch random(12) {
        case 0: pick(["text ", "ü€😀", "line\nline\r\nline", "]]&gt;", "  "])
        case 1: pick(["&t;", "&m;", "&q;", "&amp;", "&#x20AC;", "&lt;", "&#13;"])
        case 2: pick(["<![CDATA[<&]]>", "<![CDATA[]]>", "<![CDATA[\n]] >]]>", "<![CDATA[]]]]><![CDATA[>]]>"])
        case 3: pick(["<!---->", "<!-- c\n-->"])
        case 4: pick(["<?p?>", "<?p d = 'x'?>"])
        case 5: pick(["<d/>", "<d xmlns=''/>", "<p:x xmlns:p='urn:q' p:y='1'/>"])
        default: element()
        }
    }

    private mutating func element() -> String {
        let name = pick(["a", "b", "p:c", "ünï", "d", "long-name.of_an-element"])
        var attributes = ""
        for key in ["k", "p:k", "xml:lang", "y"] where random(3) == 0 {
            attributes +=
                pick([" ", "\n  "]) + key + pick(["='v'", "=\"&t; &q;\"", "='a\n\tb'", "='ä&#10;'", "=''"])
        }
        let inner = content()
        return inner.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(inner)</\(name)>"
    }
}
