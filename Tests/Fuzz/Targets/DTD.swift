import Foundation
import SteplineXML

/// Document types made by a grammar, at every entrance, under a time limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(start, count)
    let isLenient = choices.choice(4) == 0
    choices.documentWithType()
    let bytes = choices.text
    var options = XML.Options()
    options.isLenient = isLenient
    options.maximumEntityExpansion = 1 << 20
    within(seconds: 5, "a document") { _ = try? XML.Document(bytes: bytes, options: options) }
    within(seconds: 5, "a feed") { _ = try? Feed(data: Data(bytes), options: options) }
    for size in [7, 4_096] {
        within(seconds: 5, "a stream") {
            let parser = XML.RecordParser(of: "e", options: options)
            for place in stride(from: 0, to: bytes.count, by: size) {
                guard (try? parser.feed(Array(bytes[place..<min(place + size, bytes.count)]))) != nil else {
                    return
                }
            }
            _ = try? parser.finish()
        }
    }
    return 0
}

extension Choices {
    mutating func documentWithType() {
        put(oneOf: ["", "<?xml version='1.0'?>", "<?xml version='1.0' standalone='yes'?>\n"])
        put(oneOf: [
            "<!DOCTYPE e [", "<!DOCTYPE e SYSTEM 'x' [", "<!DOCTYPE e PUBLIC 'p' 'x' [", "<!DOCTYPE e[",
        ])
        while !isOver, choice(24) != 0 { several { $0.declaration() } }
        put(oneOf: ["]>", "] >", "]", ""])
        put("<e>")
        for _ in 0..<choice(8) { several { $0.content() } }
        put(oneOf: ["</e>", "", "</e><!-- end -->"])
    }

    private mutating func name() { put(oneOf: ["a", "b", "c", "d", "e", "p:f", "g0", "ü"]) }

    private mutating func blank() { put(oneOf: [" ", "\n", "  ", "\t", ""]) }

    private mutating func declaration() {
        blank()
        switch choice(14) {
        case 0, 1, 2:
            put("<!ENTITY % ")
            name()
            blank()
            value {
                $0.nested { piece in for _ in 0...piece.choice(4) { piece.several { $0.declaration() } } }
            }
            put(">")
        case 3, 4, 5:
            put("%")
            name()
            put(";")
        case 6:
            put("<!ENTITY ")
            name()
            put(" ")
            value { $0.nested { piece in for _ in 0...piece.choice(4) { piece.content() } } }
            put(">")
        case 7:
            put("<!ELEMENT ")
            name()
            put(" ")
            nested { $0.model() }
            put(">")
        case 8, 9:
            put("<!ATTLIST ")
            name()
            several { $0.attribute() }
            put(">")
        case 10: put(oneOf: ["<!-- c -->", "<!---->", "<!-- % & ] > -->", "<!--"])
        case 11: put(oneOf: ["<?p?>", "<?p % ]>?>", "<?xml version='1.0'?>"])
        case 12:
            put(oneOf: ["<![INCLUDE[", "<![IGNORE[", "<![ %a; [", "<![%a;["])
            nested { $0.declaration() }
            put(oneOf: ["]]>", "]>", ""])
        default:
            put(oneOf: [
                "<!NOTATION n SYSTEM 's'>", "]", ">", "%", "%;", "<", "<!", "&a;", "'", "\"", "\u{0}",
            ])
        }
    }

    /// A quoted value, in which what would be read too early is written as references.
    private mutating func value(_ piece: (inout Choices) -> Void) {
        put("'")
        escaped([UInt8(ascii: "%"): "&#37;", UInt8(ascii: "'"): choice(2) == 0 ? "&#39;" : "\""], piece)
        put("'")
    }

    private mutating func model() {
        switch choice(6) {
        case 0: put(oneOf: ["ANY", "EMPTY", "(#PCDATA)", "(#PCDATA|a)*"])
        case 1, 2:
            put("(")
            nested { $0.model() }
            several { piece in
                piece.put(oneOf: ["|", ",", " | "])
                piece.name()
            }
            put(oneOf: [")", ")*", ")?", ""])
        case 3:
            put("%")
            name()
            put(";")
        default: name()
        }
    }

    private mutating func attribute() {
        put(" ")
        name()
        switch choice(5) {
        case 0: put(" CDATA")
        case 1: put(" ID")
        case 2:
            put(" (v")
            several { piece in
                piece.put("|")
                piece.name()
            }
            put(")")
        case 3: put(" NOTATION (n)")
        default: put(oneOf: [" NMTOKENS", " IDREFS", " ENTITY", " %a;"])
        }
        put(oneOf: [" #IMPLIED", " #REQUIRED", " 'v'", " '&a;'", " #FIXED 'w'", " '<'"])
    }

    private mutating func content() {
        switch choice(6) {
        case 0: put(oneOf: ["text", "&amp;", "&#65;", "]]>", "<![CDATA[x]]>"])
        case 1, 2:
            put("&")
            name()
            put(";")
        case 3:
            put("<e a='&b;' c='d'>")
            nested { $0.content() }
            put("</e>")
        case 4: put(oneOf: ["<e/>", "<a/>", "<p:f/>", "<e xmlns:p='u'/>"])
        default: put(oneOf: ["<", ">", "&", "%a;", "</e>"])
        }
    }
}
