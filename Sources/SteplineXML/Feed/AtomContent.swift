import Foundation

/// Reads Atom's content: text, markup, bytes, or a reference.
struct AtomContent {
    let reader: FeedReader

    func read(_ element: XML.Element, into item: inout Feed.Item) {
        let type = FeedReader.filled(element["type"])?.lowercased() ?? "text"
        if let address = FeedReader.filled(element["src"]) {
            item.embedded = Feed.Embedded(
                type: type == "text" ? "" : type, url: reader.url(address, at: element))
            return
        }
        // Of several alternatives, as in Atom 0.3, use the first text.
        switch type {
        case "text", "text/plain": set(plain(element), &item)
        case "html", "text/html": set(html(element), &item)
        case "xhtml", "application/xhtml+xml": set(xhtml(element), &item)
        default:
            if element["mode"] == "base64" || isBytes(type, element) {
                bytes(element, type, &item)
            } else if type.hasPrefix("text/") {
                set(plain(element), &item)
            } else if type.hasSuffix("xml") || element.children.first(where: { _ in true }) != nil {
                item.embedded = Feed.Embedded(type: type, xml: element.children.map(\.xml).joined())
            } else {
                item.embedded = Feed.Embedded(type: type, xml: reader.text(element))
            }
        }
    }

    private func set(_ text: FeedText?, _ item: inout Feed.Item) {
        if item.content == nil || (item.content?.isHTML == false && text?.isHTML == true) {
            item.content = text ?? item.content
        }
    }

    private func isBytes(_ type: String, _ element: XML.Element) -> Bool {
        !type.hasPrefix("text/") && !type.hasSuffix("xml") && !type.hasPrefix("multipart/")
            && element.children.first(where: { _ in true }) == nil
    }

    private func bytes(_ element: XML.Element, _ type: String, _ item: inout Feed.Item) {
        guard let data = Data(base64Encoded: element.text, options: .ignoreUnknownCharacters) else {
            return reader.note("content that isn't base64", at: element)
        }
        item.embedded = Feed.Embedded(type: type, data: data)
    }

    /// Returns a text without a type or of type `text`; invalid nested elements are read as HTML.
    func plain(_ element: XML.Element) -> FeedText? {
        if element["mode"] == "base64" {
            return decoded(element).map { FeedText(plain: $0) }
        }
        if element.children.first(where: { _ in true }) != nil { return reader.markup(element) }
        return reader.text(element).map { FeedText(plain: $0) }
    }

    private func decoded(_ element: XML.Element) -> String? {
        Data(base64Encoded: element.text, options: .ignoreUnknownCharacters).flatMap {
            FeedReader.filled(String(decoding: $0, as: UTF8.self))
        }
    }

    func html(_ element: XML.Element) -> FeedText? {
        let base = reader.address(at: element)
        if element["mode"] == "base64" { return decoded(element).map { FeedText(html: $0, base: base) } }
        // Unescaped markup is still HTML.
        if element.children.first(where: { _ in true }) != nil { return reader.markup(element) }
        return reader.text(element).map { FeedText(html: $0, base: base) }
    }

    func xhtml(_ element: XML.Element) -> FeedText? {
        if element["mode"] == "escaped" || element["mode"] == "base64" { return html(element) }
        let children = Array(element.children)
        let isWrapped = children.count == 1 && children[0].localName == "div"
        let inner = ScalarText.trimmed(HTMLWriter.inner(of: isWrapped ? children[0] : element))
        let base = reader.address(at: isWrapped ? children[0] : element)
        return inner.isEmpty ? nil : FeedText(html: inner, base: base)
    }
}
