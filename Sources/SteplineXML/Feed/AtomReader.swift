import Foundation

/// Reads Atom 1.0, and 0.3 as far as it is alike.
struct AtomReader {
    let base: URL?

    private func all(_ name: String, in element: XML.Element) -> [XML.Element] {
        element.children.filter { $0.localName == name && $0.namespace == element.namespace }
    }

    private func first(_ name: String, in element: XML.Element) -> XML.Element? {
        all(name, in: element).first
    }

    func feed(_ root: XML.Element) -> Feed {
        var feed = Feed(format: .atom, title: text(first("title", in: root)))
        feed.link = link(root)
        feed.summary = text(first("subtitle", in: root) ?? first("tagline", in: root))
        feed.language = root.attribute("lang", in: FeedText.xml)?.value
        feed.author = author(root)
        feed.image = (first("logo", in: root) ?? first("icon", in: root)).flatMap {
            FeedText.url($0.text, at: $0, base: base)
        }
        feed.updated = FeedText.date(first("updated", in: root) ?? first("modified", in: root))
        feed.items = all("entry", in: root).map { item($0, feed.author) }
        return feed
    }

    private func author(_ element: XML.Element) -> String? {
        let names = all("author", in: element).compactMap {
            FeedText.text(first("name", in: $0)) ?? FeedText.text(first("email", in: $0))
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The page: the link without a relation, or with `alternate`, of HTML if there are several.
    private func link(_ element: XML.Element) -> URL? {
        let pages = all("link", in: element).filter { ($0["rel"] ?? "alternate") == "alternate" }
        let page = pages.first { ($0["type"] ?? "text/html") == "text/html" } ?? pages.first
        return page.flatMap { FeedText.url($0["href"], at: $0, base: base) }
    }

    /// A text construct; XHTML comes as markup, without the `div` that the standard wraps it in.
    private func text(_ element: XML.Element?) -> String? {
        guard let element else { return nil }
        guard element["type"] == "xhtml",
            let wrapper = element.children.first(where: { $0.localName == "div" })
        else {
            return FeedText.text(element)
        }
        let markup = ScalarText.trimmed(wrapper.innerXML)
        return markup.isEmpty ? nil : markup
    }

    private func item(_ entry: XML.Element, _ feedAuthor: String?) -> Feed.Item {
        let title = text(first("title", in: entry))
        let address = link(entry)
        let id = FeedText.text(first("id", in: entry)) ?? address?.absoluteString ?? title ?? ""
        var item = Feed.Item(id: id, title: title, link: address)
        item.updated = FeedText.date(first("updated", in: entry) ?? first("modified", in: entry))
        item.date = FeedText.date(first("published", in: entry) ?? first("issued", in: entry)) ?? item.updated
        item.summary = text(first("summary", in: entry))
        item.content = text(first("content", in: entry))
        item.author = author(entry) ?? feedAuthor
        item.categories = all("category", in: entry).compactMap { $0["label"] ?? $0["term"] }
        item.enclosures = all("link", in: entry).filter { $0["rel"] == "enclosure" }
            .compactMap { FeedText.enclosure($0, "href", base: base) }
        return item
    }
}
