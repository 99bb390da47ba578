import Foundation

/// The HTML of a page's content.
///
/// Unknown content is an error, so that nothing is left out unseen.
struct ContentText {
    private let references: Node
    private let place: String
    private let archive: Archive

    init(references: Node, place: String, archive: Archive) {
        self.references = references
        self.place = place
        self.archive = archive
    }

    func reference(_ identifier: String) -> Node { references[node: identifier] }

    /// A link to another page; in a list of symbols it shows how that is declared.
    func link(_ identifier: String, _ title: String? = nil, declares: Bool = false) -> String {
        let target = reference(identifier)
        var words = title ?? target["title"].escaped
        let fragments = target[list: "fragments"]
        if title == nil, !fragments.isEmpty {
            words = declares ? fragments.map { $0["text"] }.joined().escaped : target["title"].escaped
            words = "<code>\(words)</code>"
        }
        guard !target["url"].isEmpty else { return words }
        let isOutside = target.type == "link" || target["url"].contains("://")
        let url = isOutside ? target["url"].escaped : archive.link(to: target["url"], from: place)
        return "<a href=\"\(url)\">\(words)</a>"
    }

    func inline(_ nodes: [Node]) throws -> String { try nodes.map(inline).joined() }

    private func inline(_ node: Node) throws -> String {
        let content = try inline(node[list: "inlineContent"])
        switch node.type {
        case "text": return node["text"].escaped
        case "codeVoice": return "<code>\(node["code"].escaped)</code>"
        case "strong": return "<strong>\(content)</strong>"
        case "emphasis", "newTerm": return "<em>\(content)</em>"
        case "superscript": return "<sup>\(content)</sup>"
        case "subscript": return "<sub>\(content)</sub>"
        case "strikethrough": return "<s>\(content)</s>"
        case "reference":
            let own = try inline(node[list: "overridingTitleInlineContent"])
            return link(node["identifier"], own.isEmpty ? nil : own)
        case "link": return "<a href=\"\(node["destination"].escaped)\">\(node["title"].escaped)</a>"
        case "image":
            let image = reference(node["identifier"])
            let source = Archive.relative(
                String(image[list: "variants"].first?["url"].dropFirst() ?? ""), from: place)
            return "<img src=\"\(source.escaped)\" alt=\"\(image["alt"].escaped)\">"
        case let type: throw Pages.Problem(description: "\(place): text of an unknown type, \(type)")
        }
    }

    func blocks(_ nodes: [Node]) throws -> String { try nodes.map { try block($0) + "\n" }.joined() }

    private func block(_ node: Node) throws -> String {
        switch node.type {
        case "paragraph": return "<p>\(try inline(node[list: "inlineContent"]))</p>"
        case "small": return "<p><small>\(try inline(node[list: "inlineContent"]))</small></p>"
        case "heading":
            let level = "h\(node.members["level"] as? Int ?? 2)", anchor = node["anchor"].escaped
            return "<\(level) id=\"\(anchor)\"><a href=\"#\(anchor)\">\(node["text"].escaped)</a></\(level)>"
        case "codeListing":
            let code = node[texts: "code"].joined(separator: "\n")
            // Code in a comment of a source says no language.
            let isSwift = ["swift", ""].contains(node["syntax"])
            return "<pre><code>\(isSwift ? SwiftColors.html(code) : code.escaped)</code></pre>"
        case "unorderedList": return "<ul>\n\(try items(node))</ul>"
        case "orderedList":
            return "<ol start=\"\(node.members["start"] as? Int ?? 1)\">\n\(try items(node))</ol>"
        case "termList":
            let pairs = try node[list: "items"].map { item in
                "<dt>\(try inline(item[node: "term"][list: "inlineContent"]))</dt>"
                    + "<dd>\(try blocks(item[node: "definition"][list: "content"]))</dd>\n"
            }
            return "<dl>\n\(pairs.joined())</dl>"
        case "aside":
            let name = node["name"].isEmpty ? node["style"].capitalized : node["name"]
            return "<aside><p class=\"role\">\(name.escaped)</p>\(try blocks(node[list: "content"]))</aside>"
        case "thematicBreak": return "<hr>"
        case "table": return try table(node)
        case let type: throw Pages.Problem(description: "\(place): a block of an unknown type, \(type)")
        }
    }

    private func items(_ node: Node) throws -> String {
        try node[list: "items"].map { "<li>\(try blocks($0[list: "content"]))</li>\n" }.joined()
    }

    private func table(_ node: Node) throws -> String {
        let rows = node.members["rows"] as? [[[Any]]] ?? []
        var html = "<div class=\"table\"><table>\n"
        for (index, row) in rows.enumerated() {
            let tag = index == 0 && node["header"] != "none" ? "th" : "td"
            let cells = try row.map { cell in
                let nodes = cell.map { Node($0) }
                // A cell is a paragraph as a rule, whose margins would only make the table higher.
                let content =
                    nodes.count == 1 && nodes[0].type == "paragraph"
                    ? try inline(nodes[0][list: "inlineContent"]) : try blocks(nodes)
                return "<\(tag)>\(content)</\(tag)>"
            }
            html += "<tr>\(cells.joined())</tr>\n"
        }
        return html + "</table></div>"
    }
}
