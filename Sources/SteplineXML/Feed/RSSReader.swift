import Foundation

/// Reads RSS 2.0, 0.9x and 1.0.
struct RSSReader {
    let reader: FeedReader

    func feed(_ root: XML.Element, _ channel: XML.Element) -> Feed {
        var feed = Feed(format: .rss)
        let isRDF = root.localName.lowercased() == "rdf"
        feed.version = isRDF ? "1.0" : FeedReader.filled(root["version"])
        feed.id = isRDF ? about(channel) : nil
        feed.language = reader.language(channel) ?? reader.language(root)
        var items: [XML.Element] = []
        read(channel, &feed, &items)
        // In RSS 1.0, and in some other feeds, items and images are siblings of the channel.
        for child in root == channel ? [] : Array(root.children) where child != channel {
            switch reader.names.name(of: child) {
            case "item": items.append(child)
            case "image": addImage(child, &feed)
            default: break
            }
        }
        feed.finish(reader)
        feed.items = items.map { RSSItemReader(reader: reader).item($0) }
        return feed
    }

    /// Returns the value of `rdf:about`, whatever its prefix.
    private func about(_ element: XML.Element) -> String? {
        FeedReader.filled(element.attributes.first { $0.localName == "about" }?.value)
    }

    private func read(_ channel: XML.Element, _ feed: inout Feed, _ items: inout [XML.Element]) {
        for child in channel.children {
            switch reader.names.name(of: child) {
            case "item": items.append(child)
            case "title": reader.setTitle(reader.markup(child), &feed.title, &feed.titleMarkup)
            case "link":
                feed.link = feed.link ?? reader.url(FeedReader.filled(child.text) ?? child["href"], at: child)
            case "description": feed.summary = reader.markup(child)
            case "language": feed.language = reader.text(child)
            case "managingeditor", "author": addAuthor(child, &feed)
            case "webmaster":
                guard var person = reader.text(child).map(FeedReader.person) else { continue }
                person.role = "webMaster"
                feed.contributors.append(person)
            case "copyright": feed.rights = reader.markup(child)
            case "lastbuilddate": reader.date(child, &feed.updated)
            case "pubdate": reader.date(child, &feed.published)
            case "category": feed.topics += reader.topics(child)
            case "generator": feed.generator = reader.text(child).map { Feed.Generator(name: $0) }
            case "image": addImage(child, &feed)
            case "items": break
            default: FeedModules(reader: reader).read(child, into: &feed)
            }
        }
    }

    private func addAuthor(_ element: XML.Element, _ feed: inout Feed) {
        if let text = reader.text(element) { feed.authors.append(FeedReader.person(text)) }
    }

    private func addImage(_ element: XML.Element, _ feed: inout Feed) {
        var image: Feed.Image?
        for child in element.children where reader.names.name(of: child) == "url" {
            image = reader.url(child.text, at: child).map { Feed.Image(url: $0) }
        }
        // Some feeds contain only the address.
        if image == nil {
            image = reader.url(element["href"] ?? element["url"], at: element).map { Feed.Image(url: $0) }
        }
        if image == nil, element.children.first(where: { _ in true }) == nil {
            image = reader.url(element.text, at: element).map { Feed.Image(url: $0) }
        }
        guard var image else { return }
        for child in element.children {
            switch reader.names.name(of: child) {
            case "title": image.title = reader.label(child)
            case "link": image.link = reader.url(child.text, at: child)
            case "width": image.width = reader.number(child.text)
            case "height": image.height = reader.number(child.text)
            default: break
            }
        }
        // The format's own image precedes those of modules.
        feed.images.insert(image, at: 0)
    }
}

/// Reads the items of RSS feeds.
struct RSSItemReader {
    let reader: FeedReader

    func item(_ element: XML.Element) -> Feed.Item {
        var item = Feed.Item(id: "")
        item.language = reader.language(element)
        var permalink: XML.Element?
        for child in element.children {
            switch reader.names.name(of: child) {
            case "title": reader.setTitle(reader.markup(child), &item.title, &item.titleMarkup)
            case "link":
                item.link = item.link ?? reader.url(FeedReader.filled(child.text) ?? child["href"], at: child)
            case "description": item.summary = item.summary ?? reader.markup(child)
            case "pubdate": reader.date(child, &item.date, &item.dateText)
            case "guid":
                item.id = reader.text(child) ?? ""
                let isPermalink = child.attributes.first { $0.localName.lowercased() == "ispermalink" }
                if reader.truth(isPermalink?.value) ?? true { permalink = child }
            case "author": if let text = reader.text(child) { item.authors.append(FeedReader.person(text)) }
            case "category": item.topics += reader.topics(child)
            case "enclosure": addEnclosure(child, &item)
            case "comments": comments(&item) { $0.page = reader.url(child.text, at: child) }
            case "source":
                item.source = Feed.Source(
                    title: reader.label(child), url: reader.url(child["url"], at: child))
            default: FeedModules(reader: reader).read(child, into: &item)
            }
        }
        if item.link == nil, let permalink, HTMLLinks.hasScheme(item.id) {
            item.link = reader.url(permalink.text, at: permalink)
        }
        if item.id.isEmpty {
            let about = element.attributes.first { $0.localName == "about" }
            item.id = FeedReader.filled(about?.value) ?? ""
            if item.link == nil, HTMLLinks.hasScheme(item.id) { item.link = reader.url(item.id, at: element) }
        }
        MediaReader(reader: reader).read(element, into: &item)
        item.finish(reader)
        return item
    }

    private func comments(_ item: inout Feed.Item, _ change: (inout Feed.Comments) -> Void) {
        var comments = item.comments ?? Feed.Comments()
        change(&comments)
        item.comments = comments
    }

    private func addEnclosure(_ element: XML.Element, _ item: inout Feed.Item) {
        let address = element["url"] ?? element["href"] ?? element.text
        guard let url = reader.url(address, at: element) else { return }
        item.enclosures.append(
            Feed.Enclosure(
                url: url, type: FeedReader.filled(element["type"]), length: reader.number(element["length"])))
    }
}

extension FeedReader {
    func topics(_ element: XML.Element) -> [Feed.Category] {
        guard let term = label(element) else { return [] }
        return [Feed.Category(term: term, scheme: Self.filled(element["domain"]))]
    }
}
