extension XML.Document {
    /// The title of an HTML page on one line; nil if the page has none.
    public var title: String? {
        // A `title` inside an image is the image's own.
        let titles = elements(namedOneOf: ["title"])
        return titles.first { $0.parent?.name != "svg" }.map { ScalarText.collapsed($0.text) }
    }

    /// The contents of the `meta` elements of an HTML page, by `name`, `property` or `http-equiv` in lower case.
    ///
    ///     page.meta["description"]
    ///     page.meta["og:image"]
    ///
    /// Of several elements with one name the first counts.
    public var meta: [String: String] {
        Dictionary(metaContents.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    }

    /// The names and contents of all `meta` elements with both, in document order.
    package var metaContents: [(name: String, content: String)] {
        elements(namedOneOf: ["meta"]).compactMap { element in
            guard let content = element["content"],
                let name = element["name"] ?? element["property"] ?? element["http-equiv"]
            else { return nil }
            return (ScalarText.trimmed(name).lowercased(), content)
        }
    }

    /// Returns the elements with one of these local names, in document order, found by the numbers of the names.
    func elements(namedOneOf names: Set<String>) -> some Sequence<XML.Element> {
        let numbers = Set(tree.names.indices.filter { names.contains(tree.names[$0].local) })
        return elements.lazy.filter { numbers.contains(tree.nodes[$0.index].name) }
    }
}
