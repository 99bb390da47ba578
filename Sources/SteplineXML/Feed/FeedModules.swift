import Foundation

/// Reads the modules of both formats: Dublin Core, syndication, comments, places, and Atom in RSS.
struct FeedModules {
    let reader: FeedReader

    private var atom: AtomReader { AtomReader(reader: reader) }

    func read(_ element: XML.Element, into feed: inout Feed) {
        let name = reader.names.name(of: element)
        switch name {
        case "atom:link": if let link = atom.link(element) { feed.links.append(link) }
        case "atom:id", "dc:identifier": feed.id = feed.id ?? reader.text(element)
        case "atom:author": feed.authors.append(atom.person(element))
        case "atom:contributor": feed.contributors.append(atom.person(element))
        case "atom:subtitle": feed.summary = feed.summary ?? atom.text(element)
        case "atom:icon": feed.icon = reader.url(element.text, at: element)
        case "atom:logo": addImage(element.text, element, &feed.images)
        case "atom:updated", "dcterms:modified", "dc:date":
            reader.date(element, &feed.updated)
        case "atom:published", "dcterms:created", "dcterms:issued":
            reader.date(element, &feed.published)
        case "dc:title": reader.setTitle(reader.markup(element), &feed.title, &feed.titleMarkup)
        case "dc:description": feed.summary = feed.summary ?? reader.markup(element)
        case "dc:language": feed.language = feed.language ?? reader.text(element)
        case "dc:creator": if let name = reader.text(element) { feed.authors.append(FeedReader.person(name)) }
        case "dc:contributor", "dc:publisher":
            guard let name = reader.text(element) else { return }
            var person = FeedReader.person(name)
            if element.localName.lowercased() == "publisher" { person.role = "publisher" }
            feed.contributors.append(person)
        case "dc:subject": feed.topics += reader.topics(element)
        case "dc:rights", "dcterms:rights", "cc:license", "creativecommons:license":
            feed.rights = feed.rights ?? rights(element)
        case "admin:generatoragent":
            guard feed.generator == nil, let address = resource(element) else { return }
            feed.generator = Feed.Generator(name: address, url: reader.url(address, at: element))
        case "fh:complete": feed.isComplete = true
        case "media:thumbnail": addImage(element["url"], element, &feed.images)
        default:
            if !PodcastReader(reader: reader).read(element, name, into: &feed) {
                feed.extensions.append(reader.unknown(element))
            }
        }
    }

    func read(_ element: XML.Element, into item: inout Feed.Item) {
        let name = reader.names.name(of: element)
        switch name {
        case "content:encoded", "xhtml:body", "xhtml:div":
            item.content = item.content ?? reader.markup(element)
        case "atom:content": AtomContent(reader: reader).read(element, into: &item)
        case "atom:summary": item.summary = item.summary ?? atom.text(element)
        case "atom:title": reader.setTitle(atom.text(element), &item.title, &item.titleMarkup)
        case "atom:link": if let link = atom.link(element) { item.links.append(link) }
        case "atom:id", "dc:identifier": if item.id.isEmpty { item.id = reader.text(element) ?? "" }
        case "atom:author": item.authors.append(atom.person(element))
        case "atom:contributor": item.contributors.append(atom.person(element))
        case "atom:updated", "dcterms:modified": reader.date(element, &item.updated, &item.updatedText)
        case "atom:published", "dc:date", "dcterms:created", "dcterms:issued":
            reader.date(element, &item.date, &item.dateText)
        case "dc:title": reader.setTitle(reader.markup(element), &item.title, &item.titleMarkup)
        case "dc:description": item.summary = item.summary ?? reader.markup(element)
        case "dc:language": item.language = reader.text(element)
        case "dc:creator": if let name = reader.text(element) { item.authors.append(FeedReader.person(name)) }
        case "dc:contributor", "dc:publisher":
            if let name = reader.text(element) { item.contributors.append(FeedReader.person(name)) }
        case "dc:subject": item.topics += reader.topics(element)
        case "dc:rights", "dcterms:rights", "cc:license", "creativecommons:license":
            item.rights = item.rights ?? rights(element)
        case "dc:source": if item.source == nil { item.source = source(element) }
        case "slash:comments", "thr:total": comments(&item) { $0.count = reader.number(element.text) }
        case "wfw:commentrss": comments(&item) { $0.feed = reader.url(element.text, at: element) }
        case "wfw:comment": comments(&item) { $0.page = $0.page ?? reader.url(element.text, at: element) }
        case "thr:in-reply-to", "feedburner:origlink":
            let isReply = name == "thr:in-reply-to"
            guard
                let url = reader.url(isReply ? element["href"] ?? element["ref"] : element.text, at: element)
            else {
                return
            }
            item.links.append(
                Feed.Link(url: url, relation: isReply ? "in-reply-to" : "original", type: element["type"]))
        case _ where name.hasPrefix("geo"), "podcast:location": readPlace(element, name, &item)
        case _ where name.hasPrefix("media:"): break  // read together, since they add to each other
        default:
            if !PodcastReader(reader: reader).read(element, name, into: &item) {
                item.extensions.append(reader.unknown(element))
            }
        }
    }

    func addImage(_ address: String?, _ element: XML.Element, _ images: inout [Feed.Image]) {
        guard let url = reader.url(address, at: element), !images.contains(where: { $0.url == url }) else {
            return
        }
        var image = Feed.Image(url: url)
        image.width = reader.number(element["width"])
        image.height = reader.number(element["height"])
        images.append(image)
    }

    private func comments(_ item: inout Feed.Item, _ change: (inout Feed.Comments) -> Void) {
        var comments = item.comments ?? Feed.Comments()
        change(&comments)
        item.comments = comments
    }

    private func rights(_ element: XML.Element) -> FeedText? {
        reader.markup(element) ?? resource(element).map { FeedText(plain: $0) }
    }

    /// Returns the target of `rdf:resource`.
    private func resource(_ element: XML.Element) -> String? {
        FeedReader.filled(element.attributes.first { $0.localName == "resource" }?.value)
    }

    private func source(_ element: XML.Element) -> Feed.Source? {
        guard let text = reader.text(element) else { return nil }
        return HTMLLinks.hasScheme(text)
            ? Feed.Source(url: reader.url(text, at: element)) : Feed.Source(title: text)
    }

    private func readPlace(_ element: XML.Element, _ name: String, _ item: inout Feed.Item) {
        var place = item.place ?? Feed.Place()
        switch name {
        case "geo:lat": place.latitude = reader.real(element.text)
        case "geo:long", "geo:lon": place.longitude = reader.real(element.text)
        case "georss:featurename": place.name = reader.label(element)
        case "podcast:location":
            place.name = place.name ?? reader.label(element)
            if place.latitude == nil, let found = reader.place(geo: element["geo"]) {
                (place.latitude, place.longitude) = (found.latitude, found.longitude)
            }
        case "geo:point", "georss:where", "georss:point":
            let inner = element.descendants.first { ["pos", "lat"].contains($0.localName) }
            if let inner, inner.localName == "lat" {
                place.latitude = reader.real(inner.text)
                place.longitude = reader.real(
                    element.descendants.first { $0.localName.hasPrefix("lon") }?.text)
            } else if let found = reader.place(inner?.text ?? element.text) {
                (place.latitude, place.longitude) = (found.latitude, found.longitude)
            }
        default: item.extensions.append(reader.unknown(element))
        }
        if place != Feed.Place() { item.place = place }
    }
}
