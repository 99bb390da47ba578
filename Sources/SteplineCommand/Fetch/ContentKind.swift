import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The format that a response body is parsed as.
enum ContentKind: String, Sendable, CaseIterable {
    case json, xml, html, feed

    /// Returns the format of a response body: by media type, else by file name extension, else by its first bytes.
    ///
    /// An XML feed is a feed unless an XPath is given. A JSON feed is a feed unless a JSONPath is given. Nil if the
    /// format is unknown.
    static func of(_ body: Data, _ response: URLResponse?, _ selection: Selection?) -> ContentKind? {
        let type = response?.mimeType?.lowercased() ?? ""
        let ending = response?.url?.pathExtension.lowercased() ?? ""
        if type == "application/feed+json" { return selection == nil ? .feed : .json }
        let begin = String(decoding: body.prefix(1024), as: UTF8.self).lowercased()
        guard let kind = byType(type) ?? byEnding(ending) ?? byBegin(begin) else { return nil }
        if kind == .feed || (kind == .xml && looksLikeFeed(begin)) {
            return selection?.isXPath == true ? .xml : .feed
        }
        return kind
    }

    private static func byType(_ type: String) -> ContentKind? {
        switch type {
        case "text/html", "application/xhtml+xml": return .html
        case "application/rss+xml", "application/atom+xml", "application/rdf+xml": return .feed
        case "application/json", "text/json": return .json
        case "application/xml", "text/xml": return .xml
        default: return type.hasSuffix("+json") ? .json : type.hasSuffix("+xml") ? .xml : nil
        }
    }

    private static func byEnding(_ ending: String) -> ContentKind? {
        switch ending {
        case "json", "geojson": .json
        case "xml": .xml
        case "html", "htm", "xhtml": .html
        case "rss", "atom": .feed
        default: nil
        }
    }

    private static func byBegin(_ begin: String) -> ContentKind? {
        let text = begin.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("{") || text.hasPrefix("[") { return .json }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return .html }
        return text.hasPrefix("<") ? .xml : nil
    }

    private static func looksLikeFeed(_ begin: String) -> Bool {
        ["<rss", "<feed", "<rdf:rdf"].contains { begin.contains($0) }
    }
}
