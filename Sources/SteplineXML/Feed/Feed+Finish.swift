import Foundation

extension Feed {
    /// Derives missing values of the feed.
    mutating func finish(_ reader: FeedReader) {
        for link in links {
            switch link.relation {
            case "self": address = address ?? link.url
            case "next", "prev-archive": nextPage = nextPage ?? link.url
            case "hub": hubs.append(link.url)
            default: break
            }
        }
        if link == nil { link = links.first { $0.relation == "alternate" }?.url }
        if authors.isEmpty, let name = podcast?.author { authors = [Person(name: name)] }
        author = FeedReader.names(authors)
        categories = Item.words(topics)
        image = images.first?.url
        updated = updated ?? published
        summary = summary ?? podcast?.summary ?? podcast?.subtitle.map { FeedText(plain: $0) }
        if isComplete == nil, links.contains(where: { $0.relation == "complete" }) { isComplete = true }
    }
}

extension Feed.Item {
    /// Derives missing values of the item.
    mutating func finish(_ reader: FeedReader) {
        if link == nil { link = links.first { $0.relation == "alternate" }?.url }
        if title == nil { title = episode?.title ?? media.lazy.compactMap(\.title).first }
        if authors.isEmpty, let name = episode?.author { authors = [Feed.Person(name: name)] }
        author = FeedReader.names(authors)
        categories = Self.words(topics)
        summary =
            summary ?? episode?.summary ?? episode?.subtitle.map { FeedText(plain: $0) }
            ?? media.lazy.compactMap(\.summary).first
        if date == nil {
            date = updated
            dateText = dateText ?? updatedText
        }
        updated = updated ?? date
        image =
            images.first?.url ?? media.lazy.compactMap { $0.thumbnails.first?.url }.first
            ?? media.first { $0.medium == "image" || $0.type?.hasPrefix("image/") == true }?.url
        if id.isEmpty { id = link?.absoluteString ?? title ?? enclosures.first?.url.absoluteString ?? "" }
    }

    /// Returns the labels of categories without duplicates.
    static func words(_ topics: [Feed.Category]) -> [String] {
        var seen: Set<String> = []
        return topics.map { $0.label ?? $0.term }.filter { seen.insert($0).inserted }
    }
}
