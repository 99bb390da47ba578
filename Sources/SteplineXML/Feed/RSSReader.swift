import Foundation

/// Reads RSS 2.0, 0.9x and 1.0, whose elements are in no namespace or in RSS 1.0's.
struct RSSReader {
    let base: URL?

    private static let namespaces: Set<String> = [
        "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
        "http://backend.userland.com/rss2",
    ]

    private func all(_ name: String, in element: XML.Element) -> [XML.Element] {
        element.children.filter {
            $0.localName == name && ($0.namespace.map(Self.namespaces.contains) ?? true)
        }
    }

    private func first(_ name: String, in element: XML.Element) -> XML.Element? {
        all(name, in: element).first
    }

    func feed(_ root: XML.Element, _ channel: XML.Element) -> Feed {
        var feed = Feed(format: .rss, title: FeedText.text(first("title", in: channel)))
        feed.link = link(first("link", in: channel))
        feed.summary = FeedText.text(first("description", in: channel))
        feed.language = FeedText.text(first("language", in: channel))
        feed.author = FeedText.text(
            first("managingEditor", in: channel) ?? channel.first("creator", in: FeedText.dublinCore))
        feed.image = first("image", in: channel).flatMap { link(first("url", in: $0)) }
        feed.updated =
            FeedText.date(first("lastBuildDate", in: channel)) ?? FeedText.date(first("pubDate", in: channel))
            ?? FeedText.date(channel.first("date", in: FeedText.dublinCore))
        // In RSS 1.0 the items stand beside the channel.
        feed.items = (all("item", in: channel) + (root.localName == "RDF" ? all("item", in: root) : [])).map(
            item)
        return feed
    }

    private func link(_ element: XML.Element?) -> URL? {
        element.flatMap { FeedText.url($0.text, at: $0, base: base) }
    }

    private func item(_ element: XML.Element) -> Feed.Item {
        let guid = first("guid", in: element)
        let title = FeedText.text(first("title", in: element))
        var address = link(first("link", in: element))
        if address == nil, let guid, guid["isPermaLink"] != "false", guid.text.contains("://") {
            address = link(guid)
        }
        let id =
            FeedText.text(guid) ?? element.attribute("about")?.value ?? address?.absoluteString ?? title ?? ""
        var item = Feed.Item(id: id, title: title, link: address)
        item.date =
            FeedText.date(first("pubDate", in: element))
            ?? FeedText.date(element.first("date", in: FeedText.dublinCore))
        item.updated = FeedText.date(element.first("updated", in: FeedText.atom)) ?? item.date
        item.summary = FeedText.text(first("description", in: element))
        item.content = FeedText.text(element.first("encoded", in: FeedText.content))
        item.author = FeedText.text(
            element.first("creator", in: FeedText.dublinCore) ?? first("author", in: element))
        item.categories = all("category", in: element).compactMap(FeedText.text)
        item.enclosures = all("enclosure", in: element).compactMap {
            FeedText.enclosure($0, "url", base: base)
        }
        return item
    }
}
