import Foundation
import SteplineXML
import TestSupport
import Testing

/// Whole feeds under `Fixtures/feeds/documents`, each beside all that is to be read of it (Feeds.md).
///
/// `river-rss.expected` says of `river-rss.xml` what each property of the feed holds, a line each: `path = value`,
/// where the path is that in the feed's JSON, and `\n` is a line end. A property that isn't named must be nil or empty.
@Suite("Feeds: whole documents", .timeLimit(.minutes(5)))
struct FeedDocumentTests {
    static let names = ["river-rss", "library-rdf", "hills-atom", "old-atom03", "show-podcast"]

    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: Fixture.feeds.appending(path: "documents/\(name).xml"))
    }

    static func feed(_ name: String) throws -> Feed {
        try Feed(data: try data(name), base: FeedCaseTests.base)
    }

    /// Returns all properties of a feed that hold anything, as `path = value`.
    static func lines(_ feed: Feed) throws -> Set<String> {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            let isWhole = date.timeIntervalSince1970.rounded() == date.timeIntervalSince1970
            try container.encode(
                date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole)))
        }
        var lines: Set<String> = []
        func add(_ value: Any, _ path: String) {
            switch value {
            case let members as [String: Any]:
                for (key, value) in members { add(value, path.isEmpty ? key : "\(path).\(key)") }
            case let elements as [Any]:
                for (place, value) in elements.enumerated() { add(value, "\(path).\(place)") }
            default:
                let text = (value as? String) ?? (value as? NSNumber).map { "\($0)" } ?? "\(value)"
                lines.insert(
                    "\(path) = \(text.replacing("\n", with: "\\n"))".trimmingCharacters(in: .whitespaces))
            }
        }
        add(try JSONSerialization.jsonObject(with: try encoder.encode(feed)), "")
        return lines
    }

    private func expected(_ name: String) throws -> Set<String> {
        let text = String(decoding: try Fixture.feedData("documents/\(name).expected"), as: UTF8.self)
        return Set(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                $0.trimmingCharacters(in: .whitespaces)
            })
    }

    @Test("each property holds what the document says, and no other one holds anything", arguments: names)
    func properties(name: String) throws {
        let (found, expected) = (try Self.lines(try Self.feed(name)), try expected(name))
        #expect(expected.count > 30)
        let missing = expected.subtracting(found).sorted().joined(separator: "\n")
        let unexpected = found.subtracting(expected).sorted().joined(separator: "\n")
        #expect(missing.isEmpty && unexpected.isEmpty, "missing:\n\(missing)\nunexpected:\n\(unexpected)")
    }

    @Test("a feed is equal to itself read again and to itself from its JSON", arguments: names)
    func equality(name: String) throws {
        let feed = try Self.feed(name)
        let again = try Self.feed(name)
        #expect(again == feed && again.hashValue == feed.hashValue)
        #expect(try JSONDecoder().decode(Feed.self, from: try JSONEncoder().encode(feed)) == feed)
    }

    @Test(
        "a feed reads the same in every encoding",
        arguments: names, [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf8, .windowsCP1252])
    func encodings(name: String, encoding: String.Encoding) throws {
        let data = try Self.data(name)
        let isLatin = data.starts(with: Data("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"".utf8))
        var text = try #require(String(data: data, encoding: isLatin ? .isoLatin1 : .utf8))
        let end = try #require(text.firstRange(of: "?>"))
        let (label, mark): (String, [UInt8]) =
            switch encoding {
            case .utf16LittleEndian: ("UTF-16", [0xFF, 0xFE])
            case .utf16BigEndian: ("UTF-16", [0xFE, 0xFF])
            case .windowsCP1252: ("windows-1252", [])
            default: ("UTF-8", [0xEF, 0xBB, 0xBF])
            }
        text.replaceSubrange(..<end.lowerBound, with: "<?xml version=\"1.0\" encoding=\"\(label)\"")
        let encoded = Data(mark) + (try #require(text.data(using: encoding)))
        let feed = try Feed(data: encoded, base: FeedCaseTests.base)
        #expect(try Self.lines(feed) == (try expected(name)))
        // The label of a transport goes before that of the document.
        guard encoding == .utf8 else { return }
        var options = XML.Options()
        options.charset = "UTF-8"
        let wrong = text.replacing("encoding=\"UTF-8\"", with: "encoding=\"ISO-8859-1\"")
        #expect(try Feed(data: Data(wrong.utf8), base: FeedCaseTests.base, options: options) == feed)
    }

    @Test(
        "without a base only relative links differ",
        arguments: names)
    func noBase(name: String) throws {
        let (with, without) = (try Self.feed(name), try Feed(data: try Self.data(name)))
        #expect(without.title == with.title && without.items.map(\.title) == with.items.map(\.title))
        #expect(
            without.items.map(\.date) == with.items.map(\.date)
                && without.items.map(\.id) == with.items.map(\.id))
        #expect(without.items.map(\.content?.plain) == with.items.map(\.content?.plain))
        let address = try Self.lines(without).first { $0.contains("feeds.example") }
        #expect(address == nil)
    }

    @Test("a document that is cut off is refused, and a lenient parser reads its beginning", arguments: names)
    func cut(name: String) throws {
        let data = try Self.data(name)
        let whole = try Self.feed(name)
        var lenient = XML.Options()
        lenient.isLenient = true
        var counts: [Int] = []
        for length in stride(from: data.count - 12, to: 0, by: -97) {
            let part = data.prefix(length)
            // A cut behind the colon of a prefix: see FeedVariationTests.
            if part.last == UInt8(ascii: ":") { continue }
            let error = #expect(throws: XMLError.self) { try Feed(data: part, base: FeedCaseTests.base) }
            #expect(
                [.truncated, .malformed, .empty, .noFeed].contains(error?.code), "\(length): \(error as Any)")
            do {
                let feed = try Feed(data: part, base: FeedCaseTests.base, options: lenient)
                #expect(
                    feed.format == whole.format && feed.items.count <= whole.items.count
                        && !feed.mended.isEmpty)
                counts.append(feed.items.count)
            } catch {
                #expect(
                    [.truncated, .malformed, .empty, .noFeed].contains(error.code), "\(length): \(error)")
            }
        }
        #expect(counts == counts.sorted(by: >) && counts.first == whole.items.count)
    }

    @Test("an unknown element of an item is an extension, and changes nothing else", arguments: names)
    func unknownElements(name: String) throws {
        let data = try Self.data(name)
        let isLatin = name == "library-rdf"
        let text = try #require(String(data: data, encoding: isLatin ? .isoLatin1 : .utf8))
        let tag = text.contains("</entry>") ? "</entry>" : "</item>"
        let added = text.replacing(
            tag, with: "<y:new xmlns:y='urn:y' a='1'>text<y:inner/><title>No title</title></y:new>\(tag)")
        let feed = try Feed(
            data: try #require(added.data(using: isLatin ? .isoLatin1 : .utf8)), base: FeedCaseTests.base)
        let whole = try Self.feed(name)
        #expect(feed.items.count == whole.items.count)
        for (item, before) in zip(feed.items, whole.items) {
            let new = try #require(item.extensions.last)
            #expect(new.name == "new" && new.namespace == "urn:y" && new.attributes == ["a": "1"])
            #expect(new.children.map(\.name) == ["inner", "title"])
            var rest = item
            rest.extensions.removeLast()
            #expect(rest == before)
        }
    }
}
