public import Foundation
public import SteplineJSON
import SteplineSupport
public import SteplineXML

extension Feed {
    /// Creates a feed from JSON Feed 1 or 1.1; links are relative to `base`.
    ///
    /// Members of a wrong type are left out and listed in `mended`.
    ///
    /// - Throws: An `XMLError` with the code `.noFeed` for other JSON.
    public init(json: JSON, base: URL? = nil) throws(XMLError) {
        guard let version = json["version"]?.string, version.contains("jsonfeed.org/version/") else {
            throw XMLError(.noFeed, "this JSON is no feed: it has no version of JSON Feed")
        }
        let reader = JSONFeedReader(base: base)
        self = reader.feed(json, version: version)
        mended = reader.mended
    }
}

/// Reads the members of a JSON Feed.
private final class JSONFeedReader {
    private let base: URL?
    private(set) var mended: [Feed.Mend] = []

    init(base: URL?) { self.base = base }

    private func note(_ key: String, _ what: String) {
        if mended.count < 1_000 { mended.append(Feed.Mend(message: "'\(key)' is no \(what)")) }
    }

    /// Returns a nonempty text.
    ///
    /// Some feeds have numbers as identifiers.
    private func text(_ json: JSON, _ key: String) -> String? {
        guard let value = json[key], !value.isNull else { return nil }
        guard let text = value.string ?? value.literal else {
            note(key, "text")
            return nil
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    private func url(_ json: JSON, _ key: String) -> URL? {
        guard let text = text(json, key) else { return nil }
        let url = Feed.url(text, relativeTo: base)
        if url == nil { note(key, "address") }
        return url
    }

    private func list(_ json: JSON, _ key: String) -> [JSON] {
        guard let value = json[key], !value.isNull else { return [] }
        if value.array == nil { note(key, "list") }
        return value.array ?? []
    }

    private func truth(_ json: JSON, _ key: String) -> Bool? {
        guard let value = json[key], !value.isNull else { return nil }
        if value.bool == nil { note(key, "truth") }
        return value.bool
    }

    private func date(_ json: JSON, _ key: String, _ date: inout Date?, _ written: inout String?) {
        written = text(json, key)
        date = written.flatMap(Feed.date)
        if written != nil, date == nil { note(key, "date") }
    }

    func feed(_ json: JSON, version: String) -> Feed {
        var feed = Feed(format: .json, title: text(json, "title"))
        feed.version = version.lastName
        feed.address = url(json, "feed_url")
        feed.id = text(json, "feed_url")
        feed.link = url(json, "home_page_url")
        if let link = feed.link { feed.links.append(Feed.Link(url: link)) }
        if let address = feed.address { feed.links.append(Feed.Link(url: address, relation: "self")) }
        feed.nextPage = url(json, "next_url")
        feed.hubs = list(json, "hubs").compactMap { url($0, "url") }
        feed.summary = text(json, "description").map { FeedText(plain: $0) }
        feed.language = text(json, "language")
        feed.authors = authors(json)
        feed.author = Feed.names(feed.authors)
        feed.image = url(json, "icon")
        feed.images = feed.image.map { [Feed.Image(url: $0)] } ?? []
        feed.icon = url(json, "favicon")
        feed.isComplete = truth(json, "expired")
        feed.extensions = extensions(json)
        feed.items = list(json, "items").map { item($0, feed) }
        feed.updated = feed.items.compactMap(\.updated).max()
        return feed
    }

    /// Returns `authors`, or the single `author` of version 1.
    private func authors(_ json: JSON) -> [Feed.Person] {
        let all = list(json, "authors") + (json["author"].map { [$0] } ?? [])
        var people: [Feed.Person] = []
        for author in all {
            var person = Feed.Person(name: text(author, "name") ?? author.string, url: url(author, "url"))
            person.image = url(author, "avatar")
            if person != Feed.Person(), !people.contains(person) { people.append(person) }
        }
        return people
    }

    private func item(_ json: JSON, _ feed: Feed) -> Feed.Item {
        var item = Feed.Item(id: text(json, "id") ?? "", title: text(json, "title"), link: url(json, "url"))
        if let link = item.link { item.links.append(Feed.Link(url: link)) }
        item.externalLink = url(json, "external_url")
        let html = text(json, "content_html")
        let plain = text(json, "content_text")
        item.content =
            html.map { FeedText(html: $0, plain: plain, base: item.link ?? base) }
            ?? plain.map { FeedText(plain: $0) }
        item.summary = text(json, "summary").map { FeedText(plain: $0) }
        item.images = ["image", "banner_image"].compactMap { url(json, $0).map { Feed.Image(url: $0) } }
        item.image = item.images.first?.url
        date(json, "date_published", &item.date, &item.dateText)
        date(json, "date_modified", &item.updated, &item.updatedText)
        item.date = item.date ?? item.updated
        item.updated = item.updated ?? item.date
        item.authors = authors(json)
        if item.authors.isEmpty { item.authors = feed.authors }
        item.author = Feed.names(item.authors)
        item.categories = list(json, "tags").compactMap(\.string)
        item.topics = item.categories.map { Feed.Category(term: $0) }
        item.language = text(json, "language")
        item.enclosures = list(json, "attachments").compactMap(enclosure)
        item.extensions = extensions(json)
        if item.id.isEmpty { item.id = item.link?.absoluteString ?? item.title ?? "" }
        return item
    }

    private func enclosure(_ json: JSON) -> Feed.Enclosure? {
        guard let url = url(json, "url") else { return nil }
        var enclosure = Feed.Enclosure(url: url, type: text(json, "mime_type"))
        enclosure.length = json["size_in_bytes"]?.double.flatMap { Int(exactly: $0.rounded()) }
        enclosure.duration = json["duration_in_seconds"]?.double
        enclosure.title = text(json, "title")
        return enclosure
    }

    /// Returns the members of applications, which begin with an underscore.
    private func extensions(_ json: JSON) -> [Feed.Extension] {
        json.members.filter { $0.key.hasPrefix("_") }.map { member in
            Feed.Extension(
                name: member.key, namespace: nil, text: member.value.string ?? member.value.description,
                attributes: [:], children: [])
        }
    }
}
