public import Foundation

extension XML.Document {
    /// The default limit of the number of links of one page.
    public static let maximumLinks = 50_000

    /// Returns the links of an HTML page to other pages, in document order.
    ///
    ///     for link in page.links(at: url) where !link.isNofollow { print(link.text, link.url) }
    ///
    /// A link is an `a` or `area` whose `href` is an address with http or https. Addresses are resolved against `base`
    /// if the page has one, otherwise against the page's URL. Invalid addresses and those over 8 KiB are omitted.
    ///
    /// - Parameters:
    ///   - url: The URL of the page, after redirects.
    ///   - limit: The maximum number of links; further links are omitted.
    /// - Returns: The links, including repeated ones.
    public func links(at url: URL, limit: Int = maximumLinks) -> [XML.Link] {
        let base = linkBase(at: url)
        var links: [XML.Link] = []
        for element in elements(namedOneOf: ["a", "area"]) {
            guard links.count < limit else { break }
            guard let place = element["href"].flatMap(base.address) else {
                continue
            }
            links.append(XML.Link(url: place, relations: Self.relations(of: element), element: element))
        }
        return links
    }

    /// Returns the address under which an HTML page wants to be known: the first `link` with `rel="canonical"`.
    ///
    /// - Parameter url: The URL of the page, after redirects.
    /// - Returns: The absolute URL; nil if the page names none, or an invalid one.
    public func canonicalURL(at url: URL) -> URL? {
        let links = elements(namedOneOf: ["link"])
        guard let link = links.first(where: { Self.relations(of: $0).contains("canonical") }),
            let address = link["href"]
        else { return nil }
        return linkBase(at: url).address(address)
    }

    private func linkBase(at url: URL) -> LinkBase {
        let base = LinkBase(url)
        let bases = elements(namedOneOf: ["base"])
        guard let given = bases.first(where: { $0["href"] != nil })?["href"] else { return base }
        return base.address(given).map { LinkBase($0) } ?? base
    }

    private static func relations(of element: XML.Element) -> Set<String> {
        guard let text = element["rel"], text.utf8.count <= LinkBase.longestAddress else { return [] }
        return Set(ScalarText.words(text.lowercased()))
    }
}
