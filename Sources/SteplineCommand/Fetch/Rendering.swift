import Foundation
import SteplineJSON
import SteplineXML

/// Renders parsed or selected values as text, JSON or JSON Lines.
struct Rendering: Sendable {
    let format: FetchFormat

    /// Renders a JSON document: indented for text and JSON, one element per line for JSON Lines.
    func document(_ json: JSON) -> Data {
        switch format {
        case .text, .json: Self.lines([json.prettyPrinted])
        case .jsonl: Self.lines((json.array ?? [json]).map(\.description))
        }
    }

    /// Renders the values found by a JSONPath: as text one per line, strings without quotes.
    func found(_ values: [JSON]) throws -> Data {
        switch format {
        case .text: Self.lines(values.map { $0.string ?? $0.description })
        case .json: Self.lines([try JSON(elements: values).prettyPrinted])
        case .jsonl: Self.lines(values.map(\.description))
        }
    }

    /// Renders the strings found by an XPath.
    func found(_ texts: [String]) throws -> Data {
        format == .text ? Self.lines(texts) : try found(texts.map { JSON($0) })
    }

    /// Renders an XML or HTML document: as text its XML or the visible text, otherwise its tree as JSON.
    func document(_ document: XML.Document) throws -> Data {
        guard format == .text else { return self.document(try JSON(document.root)) }
        guard document.isHTML else { return Self.lines([document.xml]) }
        let shown = try document.query(.strings("//body//text()[not(ancestor::script or ancestor::style)]"))
        return Self.lines(
            shown.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter {
                !$0.isEmpty
            })
    }

    /// Renders a feed: as text a line with date, title and link for each item; as JSON Lines an item per line.
    func document(_ feed: Feed) throws -> Data {
        switch format {
        case .text:
            Self.lines(
                feed.items.map { item in
                    let date = item.date.map { $0.formatted(.iso8601) } ?? "-"
                    let title = item.title.map(Session.oneLine) ?? "-"
                    return [date, title, item.link?.absoluteString ?? "-"].joined(separator: "\t")
                })
        case .json: document(try Self.json(feed))
        case .jsonl: Self.lines(try feed.items.map { try Self.json($0).description })
        }
    }

    /// Encodes a feed or an item as JSON with ISO 8601 dates.
    static func json(_ value: some Encodable) throws -> JSON {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try JSON(encoding: value, with: encoder)
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
