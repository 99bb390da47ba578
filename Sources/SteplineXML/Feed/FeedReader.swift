import Foundation

/// The shared parts of the feed readers: names, links, dates and texts.
final class FeedReader {
    let names: FeedNames
    private let base: URL?
    /// Whether any element has `xml:base`; looking it up for each element is slow.
    private let hasBases: Bool
    private(set) var mended: [Feed.Mend] = []

    private init(_ document: XML.Document, format: Feed.Format, base: URL?, own: Set<String>) {
        names = FeedNames(document.tree, format: format, own: own)
        self.base = base
        hasBases = document.tree.names.contains { $0.local == "base" && $0.prefix == "xml" }
    }

    static func feed(_ document: XML.Document, base: URL?) throws(XMLError) -> Feed {
        let root = document.root
        let own = root.namespace.map { Set([$0]) } ?? []
        var feed: Feed
        let reader: FeedReader
        switch root.localName.lowercased() {
        case "feed" where root.namespace == nil || FeedNames.isAtom(root.namespace ?? ""),
            "entry" where FeedNames.isAtom(root.namespace ?? ""):
            reader = FeedReader(document, format: .atom, base: base, own: own)
            feed = AtomReader(reader: reader).feed(root)
        case "rss", "rdf":
            guard let channel = root.children.first(where: { $0.localName.lowercased() == "channel" }) else {
                throw XMLError(.noFeed, "the feed has no channel", line: root.line)
            }
            reader = FeedReader(
                document, format: .rss, base: base, own: channel.namespace.map { own.union([$0]) } ?? own)
            feed = RSSReader(reader: reader).feed(root, channel)
        case "channel":
            reader = FeedReader(document, format: .rss, base: base, own: own)
            feed = RSSReader(reader: reader).feed(root, root)
        default: throw noFeed(root)
        }
        feed.mended = reader.mended
        return feed
    }

    private static func noFeed(_ root: XML.Element) -> XMLError {
        let kinds = [
            "html": "an HTML page", "opml": "a list of feeds", "urlset": "a site's map",
            "sitemapindex": "a site's map",
            "svg": "a picture", "manifest": "a manifest", "error": "an error", "plist": "a property list",
        ]
        let kind = kinds[root.localName.lowercased()].map { " but of \($0)" } ?? ""
        let space = root.namespace.map { " in \($0)" } ?? ""
        return XMLError(.noFeed, "'\(root.name)'\(space) is the root of no feed\(kind)", line: root.line)
    }

    func note(_ message: String, at element: XML.Element) {
        if mended.count < XMLError.maximumProblems {
            mended.append(Feed.Mend(line: element.line, message: message))
        }
    }

    // MARK: Texts

    /// Returns the trimmed text; nil if it is empty.
    func text(_ element: XML.Element) -> String? { Self.filled(element.text) }

    static func filled(_ text: String?) -> String? {
        guard let text = text.map(ScalarText.trimmed), !text.isEmpty else { return nil }
        return text
    }

    /// Returns a short text without markup, with character references resolved.
    func label(_ element: XML.Element) -> String? { text(element).flatMap(plainLabel) }

    func plainLabel(_ text: String) -> String? {
        Self.filled(Self.line(HTMLText.isHTML(text) ? HTMLText.plain(text) : text))
    }

