import Foundation
import SteplineXML
import TestSupport
import Testing

/// Input that made a parser run for ever, or for a time that grows with its square, at every entrance.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EndlessTests {
    static let endless: [String] = [
        // Parameter entities that name themselves, at once or by way of others, among blanks or declarations.
        "<!DOCTYPE d [<!ENTITY % z ' &#37;z;'> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '&#37;z; '> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % y ' &#37;z; '><!ENTITY % z ' &#37;y; '>\n%y;\n]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '<!ELEMENT d ANY> &#37;z;'> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '<!ATTLIST d &#37;z;'> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '<!ELEMENT d (a| &#37;z;)>'> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '<![ INCLUDE [ &#37;z; ]]>'> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '<![ &#37;z; [ ]]>'> %z; ]><d/>",
        "<!DOCTYPE d [<!ENTITY % z '<!ENTITY e \"&#37;z;\">'> %z; ]><d/>",
    ]

    /// Well-formed, but entities that are long and often used add up to more than the limit.
    static let long: [String] = {
        let blanks = String(repeating: " ", count: 100_000)
        let uses = String(repeating: "%z; ", count: 500)
        return [
            "<!DOCTYPE d [<!ENTITY % z '\(blanks)'> \(uses) ]><d/>",
            "<!DOCTYPE d [<!ENTITY % z '<!--\(blanks)-->'> \(uses) ]><d/>",
            "<!DOCTYPE d [<!ENTITY % y '\(blanks)'><!ENTITY % z '&#37;y; &#37;y;'> \(uses) ]><d/>",
        ]
    }()

    @Test(arguments: endless + long)
    func `a document type that never ends is an error, at every entrance`(source: String) throws {
        var lenient = XML.Options()
        lenient.isLenient = true
        for options in [XML.Options(), lenient] {
            let ends: [(String, @Sendable () throws -> Void)] = [
                ("document", { _ = try XML.Document(bytes: Array(source.utf8), options: options) }),
                (
                    "stream",
                    {
                        try XML.Stream(of: "d", in: Data(source.utf8), options: options).forEach { _ in .more
                        }
                    }
                ),
                (
                    "decoder",
                    { _ = try XML.Decoder().decode(String.self, from: Data(source.utf8), options: options) }
                ),
                ("feed", { _ = try Feed(data: Data(source.utf8), options: options) }),
            ]
            for (name, body) in ends {
                let found = try #require(
                    ending(within: 20) { failure(body) }, "\(name) hangs on \(source.prefix(80))")
                #expect(!found.isRead || options.isLenient, "\(name): \(source.prefix(80))")
            }
            for size in [1, 7, 64] where source.utf8.count < 1_000 {
                let found = ending(within: 20) {
                    failure {
                        let parser = XML.RecordParser(of: "d", options: options)
                        for byte in Array(source.utf8).chunked(size) { _ = try parser.feed(byte) }
                        _ = try parser.finish()
                    }
                }
                _ = try #require(found, "pieces of \(size) hang on \(source.prefix(80))")
            }
        }
    }

    @Test func `entities within the limits still work`() throws {
        let source = """
            <!DOCTYPE d [<!ENTITY % a '<!ENTITY e "x">'><!ENTITY % b '&#37;a; <!ATTLIST d k CDATA "v">'> %b; %b; ]>
            <d>&e;</d>
            """
        let root = try XML.Document(string: source).root
        #expect(root.text == "x" && root["k"] == "v")
    }

    @Test(arguments: ["attributes", "one element", "enumeration", "hidden enumeration", "notations"])
    func `declarations without end take no quadratic time`(kind: String) throws {
        let many = 0..<80_000
        let declarations: String
        switch kind {
        case "attributes": declarations = many.map { "<!ATTLIST e\($0) a CDATA ''>" }.joined()
        case "one element": declarations = many.map { "<!ATTLIST e a\($0) CDATA ''>" }.joined()
        case "enumeration":
            declarations = "<!ATTLIST e a (" + many.map { "v\($0)" }.joined(separator: "|") + ") #IMPLIED>"
        case "notations":
            declarations =
                "<!ATTLIST e a NOTATION (" + many.map { "v\($0)" }.joined(separator: "|") + ") #IMPLIED>"
        default:
            let values = many.map { "v\($0)" }.joined(separator: "|")
            declarations = "<!ENTITY % p '<!ATTLIST e a (\(values)) #IMPLIED>'>%p;"
        }
        let source = "<!DOCTYPE e [\(declarations)]><e/>"
        let found = try #require(
            ending(within: 20) { failure { _ = try XML.Document(string: source) } }, "\(kind) takes too long")
        #expect(found.isRead || found.text.contains("limit"), "\(found.text)")
    }

    @Test(arguments: [
        ("<a b='", "x", "'/>"), ("<a b='", "&lt;", "'/>"), ("<a ", "xml:lang='' ", "/>"), ("<a", " ", "/>"),
        ("<!--", "-", "--><a/>"), ("<!--", "x", "--><a/>"), ("<?p ", "?", "?><a/>"),
        ("<a><![CDATA[", "]", "]]></a>"),
        ("<a>", "x", "</a>"), ("<a>", "&lt;", "</a>"), ("<a>", "]", "</a>"), ("<a>", "<b/>", "</a>"),
        ("<!DOCTYPE r [", "<!--x-->", "]><a/>"), ("<!DOCTYPE r [<!ENTITY e '", "x", "'>]><a>&e;</a>"),
    ])
    func `a stream of single bytes takes no quadratic time`(begin: String, middle: String, end: String) throws
    {
        let head = begin.hasPrefix("<!DOCTYPE") ? begin : "<r>" + begin
        let tail = begin.hasPrefix("<!DOCTYPE") ? end : end + "</r>"
        let source =
            head + String(repeating: middle, count: (Chance.isSoak ? 120_000 : 30_000) / middle.utf8.count)
            + tail
        // A rescan for each byte takes more than 10^8 steps.
        let found = ending(within: Chance.isSoak ? 10 : 4) {
            failure {
                let parser = XML.RecordParser(of: "a")
                for byte in source.utf8 { _ = try parser.feed([byte]) }
                _ = try parser.finish()
            }
        }
        _ = try #require(found, "it takes too long")
    }

    @Test func `attributes after a long text are counted as soon as they come`() throws {
        let head = "<!DOCTYPE r><r><e a='" + String(repeating: "x", count: 1_000_000) + "'"
        let attributes = (0..<12_000).map { " a\($0)=''" }.joined()
        let parser = XML.RecordParser(of: "e")
        var taken = 0
        let error = #expect(throws: XMLError.self) {
            for piece in Array((head + attributes).utf8).chunked(4_096) {
                _ = try parser.feed(piece)
                taken += piece.count
            }
        }
        #expect(error?.limit == .attributes)
        // A quarter of what waits is gathered before it is looked at.
        #expect(taken <= head.utf8.count * 5 / 4 + 3 * 65_536)
    }

    @Test func `namespaces without end are refused`() throws {
        let wide = "<e" + (0..<80_000).map { " xmlns:n\($0)='u\($0)'" }.joined() + "/>"
        let deep =
            (0..<200).map { level in
                "<e" + (0..<900).map { " xmlns:n\(level)x\($0)='u'" }.joined() + ">"
            }.joined() + String(repeating: "<n0x0:a n0x0:b=''/>", count: 50_000)
            + String(repeating: "</e>", count: 200)
        for source in [wide, deep] {
            let found = try #require(
                ending(within: 20) { failure { _ = try XML.Document(string: source) } }, "it takes too long")
            #expect(!found.isRead && found.text.contains("limit"), "\(found.text)")
        }
    }

    @Test func `many children become a dictionary, by no search for each`() throws {
        let count = Chance.isSoak ? 40_000 : 10_000
        let source = "<r>" + (0..<count).map { "<k\($0)>v</k\($0)>" }.joined() + "</r>"
        let found = ending(within: 20) {
            (try? XML.Decoder().decode([String: String].self, from: Data(source.utf8)))?.count
        }
        #expect(found == count)
    }

    @Test(arguments: [true, false])
    func `an invalid but well-formed document is no fault`(isLenient: Bool) throws {
        let declarations = String(repeating: "<!ATTLIST e a (v|w|w|w) #IMPLIED>", count: 50)
        let source = "<?xml version='1.0' standalone='yes'?><!DOCTYPE e [\(declarations)]><e a='x'/>"
        var options = XML.Options()
        options.isLenient = isLenient
        for _ in 0..<20 {
            let document = try XML.Document(string: source, options: options)
            #expect(document.root["a"] == "x")
            let parser = XML.RecordParser(of: "e", options: options)
            let count = try parser.feed(Array(source.utf8)).count + parser.finish().count
            #expect(count == 1)
        }
    }

    @Test func `a malformed feed of many sections is mended, by no search for each`() throws {
        let number = Chance.isSoak ? 20_000 : 4_000
        let items = String(repeating: "<item><title><![CDATA[a>b]]></title></item>", count: number)
        let source = "<rss version='2.0'><channel><title>a & b</title>\(items)</channel></rss>"
        let count = ending(within: 20) {
            var options = XML.Options()
            options.isLenient = true
            return (try? Feed(data: Data(source.utf8), options: options))?.items.count
        }
        #expect(count == number)
    }

    @Test(arguments: ["start tag", "text", "comment", "declaration"])
    func `small pieces of something long take no quadratic time`(kind: String) throws {
        let filling = String(repeating: "x", count: Chance.isSoak ? 1_000_000 : 200_000)
        let source =
            switch kind {
            case "start tag": "<r><item a='\(filling)'/></r>"
            case "text": "<r><item>\(filling)</item></r>"
            case "comment": "<r><!--\(filling)--><item/></r>"
            default: "<!DOCTYPE r [<!ENTITY e '\(filling)'>]><r><item/></r>"
            }
        let count = ending(within: 20) {
            let parser = XML.RecordParser(of: "item")
            var count = 0
            for piece in Array(source.utf8).chunked(16) { count += (try? parser.feed(piece).count) ?? 0 }
            return count + ((try? parser.finish().count) ?? 0)
        }
        #expect(count == 1)
    }
}

extension Array {
    /// The elements in pieces of a size, the last one maybe smaller.
    func chunked(_ size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
