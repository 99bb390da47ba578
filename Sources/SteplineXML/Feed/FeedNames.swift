/// Maps each element of a feed to one canonical name, independent of prefix and namespace variants.
///
/// Elements of the feed's own format have a local name in lower case; elements of modules have the usual prefix:
/// `title`, `itunes:author`. Unknown elements have an empty name.
struct FeedNames {
    private let names: [String]

    /// Creates the names; `own` are additional namespaces of the feed's own elements.
    init(_ tree: TreeStorage, format: Feed.Format, own: Set<String>) {
        names = tree.names.map { Self.name($0, format, own) }
        hasMedia = names.contains { $0.hasPrefix("media:") }
    }

    /// Whether the feed uses Media RSS.
    let hasMedia: Bool

    func name(of element: XML.Element) -> String { names[element.tree.nodes[element.index].name] }

    private static func name(_ name: QualifiedName, _ format: Feed.Format, _ own: Set<String>) -> String {
        let local = name.local.lowercased()
        guard let namespace = name.namespace else {
            // Resolve an unbound prefix to the module that usually has it.
            guard let prefix = name.prefix?.lowercased() else { return local }
            return modules.values.contains(prefix) ? "\(prefix):\(local)" : ""
        }
        if own.contains(namespace) { return local }
        let address = address(namespace)
        if let module = modules[address] {
            if module == (format == .atom ? "atom" : "rss") { return local }
            return module == "rss" ? "" : "\(module):\(local)"
        }
        return ""
    }

    /// Returns a namespace without variations between feeds.
    private static func address(_ namespace: String) -> String {
        var rest = Substring(namespace.lowercased())
        for start in ["https://", "http://", "www."] where rest.hasPrefix(start) {
            rest = rest.dropFirst(start.count)
        }
        while let last = rest.last, last == "/" || last == "#" { rest = rest.dropLast() }
        return String(rest)
    }

    static func isAtom(_ namespace: String) -> Bool { modules[address(namespace)] == "atom" }

    private static let modules: [String: String] = [
        "purl.org/rss/1.0": "rss", "my.netscape.com/rdf/simple/0.9": "rss",
        "channel.netscape.com/rdf/simple/0.9": "rss",
        "my.netscape.com/publish/formats/rss-0.91.dtd": "rss", "backend.userland.com/rss": "rss",
        "backend.userland.com/rss2": "rss", "backend.userland.com/rss091": "rss",
        "backend.userland.com/rss092": "rss",
        "blogs.law.harvard.edu/tech/rss": "rss", "cyber.law.harvard.edu/rss": "rss",
        "rssboard.org/rss-specification": "rss",
        "w3.org/2005/atom": "atom", "purl.org/atom/ns": "atom", "w3.org/1999/02/22-rdf-syntax-ns": "rdf",
        "purl.org/dc/elements/1.1": "dc", "purl.org/dc/elements/1.0": "dc", "purl.org/dc/terms": "dcterms",
        "purl.org/rss/1.0/modules/content": "content", "purl.org/rss/1.0/modules/syndication": "sy",
        "purl.org/rss/1.0/modules/slash": "slash", "wellformedweb.org/commentapi": "wfw",
        "purl.org/syndication/thread/1.0": "thr", "purl.org/syndication/history/1.0": "fh",
        "itunes.com/dtds/podcast-1.0.dtd": "itunes", "example.com/dtds/podcast-1.0.dtd": "itunes",
        "itunes.com/dtds/podcast-1.0": "itunes", "google.com/schemas/play-podcasts/1.0": "googleplay",
        "google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": "googleplay",
        "podcastindex.org/namespace/1.0": "podcast",
        "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
        "search.yahoo.com/mrss": "media", "search.yahoo.com/rss": "media",
        "video.search.yahoo.com/mrss": "media",
        "tools.search.yahoo.com/mrss": "media", "rssboard.org/media-rss": "media",
        "api.maps.yahoo.com/mrss": "media",
        "w3.org/1999/xhtml": "xhtml", "w3.org/2003/01/geo/wgs84_pos": "geo", "georss.org/georss": "georss",
        "georss.org/georss/10": "georss", "opengis.net/gml": "gml", "web.resource.org/cc": "cc",
        "creativecommons.org/ns": "cc", "backend.userland.com/creativecommonsrssmodule": "creativecommons",
        "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": "creativecommons",
        "webns.net/mvcb": "admin",
        "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    ]
}
