import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FlowFormat {
    /// The format of a response's body: by its media type, else the name's ending, else how it begins.
    ///
    /// XML that is a feed is a feed, unless an XPath selects from it, and so is JSON that is sent as a feed, unless a
    /// JSONPath does. Nil if it can't be told.
    static func of(_ body: Data, _ response: URLResponse?, _ selection: FlowQuery?) -> FlowFormat? {
        let type = response?.mimeType?.lowercased() ?? ""
        let ending = response?.url?.pathExtension.lowercased() ?? ""
        if type == "application/feed+json" { return selection == nil ? .feed : .json }
        let begin = String(decoding: body.prefix(1024), as: UTF8.self).lowercased()
        guard let format = byType(type) ?? byEnding(ending) ?? byBegin(begin) else { return nil }
        if format == .feed || (format == .xml && looksLikeFeed(begin)) {
            return selection?.isXPath == true ? .xml : .feed
        }
        return format
    }

    private static func byType(_ type: String) -> FlowFormat? {
        switch type {
        case "text/html", "application/xhtml+xml": return .html
        case "application/rss+xml", "application/atom+xml", "application/rdf+xml": return .feed
        case "application/json", "text/json": return .json
        case "application/xml", "text/xml": return .xml
        default: return type.hasSuffix("+json") ? .json : type.hasSuffix("+xml") ? .xml : nil
        }
    }

    private static func byEnding(_ ending: String) -> FlowFormat? {
        switch ending {
        case "json", "geojson": .json
        case "xml": .xml
        case "html", "htm", "xhtml": .html
        case "rss", "atom": .feed
        default: nil
        }
    }

    private static func byBegin(_ begin: String) -> FlowFormat? {
        let text = begin.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("{") || text.hasPrefix("[") { return .json }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return .html }
        return text.hasPrefix("<") ? .xml : nil
    }

    private static func looksLikeFeed(_ begin: String) -> Bool {
        ["<rss", "<feed", "<rdf:rdf"].contains { begin.contains($0) }
    }
}
