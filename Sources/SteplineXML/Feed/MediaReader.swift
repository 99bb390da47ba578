import Foundation

/// Reads Media RSS; properties of an item or group apply to all its media.
struct MediaReader {
    let reader: FeedReader

    func read(_ element: XML.Element, into item: inout Feed.Item) {
        guard reader.names.hasMedia else { return }
        var shared = Feed.Media()
        item.media = media(in: element, &shared, &item.extensions)
        for image in shared.thumbnails where !item.images.contains(image) { item.images.append(image) }
    }

    private func media(
        in element: XML.Element, _ shared: inout Feed.Media, _ extensions: inout [Feed.Extension]
    ) -> [Feed.Media] {
        var contents: [XML.Element] = []
        for child in element.children {
            let name = reader.names.name(of: child)
            guard name.hasPrefix("media:") else { continue }
            if name == "media:content" || name == "media:group" {
                contents.append(child)
            } else if !add(child, name, to: &shared) {
                shared.extensions.append(reader.unknown(child))
            }
        }
        guard contents.isEmpty else {
            return contents.flatMap { content in
                var media = shared
                if content.localName == "content" { readAttributes(content, &media) }
                return self.media(in: content, &media, &extensions)
            }
        }
        // Elements that no property stands for are no medium by themselves.
        var known = shared
        known.extensions = []
        if known != Feed.Media() { return [shared] }
        extensions += shared.extensions
        return []
    }

    private func readAttributes(_ element: XML.Element, _ media: inout Feed.Media) {
        media.url = reader.url(element["url"], at: element)
        media.type = FeedReader.filled(element["type"])
        media.medium = FeedReader.filled(element["medium"])
        media.length = reader.number(element["fileSize"])
        media.width = reader.number(element["width"])
        media.height = reader.number(element["height"])
        media.duration = reader.duration(element["duration"])
        for attribute in element.attributes { media.attributes[attribute.name] = attribute.value }
    }

    /// Applies a property; returns false if it is unknown.
    ///
    /// Inner properties override outer ones.
    private func add(_ element: XML.Element, _ name: String, to media: inout Feed.Media) -> Bool {
        switch name {
        case "media:title": media.title = reader.label(element)
        case "media:description", "media:text":
            if name == "media:description" || media.summary == nil { media.summary = reader.markup(element) }
        case "media:thumbnail":
            FeedModules(reader: reader).addImage(element["url"], element, &media.thumbnails)
        case "media:credit":
            guard let name = reader.label(element) else { return true }
            var person = Feed.Person(name: name)
            person.role = FeedReader.filled(element["role"])
            media.credits.append(person)
        case "media:player": media.player = reader.url(element["url"], at: element)
        default: return false
        }
        return true
    }
}
