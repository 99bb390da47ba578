import Foundation
import Stepline
import Testing

@Suite("XML steps: queries and decoding", .timeLimit(.minutes(5)))
struct XMLQueryStepTests {
    private static let text = """
        <catalogue xmlns:m="urn:meta">
          <item id="1" m:rank="7"><title>First</title><price>12.5</price></item>
          <m:item id="2"><title>Second</title></m:item>
        </catalogue>
        """

    private func result<R>(_ step: XMLQueryStep<R>) async throws -> R {
        var bag = Content()
        bag.bodyObject = try XML.Document(string: Self.text)
        return try await step.copysOutput(of: bag)
    }

    @Test("PL-99: names have prefix and namespace, and queries name prefixes by the step's own namespaces")
    func namespaces() async throws {
        let found = try await result(XMLQueryStep(.elements("//q:item"), namespaces: ["q": "urn:meta"]))
        #expect(found.map { $0["id"] } == ["2"])
        #expect(found[0].prefix == "m" && found[0].localName == "item" && found[0].namespace == "urn:meta")
        let rank = try #require(try await result(XMLQueryStep(.first("//item")))?.attribute("m:rank"))
        #expect(rank.prefix == "m" && rank.namespace == "urn:meta" && rank.value == "7")
        #expect(
            try await result(XMLQueryStep(.string("//@q:rank"), namespaces: ["q": "urn:meta"])) == "7")
        #expect(
            try await result(XMLQueryStep(.strings("//item[@id = $id]/title"), variables: ["id": 1]))
                == ["First"])
    }

    @Test("PL-99: an unbound prefix and a syntax error fail at the check, with their place, and nothing runs")
    func checked() async throws {
        var bag = Content()
        bag.bodyObject = try XML.Document(string: Self.text)
        let unbound = try XMLQueryStep(.strings("//q:item")).findings(bag)
        #expect(unbound.count == 1 && unbound[0].contains("column 3"), "\(unbound)")
        let wrong = try XMLQueryStep(.strings("//item[")).findings(bag)
        #expect(wrong.count == 1 && wrong[0].contains("column "), "\(wrong)")
        #expect(try XMLQueryStep(.strings("//q:item"), namespaces: ["q": "urn:meta"]).findings(bag).isEmpty)
        let pipeline = Pipeline(content: bag)
        try pipeline.addStep(XMLQueryStep(.strings("//item[")))
        #expect(throws: PipelineError.self) { try pipeline.start() }
        let data = try SteplineStepsTests.bag(Self.text)
        #expect(try XMLDecodeStep<String>(at: "//q:item").findings(data).count == 1)
        let bound = XMLDecodeStep<String>(at: "//q:item/title", namespaces: ["q": "urn:meta"])
        #expect(try bound.findings(data).isEmpty)
        #expect(try await bound.copysOutput(of: data) == "Second")
    }

    @Test("PL-100: results have their types, in document order; no match is empty or nil")
    func results() async throws {
        #expect(try await result(XMLQueryStep(.strings("//title"))) == ["First", "Second"])
        #expect(
            try await result(XMLQueryStep(.elements("//price | //title"))).map(\.name) == [
                "title", "price", "title",
            ])
        #expect(try await result(XMLQueryStep(.first("//title")))?.text == "First")
        #expect(try await result(XMLQueryStep(.number("count(//title) + 1"))) == 3)
        #expect(try await result(XMLQueryStep(.bool("//price > 12"))))
        #expect(try await result(XMLQueryStep(.strings("//none"))) == [])
        #expect(try await result(XMLQueryStep(.first("//none"))) == nil)
        #expect(try await result(XMLQueryStep(.string("//none"))) == nil)
        #expect(try await result(XMLQueryStep(.number("//none"))) == nil)
    }

    @Test("PL-100: a runaway query ends in a limit")
    func runaway() async throws {
        let items = String(repeating: "<a/>", count: 2_000)
        var options = XML.Options()
        options.maximumQueryOperations = 100_000
        var bag = Content()
        bag.bodyObject = try XML.Document(string: "<r>\(items)</r>", options: options)
        let query = XMLQueryStep(.number("count(//a[count(//a[count(//a) > 1]) > 1])"))
        let error = try await query.failure(on: bag).error as? XMLError
        #expect(error?.code == .limit && error?.limit == .queryOperations)
    }

    private struct Item: Decodable, Hashable {
        enum Kind: String, Decodable { case book, film }

        var id: Int
        var kind: Kind
        var day: Date?
        var isNew: Bool
        var tag: [String]
        var note: String?
        var price: Double?
    }

    private static let items = """
        <items><item id="1" kind="film"><isNew>true</isNew><day>2024-02-29T12:00:00Z</day>
        <tag>a</tag><tag>b</tag><price/></item>
        <item id="2" kind="book"><isNew>0</isNew><note>n</note><price>2.5</price></item>
        <item id="3" kind="poem"><isNew>0</isNew></item></items>
        """

    @Test(
        "PL-101: elements, attributes, lists, absent and empty values, numbers, Bools, dates and enums are decoded"
    )
    func decoding() async throws {
        let bag = try bag(Self.items)
        let first = try await XMLDecodeStep<Item>(at: "//item[1]").output(of: bag)
        let day = try Date("2024-02-29T12:00:00Z", strategy: .iso8601)
        #expect(
            first == Item(id: 1, kind: .film, day: day, isNew: true, tag: ["a", "b"], note: nil, price: nil))
        let second = try await XMLDecodeStep<Item>(at: "//item[2]").copysOutput(of: bag)
        #expect(
            second == Item(id: 2, kind: .book, day: nil, isNew: false, tag: [], note: "n", price: 2.5))
    }

    @Test("PL-101: a wrong shape is a decoding error with its path, and the line in the XML error beneath")
    func wrongShape() async throws {
        struct Items: Decodable { var item: [Item] }
        let (cause, _) = try await XMLDecodeStep<Items>().failure(on: bag(Self.items))
        guard case .dataCorrupted(let context) = cause as? DecodingError else {
            throw Unexpected(text: "\(cause)")
        }
        #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == "item.2.kind")
        #expect((context.underlyingError as? XMLError)?.line == 4)
    }

    @Test("PL-101: nothing at the path is an error, or nil for an Optional")
    func nothing() async throws {
        let bag = try bag(Self.items)
        #expect(try await XMLDecodeStep<Item?>(at: "//none").output(of: bag) == nil)
        #expect(try await XMLDecodeStep<Item?>(at: "//item[2]").output(of: bag)?.id == 2)
        #expect(try await XMLDecodeStep<Item>(at: "//none").failure(on: bag).error is DecodingError)
    }

    @Test("Feeds of both kinds are read, links relative to where they came from; anything else is no feed")
    func feeds() async throws {
        let atom = try await FeedStep().copysOutput(of: bag(Files.fixture("xml/feed-atom.xml")))
        #expect(atom.format == .atom && !atom.items.isEmpty)
        let rss = try Files.fixture("xml/feed-rss.xml")
        let loaded = try bag(rss, contentType: "application/rss+xml", url: "https://b.example/feeds/1")
        #expect(
            try await FeedStep().output(of: loaded).items[0].enclosures[0].url.absoluteString
                == "https://b.example/sound.mp3")
        let base = URL(string: "https://c.example/")
        #expect(
            try await FeedStep(base: base).copysOutput(of: loaded).items[0].enclosures[0].url.absoluteString
                == "https://c.example/sound.mp3")
        #expect(try await (FeedStep().failure(on: bag("<a/>")).error as? XMLError)?.code == .noFeed)
    }
}
