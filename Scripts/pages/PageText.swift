import Foundation

/// The HTML of a page.
struct PageText {
    private let page: Archive.Page
    private let place: String
    private let archive: Archive
    private let text: ContentText

    init(_ page: Archive.Page, at place: String, in archive: Archive) {
        self.page = page
        self.place = place
        self.archive = archive
        text = ContentText(references: page.node[node: "references"], place: place, archive: archive)
    }

    var html: String {
        get throws {
            let metadata = page.node[node: "metadata"]
            var body = "<h1>\(SwiftColors.breakable(page.title))</h1>\n"
            if !metadata["roleHeading"].isEmpty, !page.isStart {
                body = "<p class=\"role\">\(metadata["roleHeading"].escaped)</p>\n" + body
            }
            let abstract = try text.inline(page.node[list: "abstract"])
            if !abstract.isEmpty { body += "<p class=\"abstract\">\(abstract)</p>\n" }
            for section in page.node[list: "primaryContentSections"] { body += try primary(section) }
            body += try links(under: "relationshipsSections")
            body += try links(under: "topicSections", "Topics")
            body += try links(under: "defaultImplementationsSections", "Default Implementations")
            body += try links(under: "seeAlsoSections", "See Also")
            return Frame.html(title: page.title, place: place, path: path, body: body)
        }
    }

    /// The pages above this one, the uppermost first.
    private var path: [(title: String, link: String)] {
        let first = page.node[node: "hierarchy"].members["paths"] as? [[String]] ?? []
        return (first.first ?? []).compactMap { identifier in
            let above = text.reference(identifier)
            guard !above["url"].isEmpty, above["url"].lowercased() != Archive.start else { return nil }
            return (above["title"], archive.link(to: above["url"], from: place))
        }
    }

    private func primary(_ section: Node) throws -> String {
        switch section["kind"] {
        case "declarations":
            return section[list: "declarations"].map { declaration in
                let code = declaration[list: "tokens"].map(token).joined()
                return "<pre class=\"declaration\"><code>\(code)</code></pre>\n"
            }.joined()
        case "parameters":
            let items = try section[list: "parameters"].map { parameter in
                "<dt><code>\(parameter["name"].escaped)</code></dt>"
                    + "<dd>\(try text.blocks(parameter[list: "content"]))</dd>"
            }
            return "<h2>Parameters</h2>\n<dl>\(items.joined(separator: "\n"))</dl>\n"
        case "content":
            return try text.blocks(section[list: "content"])
        case "mentions":
            let items = section[texts: "mentions"].map { "<li>\(text.link($0))</li>" }
            return "<h2>Mentioned In</h2>\n<ul>\(items.joined(separator: "\n"))</ul>\n"
        case let kind:
            throw Pages.Problem(description: "\(page.url) has a section of an unknown kind, \(kind)")
        }
    }

    private func token(_ token: Node) -> String {
        let code = token["text"].escaped
        let known = text.reference(token["identifier"])
        if !known["url"].isEmpty {
            return "<a href=\"\(archive.link(to: known["url"], from: place))\">\(code)</a>"
        }
        switch token["kind"] {
        case "keyword", "attribute": return "<b>\(code)</b>"
        case "string", "number": return "<i>\(code)</i>"
        default: return code
        }
    }

    /// Lists of pages that belong to this one.
    private func links(under name: String, _ heading: String? = nil) throws -> String {
        let sections = page.node[list: name]
        guard !sections.isEmpty else { return "" }
        var html = heading.map { "<h2>\($0)</h2>\n" } ?? ""
        for section in sections {
            let title = section["title"].escaped
            html += heading == nil ? "<h2>\(title)</h2>\n" : "<h3>\(title)</h3>\n"
            html += try text.blocks(section[node: "discussion"][list: "content"])
            html += "<dl class=\"links\">\n"
            for identifier in section[texts: "identifiers"] {
                let abstract = try text.inline(text.reference(identifier)[list: "abstract"])
                html += "<dt>\(text.link(identifier, declares: true))</dt><dd>\(abstract)</dd>\n"
            }
            html += "</dl>\n"
        }
        return html
    }
}
