import SteplineXML

/// Documents without a document type, made by a grammar that breaks its own rules: what is taken is taken by libxml2
/// too and has the same tree, and a stream in any pieces ends as the document does.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(start, count)
    let piece = 1 + choices.choice(100)
    choices.put(oneOf: [
        "", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='utf-8'?>\r\n", "<!--a-->", "\n",
    ])
    let isPrefixed = choices.choice(2) == 1
    choices.put(isPrefixed ? "<p:r xmlns:p='urn:p' xmlns='urn:d'>" : "<r xmlns:p='urn:p'>")
    while !choices.isOver { choices.several { $0.content() } }
    choices.put(isPrefixed ? "</p:r>" : "</r>")
    let bytes = choices.text
    within(seconds: 5, "a document") {
        let document = try? XML.Document(bytes: bytes)
        if let document {
            precondition(DOMDump.lines(of: bytes) == TreeDump.lines(of: document), "libxml2 has another tree")
        }
        precondition(streams(bytes, piece) == (document != nil), "a stream ends otherwise than a document")
    }
    return 0
}

private func streams(_ bytes: [UInt8], _ piece: Int) -> Bool {
    let parser = XML.RecordParser(of: "a")
    do {
        for place in stride(from: 0, to: bytes.count, by: piece) {
            for record in try parser.feed(Array(bytes[place..<min(place + piece, bytes.count)])) {
                _ = record.xml
            }
        }
        for record in try parser.finish() { _ = record.xml }
        return true
    } catch {
        return false
    }
}

extension Choices {
    private mutating func name() {
        put(oneOf: [
            "a", "b", "p:a", "p:b", "ünï", "a-name.of-many_letters", "p:a-name.of-many_letters", "q:a",
            "a:b:c", ":a",
            "a:", "xml:a", "xmlns", "·", "a·", "1", "",
        ])
    }

    fileprivate mutating func content() {
        switch choice(14) {
        case 0:
            put("<")
            name()
            several { $0.attribute() }
            put(oneOf: ["/>", " />", "\r\n/>", "/ >"])
        case 1, 2, 3:
            let name = ["a", "b", "p:a", "ünï", "a-name.of-many_letters"][choice(5)]
            put("<" + name)
            several { $0.attribute() }
            put(oneOf: [">", ">", "\n>", "\r>"])
            nested { $0.several { $0.content() } }
            put("</" + name)
            put(oneOf: [">", ">", " >", "\r\n>", "/>", ""])
        case 4:
            put(oneOf: [
                "<!--a-->", "<!---->", "<!--\r\n\r-->", "<!-- - -->", "<!--a--->", "<!-- -- -->", "<!-",
            ])
        case 5:
            put(oneOf: [
                "<![CDATA[a]]>", "<![CDATA[]]>", "<![CDATA[\r\n]]]]>", "<![CDATA[<&>\r]]>", "<![CDAT",
            ])
        case 6:
            put(oneOf: [
                "<?p?>", "<?p a?>", "<?p  \r\na??>", "<?p:q?>", "<?xml a?>", "<?xmlä?>", "<?p", "<??>",
            ])
        case 7:
            put(oneOf: [
                "&amp;", "&lt;", "&#65;", "&#x20AC;", "&#13;", "&#0;", "&#xFFFE;", "&none;", "&", "&#;",
            ])
        case 8:
            put(oneOf: ["]]", "]]>", "]", "\r", "\r\n", "\t", "\u{1}", "\u{FFFD}", "\u{FFFF}", "\u{7F}", ">"])
        case 9: put(oneOf: ["<!DOCTYPE r>", "<", "</r>", "</", "<r"])
        default: put(oneOf: ["text ", "ü", "日本", "\n", "a b c ", "😀"])
        }
    }

    private mutating func attribute() {
        put(oneOf: [" ", " ", "\n", "\r\n", "\t", "\r", ""])
        put(oneOf: [
            "a", "b", "p:a", "p:b", "xmlns", "xmlns:p", "xmlns:q", "q:a", "xml:lang", "xmlns:xml", "ä", "1",
        ])
        put(oneOf: ["=", "=", " = ", "\n=", ""])
        put(oneOf: [
            "''", "'x'", "\"'\"", "'urn:p'", "'urn:q'", "'a\r\nb\tc\rd\ne'", "'&lt;&#10;&quot;'", "'<'",
            "'&none;'",
            "'a b'", "'http://www.w3.org/XML/1998/namespace'", "'", "x", "'\u{FFFE}'", "'\u{EFFF}>'",
        ])
    }
}
