import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct DecoderTests {
    struct Item: Decodable, Equatable {
        enum Kind: String, Decodable { case book, film }

        struct Price: Decodable, Equatable {
            let currency: String
            let amount: Decimal

            enum CodingKeys: String, CodingKey {
                case currency
                case amount = "#text"
            }
        }

        let id: Int
        let kind: Kind
        let title: String
        let price: Price?
        let tags: [String]
        let note: String?
        let pages: Int?
        let isNew: Bool?
        let date: Date?

        enum CodingKeys: String, CodingKey {
            case id, kind, title, price, note, pages, date
            case tags = "tags/tag"
            case isNew = "@new"
        }
    }

    struct Catalogue: Decodable, Equatable {
        let item: [Item]
    }

    @Test func `PL-101 elements, attributes, lists, options and enums`() throws {
        let source = """
            <c><item id="1" new="1"><kind>book</kind><title>A &amp; B</title><price currency="EUR"> 12.50 </price>
            <tags><tag>x</tag><tag>y</tag></tags><pages/><date>2024-02-29</date></item>
            <item id="2" kind="film"><title/><note>n</note></item></c>
            """
        let catalogue = try XML.Decoder().decode(Catalogue.self, from: Data(source.utf8))
        #expect(catalogue.item.count == 2)
        let (first, second) = (catalogue.item[0], catalogue.item[1])
        #expect(first.id == 1 && first.kind == .book && first.title == "A & B" && first.tags == ["x", "y"])
        #expect(first.price == Item.Price(currency: "EUR", amount: Decimal(string: "12.5") ?? 0))
        #expect(first.pages == nil && first.isNew == true && first.note == nil)
        #expect(first.date == Date(timeIntervalSince1970: 1_709_164_800))
        #expect(second.kind == .film && second.title.isEmpty && second.tags.isEmpty && second.note == "n")
        #expect(try XML.Decoder().decode(Catalogue.self, from: Data("<c/>".utf8)).item.isEmpty)
        #expect(
            try XML.Decoder().decode(Int.self, from: Data("<a><b>1</b><b>2</b></a>".utf8), at: "//b[2]") == 2)
        #expect(try XML.Decoder().decode([Int].self, from: Data("<a><b>1</b><b>2</b></a>".utf8)) == [1, 2])
    }

    @Test func `PL-101 a wrong shape is an error with path and line`() throws {
        func failure(_ source: String) throws -> (String, Int?) {
            do {
                _ = try XML.Decoder().decode(Catalogue.self, from: Data(source.utf8))
            } catch let error as DecodingError {
                let context =
                    switch error {
                    case .typeMismatch(_, let context), .valueNotFound(_, let context),
                        .keyNotFound(_, let context),
                        .dataCorrupted(let context):
                        context
                    @unknown default: throw error
                    }
                let path = context.codingPath.map(\.stringValue).joined(separator: ".")
                return (path, (context.underlyingError as? XMLError)?.line)
            }
            return ("", nil)
        }
        #expect(try failure("<c>\n<item id='x' kind='film' title='t'/></c>") == ("item.0.id", 2))
        #expect(
            try failure(
                "<c>\n<item id='1' kind='film' title='t'/>\n<item id='1' title='t'>\n<kind>x</kind></item></c>"
            ) == ("item.1.kind", 4))
        #expect(try failure("<c>\n<item id='1' kind='film'/></c>") == ("item.0", 2))
        #expect(
            try failure("<c>\n<item id='1' kind='film' title=''>\n<date>soon</date></item></c>") == (
                "item.0.date", 3
            ))
    }

    @Test func `key strategies, wrapped lists and repetition`() throws {
        struct Row: Decodable { let firstName: String; let lines: [Int] }
        var decoder = XML.Decoder()
        decoder.keyStrategy = .kebabCase
        decoder.wrappedLists = ["lines": "line"]
        let source = "<r><first-name>A</first-name><lines><line>1</line><line>2</line></lines></r>"
        #expect(try decoder.decode(Row.self, from: Data(source.utf8)).lines == [1, 2])
        decoder.refusesRepetition = true
        struct One: Decodable { let a: Int }
        #expect(throws: DecodingError.self) {
            try decoder.decode(One.self, from: Data("<r><a>1</a><a>2</a></r>".utf8))
        }
        decoder.refusesRepetition = false
        #expect(try decoder.decode(One.self, from: Data("<r><a>1</a><a>2</a></r>".utf8)).a == 1)
    }

    @Test func `mixed content keeps its order`() throws {
        enum Part: Decodable, Equatable {
            case text(String), b(String), i(String)

            enum CodingKeys: String, CodingKey { case text = "#text", b, i }
        }
        struct Paragraph: Decodable {
            let parts: [Part]

            enum CodingKeys: String, CodingKey { case parts = "#content" }
        }
        let paragraph = try XML.Decoder().decode(
            Paragraph.self, from: Data("<p>a<b>c</b> d<i>e</i></p>".utf8))
        #expect(paragraph.parts == [.text("a"), .b("c"), .text(" d"), .i("e")])
    }

    @Test func `dictionaries and nil marks`() throws {
        let all = try XML.Decoder().decode([String: String].self, from: Data("<r a='1'><b>2</b></r>".utf8))
        #expect(all == ["a": "1", "b": "2"])
        struct One: Decodable { let a: String? }
        let source = "<r xmlns:x='http://www.w3.org/2001/XMLSchema-instance'><a x:nil='true'/></r>"
        #expect(try XML.Decoder().decode(One.self, from: Data(source.utf8)).a == nil)
    }
}
