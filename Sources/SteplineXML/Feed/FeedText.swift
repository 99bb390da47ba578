import Foundation

/// Reads the values that both kinds of feeds hold.
enum FeedText {
    static let atom = "http://www.w3.org/2005/Atom"
    static let dublinCore = "http://purl.org/dc/elements/1.1/"
    static let content = "http://purl.org/rss/1.0/modules/content/"
    static let xml = "http://www.w3.org/XML/1998/namespace"

    /// The text without blanks around it, nil if nothing is left.
    static func text(_ element: XML.Element?) -> String? {
        element.map { ScalarText.trimmed($0.text) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    static func date(_ element: XML.Element?) -> Date? { text(element).flatMap(DateText.any) }

    /// A link, relative to the nearest `xml:base` and the feed's own address.
    static func url(_ text: String?, at element: XML.Element, base: URL?) -> URL? {
        guard let text = text.map(ScalarText.trimmed), !text.isEmpty else { return nil }
        var bases: [String] = []
        for outer in [element] + element.ancestors {
            if let given = outer.attribute("base", in: xml)?.value { bases.append(given) }
        }
        let base = bases.reversed().reduce(base) { URL(string: $1, relativeTo: $0) ?? $0 }
        return URL(string: text, relativeTo: base)?.absoluteURL
    }

    static func enclosure(_ element: XML.Element, _ address: String, base: URL?) -> Feed.Enclosure? {
        url(element[address], at: element, base: base).map {
            Feed.Enclosure(url: $0, type: element["type"], length: element["length", as: Int.self])
        }
    }
}
