import Foundation
import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct ValuesTests {
    let json: JSON = [
        "store": [
            "book": [["title": "A", "price": 8.95], ["title": "B", "price": 12]], "open": true, "none": nil,
        ]
    ]

    @Test func `values are reached by keys, positions and members`() {
        #expect(json["store"]?["book"]?[1]?["title"]?.string == "B")
        #expect(json.store?.book?[-1]?.price?.int == 12)
        #expect(json.store?.open?.bool == true)
        #expect(json.store?.none?.isNull == true)
        #expect(json.store?.missing == nil)
        #expect(json[0] == nil)
        #expect(json.store?.book?[2] == nil)
        #expect(json.store?.book?.array?.count == 2)
        #expect(json.store?.object?.keys.sorted() == ["book", "none", "open"])
        #expect(json.store?.keys == ["book", "open", "none"])
    }

    @Test func `a getter of another kind is nil`() {
        let text: JSON = "7"
        #expect(text.int == nil && text.double == nil && text.bool == nil && text.array == nil)
        #expect(text.object == nil && text.literal == nil && text.decimal == nil)
        #expect(JSON(7).string == nil)
        #expect(text.count == 0 && text.keys.isEmpty && Array(text.elements).isEmpty)
    }

    @Test func `whole numbers are integers however they are written`() throws {
        let json = try JSON(parsing: "[1.0, 1e3, 120e-1, -0, 1.5, 1e30, 1e999999999999999999999]")
        #expect(json.elements.map(\.int) == [1, 1000, 12, 0, nil, nil, nil])
        #expect(json[6]?.double == nil)
    }

    @Test func `PL-92 the literal and decimals keep every digit`() throws {
        let digits = "12345678901234567890.123456789012345678"
        let long = String(repeating: "1234567890", count: 20)
        let json = try JSON(parsing: "[\(digits),\(long)]")
        #expect(json[0]?.literal == digits)
        #expect(json[0]?.decimal?.description == digits)
        #expect(json[1]?.literal == long)
        #expect(json.description == "[\(digits),\(long)]")
    }

    @Test func `a node keeps its document alive`() throws {
        func inner() throws -> JSON? {
            try JSON(parsing: "{\"a\":[1,\"text that is long enough\"]}")["a"]?[1]
        }
        #expect(try inner()?.string == "text that is long enough")
    }

    @Test func `escapes are resolved in strings and keys`() throws {
        let json = try JSON(parsing: #"{"a\n\u00e9":"\ud83d\ude00\"\\\/\b\f\n\r\t\u0000"}"#)
        #expect(json["a\né"]?.string == "😀\"\\/\u{8}\u{C}\n\r\t\u{0}")
    }
}