    /// Returns the text on one line.
    private static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 9 }) else { return text }
        return text.split { $0.isNewline || $0 == " " || $0 == "\t" }.joined(separator: " ")
    }

    /// Returns a text that is or may be HTML, including nested elements.
    func markup(_ element: XML.Element) -> FeedText? {
        if element.children.first(where: { _ in true }) != nil {
            let inner = ScalarText.trimmed(HTMLWriter.inner(of: element))
            return inner.isEmpty ? nil : FeedText(html: inner, base: address(at: element))
        }
        guard let text = text(element) else { return nil }
        return HTMLText.isHTML(text)
            ? FeedText(html: text, base: address(at: element)) : FeedText(plain: text)
    }

    func setTitle(_ text: FeedText?, _ title: inout String?, _ titleMarkup: inout String?) {
        guard title == nil, let text, let plain = Self.filled(Self.line(text.plain)) else { return }
        title = plain
        if text.isHTML, text.html != HTMLText.escaped(plain) { titleMarkup = text.html }
    }

    // MARK: Links

    /// Returns the base of links at an element: the nearest `xml:base`, resolved against the feed's address.
    func address(at element: XML.Element) -> URL? {
        guard hasBases else { return base }
        var bases: [String] = []
        for outer in [element] + element.ancestors {
            if let given = outer.attribute("base", in: Self.xml)?.value { bases.append(given) }
        }
        return bases.reversed().reduce(base) { AddressText.url($1, relativeTo: $0)?.absoluteURL ?? $0 }
    }

    func url(_ text: String?, at element: XML.Element) -> URL? {
        guard let text = Self.filled(text) else { return nil }
        guard let url = AddressText.url(text, relativeTo: address(at: element))?.absoluteURL else {
            note("'\(text.prefix(100))' is no address", at: element)
            return nil
        }
        return url
    }

    static let xml = "http://www.w3.org/XML/1998/namespace"

    func language(_ element: XML.Element) -> String? {
        Self.filled(element.attribute("lang", in: Self.xml)?.value)
    }

    // MARK: Values

    /// Sets a date that isn't set; one that can't be read is noted.
    func date(_ element: XML.Element, _ date: inout Date?) {
        var text: String?
        self.date(element, &date, &text)
    }

    /// Sets a date that isn't set, and its text; one that can't be read is noted.
    func date(_ element: XML.Element, _ date: inout Date?, _ text: inout String?) {
        guard date == nil, let written = self.text(element) else { return }
        date = DateText.any(written)
        if date == nil { note("the date '\(written.prefix(100))' isn't understood", at: element) }
        if date != nil || text == nil { text = written }
    }

    func number(_ text: String?) -> Int? {
        text.flatMap { ScalarText.value($0) as Double? }.flatMap { Int(exactly: $0.rounded()) }
    }

    func real(_ text: String?) -> Double? { text.flatMap { ScalarText.value($0) } }

    /// Parses `yes`, `true`, `explicit` and their opposites.
    func truth(_ text: String?) -> Bool? {
        switch text.map({ ScalarText.trimmed($0).lowercased() }) {
        case "yes", "true", "1", "explicit": true
        case "no", "false", "0", "clean": false
        default: nil
        }
    }

    /// Parses a duration in seconds: `3600`, `60:00` or `1:00:00`.
    func duration(_ text: String?) -> Double? {
        guard let text = Self.filled(text) else { return nil }
        var seconds = 0.0
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return nil }
        for part in parts {
            guard let number: Double = ScalarText.value(String(part)), number >= 0, number.isFinite else {
                return nil
            }
            seconds = seconds * 60 + number
        }
        return seconds
    }

    /// `ann@a.example (Ann)`, `Ann <ann@a.example>`, or just one of them.
    static func person(_ text: String) -> Feed.Person {
        let at = UInt8(ascii: "@")
        let text = HTMLText.isHTML(text) && !text.utf8.contains(at) ? HTMLText.plain(text) : text
        guard text.utf8.contains(at) else { return Feed.Person(name: text) }
        for (open, close) in [("(", ")"), ("<", ">")] {
            guard let start = text.firstRange(of: open), text.hasSuffix(close) else { continue }
            let before = filled(String(text[..<start.lowerBound]))
            let inside = filled(String(text[start.upperBound...].dropLast()))
            if before?.contains("@") == true { return Feed.Person(name: inside, email: before) }
            if inside?.contains("@") == true { return Feed.Person(name: before, email: inside) }
        }
        let isAddress = text.contains("@") && !text.contains(" ")
        return isAddress ? Feed.Person(email: text) : Feed.Person(name: text)
    }

    static func names(_ people: [Feed.Person]) -> String? {
        let names = people.compactMap(\.label)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    func place(_ text: String?) -> Feed.Place? {
        let numbers = (text ?? "").split { $0 == " " || $0 == "," || $0.isNewline }.compactMap { Double($0) }
        guard numbers.count == 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return nil }
        return Feed.Place(latitude: numbers[0], longitude: numbers[1])
    }

    /// The place of a URI as RFC 5870 has it: `geo:51.05,-13.74,113;u=100`, without altitude and parameters.
    func place(geo uri: String?) -> Feed.Place? {
        guard let uri = Self.filled(uri)?.lowercased(), uri.hasPrefix("geo:") else { return nil }
        let parts = uri.dropFirst(4).split(separator: ";")
        let isOnEarth = parts.allSatisfy { !$0.hasPrefix("crs=") || $0 == "crs=wgs84" }
        guard isOnEarth, let coordinates = parts.first?.split(separator: ",").prefix(2) else { return nil }
        return place(coordinates.joined(separator: ","))
    }

    /// An element that no property stands for, as it is.
    func unknown(_ element: XML.Element, depth: Int = 0) -> Feed.Extension {
        var attributes: [String: String] = [:]
        for attribute in element.attributes { attributes[attribute.name] = attribute.value }
        return Feed.Extension(
            name: element.localName, namespace: element.namespace, text: text(element) ?? "",
            attributes: attributes,
            children: depth < 8 ? element.children.map { unknown($0, depth: depth + 1) } : [])
    }
}
