import Foundation
import SteplineJSON
import SteplineXML

/// Renders parsed or selected values as text, JSON or JSON Lines.
struct Rendering: Sendable {
    let format: FetchFormat

    /// A parsed body: JSON, a feed as JSON, or a document.
    func document(_ value: FlowValue, isFeed: Bool) throws -> Data {
        switch value {
        case .json(let json): isFeed ? feed(json) : document(json)
        case .document(let document): try self.document(document.tree)
        case .bytes(let data, _): data
        }
    }

    /// A JSON document: as text and JSON for people to read, as lines an element each.
    private func document(_ json: JSON) -> Data {
        switch format {
        case .text, .json: Self.lines([json.prettyPrinted])
        case .jsonl: Self.lines((json.array ?? [json]).map(\.description))
        }
    }

    /// The values that a path has found: as text a line each, texts without quotes.
    func found(_ values: [JSON]) throws -> Data {
        switch format {
        case .text: Self.lines(values.map { $0.string ?? $0.description })
        case .json: Self.lines([try JSON(elements: values).prettyPrinted])
        case .jsonl: Self.lines(values.map(\.description))
        }
    }

    /// A document: as text its XML, or what a page shows; else its tree as JSON.
    private func document(_ document: XML.Document) throws -> Data {
        guard format == .text else { return self.document(try JSON(document.root)) }
        guard document.isHTML else { return Self.lines([document.xml]) }
        let shown = try document.query(.strings("//body//text()[not(ancestor::script or ancestor::style)]"))
        return Self.lines(
            shown.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter {
                !$0.isEmpty
            })
    }

    /// A feed: as text a line for each item, with date, title and link; as lines an item each.
    private func feed(_ feed: JSON) -> Data {
        let items = feed["items"]?.array ?? []
        switch format {
        case .text:
            return Self.lines(
                items.map { item in
                    ["date", "title", "link"].map { item[$0]?.string.map(Session.oneLine) ?? "-" }
                        .joined(separator: "\t")
                })
        case .json: return document(feed)
        case .jsonl: return Self.lines(items.map(\.description))
        }
    }

    private static func lines(_ lines: [String]) -> Data {
        Data(lines.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined().utf8)
    }
}

extension JSON {
    /// Creates the tree of an element: name, attributes, and texts and elements in order.
    init(_ element: XML.Element) throws {
        var members: [(key: String, value: JSON)] = [("name", JSON(element.name))]
        let attributes = element.attributes.map { (key: $0.name, value: JSON($0.value)) }
        if !attributes.isEmpty { members.append(("attributes", try JSON(members: attributes))) }
        var children: [JSON] = []
        for node in element.nodes {
            if let child = node.element {
                children.append(try JSON(child))
            } else if node.kind == .text || node.kind == .cdata,
                node.text.contains(where: { !$0.isWhitespace })
            {
                children.append(JSON(node.text))
            }
        }
        if !children.isEmpty { members.append(("children", try JSON(elements: children))) }
        try self.init(members: members)
    }
}
