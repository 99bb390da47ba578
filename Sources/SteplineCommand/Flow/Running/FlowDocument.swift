import Foundation
import SteplineXML

/// An XML or HTML document with its source bytes, which are stored because a tree can't be written without loss.
struct FlowDocument: Sendable {
    let tree: XML.Document
    private let source: Data
    private let charset: String?
    private let isHTML: Bool

    init(_ source: Data, charset: String?, isHTML: Bool) throws {
        var options = XML.Options()
        options.charset = charset
        tree =
            try isHTML
            ? XML.Document(html: source, options: options) : XML.Document(data: source, options: options)
        self.source = source
        self.charset = charset
        self.isHTML = isHTML
    }
}

extension FlowDocument {
    /// The approximate size in memory; a tree is several times as large as its source.
    var size: Int { 8 * source.count }
}

extension FlowDocument: Codable {
    private enum Key: CodingKey {
        case source, charset, isHTML
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try self.init(
            container.decode(Data.self, forKey: .source),
            charset: container.decodeIfPresent(String.self, forKey: .charset),
            isHTML: container.decode(Bool.self, forKey: .isHTML))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(source, forKey: .source)
        try container.encodeIfPresent(charset, forKey: .charset)
        try container.encode(isHTML, forKey: .isHTML)
    }
}
