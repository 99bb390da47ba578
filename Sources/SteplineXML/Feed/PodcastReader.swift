import Foundation
import SteplineSupport

/// Reads the podcast modules: iTunes, Google Play and Podcasting 2.0.
struct PodcastReader {
    let reader: FeedReader

    /// Reads a property of the feed; returns false if it belongs to another module.
    func read(_ element: XML.Element, _ name: String, into feed: inout Feed) -> Bool {
        var podcast = feed.podcast ?? Feed.Podcast()
        switch name {
        case "itunes:author", "googleplay:author": podcast.author = podcast.author ?? reader.label(element)
        case "itunes:subtitle": podcast.subtitle = reader.label(element)
        case "itunes:summary", "googleplay:description", "itunes:description":
            podcast.summary = podcast.summary ?? reader.markup(element)
        case "itunes:title": reader.setTitle(reader.markup(element), &feed.title, &feed.titleMarkup)
        case "itunes:owner": podcast.owner = owner(element)
        case "googleplay:owner", "googleplay:email":
            podcast.owner = podcast.owner ?? reader.text(element).map(FeedReader.person)
        case "itunes:explicit", "googleplay:explicit": podcast.isExplicit = reader.truth(element.text)
        case "itunes:type": podcast.kind = reader.text(element)?.lowercased()
        case "itunes:complete": feed.isComplete = reader.truth(element.text)
        case "itunes:new-feed-url", "googleplay:new-feed-url":
            podcast.newAddress = reader.url(element.text, at: element)
        case "itunes:category", "googleplay:category": feed.topics += categories(element, parent: nil)
        case "itunes:image", "googleplay:image":
            let modules = FeedModules(reader: reader)
            modules.addImage(element["href"] ?? element["url"] ?? element.text, element, &feed.images)
        case "podcast:guid": podcast.guid = reader.text(element)
        case "podcast:funding":
            guard let url = reader.url(element["url"], at: element) else { return true }
            var link = Feed.Link(url: url, relation: "payment")
            link.title = reader.label(element)
            podcast.funding.append(link)
        case "podcast:person": podcast.people.append(person(element))
        default: return false
        }
        if podcast != Feed.Podcast() { feed.podcast = podcast }
        return true
    }

    /// Reads a property of an item; returns false if it belongs to another module.
    func read(_ element: XML.Element, _ name: String, into item: inout Feed.Item) -> Bool {
        var episode = item.episode ?? Feed.Episode()
        switch name {
        case "itunes:title": episode.title = reader.label(element)
        case "itunes:author", "googleplay:author": episode.author = episode.author ?? reader.label(element)
        case "itunes:subtitle": episode.subtitle = reader.label(element)
        case "itunes:summary", "googleplay:description", "itunes:description":
            episode.summary = episode.summary ?? reader.markup(element)
        case "itunes:duration":
            episode.duration = reader.duration(element.text)
            if episode.duration == nil, let text = reader.text(element) {
                reader.note("the duration '\(text.prefix(100))' isn't understood", at: element)
            }
        case "itunes:explicit", "googleplay:explicit": episode.isExplicit = reader.truth(element.text)
        case "itunes:episode": episode.number = episode.number ?? reader.real(element.text)
        case "podcast:episode": episode.number = reader.real(element.text) ?? episode.number
        case "itunes:season": episode.season = episode.season ?? reader.number(element.text)
        case "podcast:season":
            episode.season = reader.number(element.text) ?? episode.season
            episode.seasonName = FeedReader.filled(element["name"])
        case "itunes:episodetype": episode.kind = reader.text(element)?.lowercased()
        case "itunes:category", "googleplay:category": item.topics += categories(element, parent: nil)
        case "itunes:image", "googleplay:image":
            let modules = FeedModules(reader: reader)
            modules.addImage(element["href"] ?? element["url"] ?? element.text, element, &item.images)
        case "podcast:person": episode.people.append(person(element))
        case "podcast:transcript":
            if let link = link(element, relation: element["rel"] ?? "transcript") {
                episode.transcripts.append(link)
            }
        case "podcast:chapters": episode.chapters = link(element, relation: "chapters")
        default: return false
        }
        if episode != Feed.Episode() { item.episode = episode }
        return true
    }

    private func owner(_ element: XML.Element) -> Feed.Person? {
        var person = Feed.Person()
        for child in element.children {
            switch child.localName.lowercased() {
            case "name": person.name = reader.label(child)
            case "email": person.email = reader.text(child)
            default: break
            }
        }
        if person == Feed.Person() { return reader.text(element).map(FeedReader.person) }
        return person
    }

    /// Returns a category and its subcategories.
    private func categories(_ element: XML.Element, parent: String?) -> [Feed.Category] {
        guard let term = FeedReader.filled(element["text"]) ?? reader.text(element) else { return [] }
        let own = Feed.Category(term: term, scheme: "http://www.itunes.com/", parent: parent)
        guard parent == nil else { return [own] }
        return [own] + element.children.flatMap { categories($0, parent: term) }
    }

    private func person(_ element: XML.Element) -> Feed.Person {
        var person = Feed.Person(name: reader.label(element), url: reader.url(element["href"], at: element))
        person.image = reader.url(element["img"], at: element)
        person.role = FeedReader.filled(element["role"])?.lowercased() ?? "host"
        return person
    }

    private func link(_ element: XML.Element, relation: String) -> Feed.Link? {
        guard let url = reader.url(element["url"], at: element) else { return nil }
        var link = Feed.Link(url: url, relation: relation, type: FeedReader.filled(element["type"]))
        link.language = FeedReader.filled(element["language"])
        return link
    }
}
