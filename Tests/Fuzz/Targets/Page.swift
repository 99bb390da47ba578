import Foundation
import SteplineXML

/// Pages made by a grammar, under a time limit: all are read, but for limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(start, count)
    var options = XML.Options()
    options.charset =
        [nil, nil, "utf-8", "windows-1252", "shift_jis", "nonsense", "utf-16"][choices.choice(7)]
    while !choices.isOver { choices.several { $0.markup() } }
    let data = Data(choices.text)
    within(seconds: 5, "a page") {
        do throws(XMLError) {
            _ = try XML.Document(html: data, options: options).xmlBytes
        } catch {
            guard error.code == .limit || error.code == .empty else {
                fatalError("a page isn't read: \(error)")
            }
        }
    }
    within(seconds: 5, "its text") {
        let text = FeedText(
            html: String(decoding: data, as: UTF8.self), base: URL(string: "https://a.example/b"))
        _ = (text.plain, text.html)
    }
    return 0
}

extension Choices {
    private mutating func name() {
        put(oneOf: [
            "p", "a", "b", "div", "table", "td", "script", "style", "svg", "h1", "x-y", "title", "br", "html",
        ])
    }

    fileprivate mutating func markup() {
        switch choice(12) {
        case 0, 1:
            put("<")
            name()
            several { $0.attribute() }
            put(oneOf: [">", "/>", "", " "])
        case 2:
            put("</")
            name()
            put(oneOf: [">", "", " x>"])
        case 3:
            put("<")
            name()
            put(">")
            nested { $0.markup() }
            put("</")
            name()
            put(">")
        case 4:
            put(oneOf: ["<!--", "-->", "<!-- c -->", "<!doctype html>", "<!", "<?php ?>", "<![CDATA[", "]]>"])
        case 5: put(oneOf: ["&", "&amp;", "&#", "&#x41;", "&nbsp", "&foo;", "&#0;", "&#99999999;", ";"])
        case 6: put(oneOf: ["<", ">", "\"", "'", "=", "</", "<>", "\u{0}"])
        case 7: put(oneOf: ["<meta charset=utf-8>", "<meta charset=iso-8859-1>", "<meta charset=utf-7>"])
        case 8: put(byte: UInt8(choice(128)) + 128)
        default: put(oneOf: ["text ", "ü", "日本", "\n", "a b c "])
        }
    }

    private mutating func attribute() {
        put(oneOf: [" a", " href", " src", " class", " b"])
        put(oneOf: ["", "=x", "='y z'", "=\"&amp;\"", "=", "='", " = \"", "=../p?q=1&r"])
    }
}
