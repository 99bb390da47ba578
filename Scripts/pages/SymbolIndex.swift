/// A page with every type of every module, to be searched with the browser's own search.
struct SymbolIndex {
    private let archive: Archive
    private static let kinds = [
        "class", "struct", "enum", "protocol", "typealias", "func", "var", "macro", "actor",
    ]

    init(_ archive: Archive) { self.archive = archive }

    var html: String {
        var body = "<h1>All symbols</h1>\n"
        for module in archive.modules {
            let symbols = symbols(of: module).sorted { ($0.title, $0.url) < ($1.title, $1.url) }
            guard !symbols.isEmpty else { continue }
            let link = archive.link(to: module.url, from: "symbols.html")
            body += "<h2><a href=\"\(link)\">\(module.title.escaped)</a></h2>\n<ul class=\"symbols\">\n"
            for symbol in symbols {
                let link = archive.link(to: symbol.url, from: "symbols.html")
                body +=
                    "<li><a href=\"\(link)\"><code>\(SwiftColors.breakable(symbol.title))</code></a></li>\n"
            }
            body += "</ul>\n"
        }
        return Frame.html(title: "All symbols", place: "symbols.html", path: [], body: body)
    }

    private func symbols(of module: Archive.Page) -> [Archive.Page] {
        archive.pages.filter { page in
            let kind = page.node[node: "metadata"]["symbolKind"]
            return page.url.hasPrefix(module.url + "/") && Self.kinds.contains(kind)
        }
    }
}
