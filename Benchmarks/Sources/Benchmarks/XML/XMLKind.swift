/// Kinds of documents that parsers find differently hard.
enum XMLKind: String, CaseIterable {
    case text = "mostly text"
    case attributes = "mostly attributes"
    case elements = "small elements with namespaces"

    /// The element that stands once for each record.
    var record: String {
        switch self {
        case .text: "chapter"
        case .attributes: "row"
        case .elements: "o:item"
        }
    }

    /// A document of about `size` bytes, the same each time.
    func document(size: Int) -> [UInt8] {
        var words = Words()
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        switch self {
        case .text: text += "<book>\n"
        case .attributes: text += "<table>\n"
        case .elements: text += "<o:orders xmlns:o=\"urn:orders\" xmlns:p=\"http://parts.example/2\">\n"
        }
        var number = 0
        while text.utf8.count < size {
            number += 1
            switch self {
            case .text: text += Self.chapter(number, &words)
            case .attributes: text += Self.row(number, &words)
            case .elements: text += Self.item(number, &words)
            }
        }
        switch self {
        case .text: text += "</book>\n"
        case .attributes: text += "</table>\n"
        case .elements: text += "</o:orders>\n"
        }
        return Array(text.utf8)
    }

    private static func chapter(_ number: Int, _ words: inout Words) -> String {
        let paragraphs = (0..<4).map { _ in "  <p>\(words.sentence(60 + words.random(60)))</p>\n" }
        return "<chapter n=\"\(number)\">\n" + paragraphs.joined() + "</chapter>\n"
    }

    private static func row(_ number: Int, _ words: inout Words) -> String {
        "<row id=\"\(number)\" first=\"\(words.next())\" last=\"\(words.next())\" street=\"\(words.sentence(3))\" "
            + "code=\"\(10_000 + words.random(90_000))\" amount=\"\(words.random(9_000)).50\" unit=\"EUR\" "
            + "state=\"open\" note=\"\(words.sentence(4))\" changed=\"2026-01-0\(1 + words.random(9))\"/>\n"
    }

    private static func item(_ number: Int, _ words: inout Words) -> String {
        "<o:item><o:id>\(number)</o:id><p:part><p:code>\(words.random(9_000))</p:code><p:size>\(words.random(90))"
            + "</p:size></p:part><o:name>\(words.next())</o:name><o:flags><o:new/><o:hot/></o:flags></o:item>\n"
    }
}

/// Words that are as random each time.
struct Words {
    private var state: UInt64 = 42
    private static let all = [
        "stone", "river", "über", "light", "garden", "of", "the", "and", "night", "train", "Straße", "window",
        "without", "A&amp;B", "morning", "paper", "café", "between", "a", "voice", "in", "which", "old",
        "house",
    ]

    mutating func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func next() -> String { Self.all[random(Self.all.count)] }

    mutating func sentence(_ count: Int) -> String { (0..<count).map { _ in next() }.joined(separator: " ") }
}
