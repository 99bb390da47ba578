import Foundation

/// Reads Atom 1.0 and 0.3.
struct AtomReader {
    let reader: FeedReader

    func feed(_ root: XML.Element) -> Feed {
        var feed = Feed(format: .atom)
        feed.version = root["version"] ?? "1.0"
        feed.language = reader.language(root)
        if root.localName.lowercased() == "entry" {
            feed.items = [item(root, [])]
            return feed
        }
        var entries: [XML.Element] = []
        for child in root.children {
            switch reader.names.name(of: child) {
            case "entry": entries.append(child)
            case "title": reader.setTitle(text(child), &feed.title, &feed.titleMarkup)
            case "subtitle", "tagline": feed.summary = feed.summary ?? text(child)
            case "id": feed.id = reader.text(child)
            case "link": if let link = link(child) { feed.links.append(link) }
            case "updated", "modified": reader.date(child, &feed.updated)
            case "published": reader.date(child, &feed.published)
            case "author": feed.authors.append(person(child))
            case "contributor": feed.contributors.append(person(child))
            case "category": if let category = category(child) { feed.topics.append(category) }
            case "rights", "copyright": feed.rights = text(child)
            case "generator": feed.generator = generator(child)
            case "logo":
                if let url = reader.url(child.text, at: child) { feed.images.append(Feed.Image(url: url)) }
            case "icon": feed.icon = reader.url(child.text, at: child)
            default: FeedModules(reader: reader).read(child, into: &feed)
            }
        }
        feed.link = page(feed.links)
        feed.finish(reader)
        feed.image = feed.images.first?.url ?? feed.icon
        feed.items = entries.map { item($0, feed.authors) }
        return feed
    }

    private func item(_ entry: XML.Element, _ feedAuthors: [Feed.Person]) -> Feed.Item {
        var item = Feed.Item(id: "")
        item.language = reader.language(entry)
        var created: XML.Element?
        for child in entry.children {
            switch reader.names.name(of: child) {
            case "title": reader.setTitle(text(child), &item.title, &item.titleMarkup)
            case "id": item.id = reader.text(child) ?? ""
            case "link": addLink(child, to: &item)
            case "updated", "modified": reader.date(child, &item.updated, &item.updatedText)
            case "published", "issued": reader.date(child, &item.date, &item.dateText)
            case "created": created = child
            case "summary": item.summary = text(child)
            case "content": AtomContent(reader: reader).read(child, into: &item)
            case "author": item.authors.append(person(child))
            case "contributor": item.contributors.append(person(child))
            case "category": if let category = category(child) { item.topics.append(category) }
            case "rights", "copyright": item.rights = text(child)
            case "source": readSource(child, into: &item)
            default: FeedModules(reader: reader).read(child, into: &item)
            }
        }
        // Atom 0.3 has the date of creation beside that of publication, which counts.
        if item.date == nil, let created { reader.date(created, &item.date, &item.dateText) }
        if item.authors.isEmpty { item.authors = feedAuthors }
        item.link = page(item.links)
        MediaReader(reader: reader).read(entry, into: &item)
        item.finish(reader)
        return item
    }

    private func addLink(_ element: XML.Element, to item: inout Feed.Item) {
        guard let link = link(element) else { return }
        item.links.append(link)
        switch link.relation {
        case "enclosure":
            var enclosure = Feed.Enclosure(url: link.url, type: link.type, length: link.length)
            enclosure.title = link.title
            item.enclosures.append(enclosure)
        case "replies":
            var comments = item.comments ?? Feed.Comments()
            let isFeed = link.type?.contains("xml") ?? false
            if isFeed { comments.feed = link.url } else { comments.page = link.url }
            let count = element.attributes.first { $0.localName == "count" }
            comments.count = reader.number(count?.value) ?? comments.count
            item.comments = comments
        case "related": item.externalLink = item.externalLink ?? link.url
        default: break
        }
    }

    func link(_ element: XML.Element) -> Feed.Link? {
        guard let url = reader.url(element["href"] ?? element.text, at: element) else { return nil }
        let relation = FeedReader.filled(element["rel"])?.lowercased() ?? "alternate"
        let registry = "http://www.iana.org/assignments/relation/"
        var link = Feed.Link(
            url: url,
            relation: relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation,
            type: FeedReader.filled(element["type"]))
        link.title = FeedReader.filled(element["title"])
        link.language = FeedReader.filled(element["hreflang"])
        link.length = reader.number(element["length"])
        return link
    }

    /// Returns the page: the link without relation or with `alternate`, preferably HTML.
    private func page(_ links: [Feed.Link]) -> URL? {
        let pages = links.filter { $0.relation == "alternate" }
        let page = pages.first { $0.type.map { $0.contains("html") } ?? true } ?? pages.first
        return page?.url
    }

    /// Returns a text construct; the `div` around XHTML is removed.
    func text(_ element: XML.Element) -> FeedText? {
        switch FeedReader.filled(element["type"])?.lowercased() ?? "text" {
        case "xhtml", "application/xhtml+xml": return AtomContent(reader: reader).xhtml(element)
        case "html", "text/html": return AtomContent(reader: reader).html(element)
        default: return AtomContent(reader: reader).plain(element)
        }
    }

    func person(_ element: XML.Element) -> Feed.Person {
        var person = Feed.Person()
        for child in element.children {
            switch child.localName.lowercased() {
            case "name": person.name = reader.label(child)
            case "email": person.email = reader.text(child)
            case "uri", "url": person.url = reader.url(child.text, at: child)
            default: break
            }
        }
        // Some feeds contain only the name.
        if person == Feed.Person(), let text = reader.text(element) { person = FeedReader.person(text) }
        return person
    }

    private func category(_ element: XML.Element) -> Feed.Category? {
        guard
            let term = FeedReader.filled(element["term"]) ?? FeedReader.filled(element["label"])
                ?? reader.text(element)
        else { return nil }
        return Feed.Category(
            term: term, label: FeedReader.filled(element["label"]).flatMap(reader.plainLabel),
            scheme: FeedReader.filled(element["scheme"]))
    }

    private func generator(_ element: XML.Element) -> Feed.Generator? {
        guard let name = reader.text(element) ?? element["uri"] ?? element["url"] else { return nil }
        return Feed.Generator(
            name: name, url: reader.url(element["uri"] ?? element["url"], at: element),
            version: element["version"])
    }

    private func readSource(_ element: XML.Element, into item: inout Feed.Item) {
        var source = Feed.Source()
        var authors: [Feed.Person] = []
        for child in element.children {
            switch reader.names.name(of: child) {
            case "title": source.title = text(child)?.plain
            case "id": source.id = reader.text(child)
            case "link":
                guard let link = link(child) else { continue }
                if link.relation == "self" || source.url == nil { source.url = link.url }
            case "author": authors.append(person(child))
            default: break
            }
        }
        item.source = source
        if item.authors.isEmpty { item.authors = authors }
    }
}
