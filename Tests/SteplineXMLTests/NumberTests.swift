import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct NumberTests {
    private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try XML.Decoder().decode([T].self, from: Data("<r>\n<v>\(text)</v></r>".utf8))[0]
    }

    @Test(arguments: [
        "1,234.56", "12abc", "--", "", " ", "1.2.3", "1 2", "0x10", "1e", "e5", "+", ".", "١٢", "+-5",
        "1_000",
        "1e999", "NaN",
    ])
    func `a text that isn't wholly a Decimal is an error with the text`(text: String) throws {
        let error = #expect(throws: DecodingError.self) { try decode(Decimal.self, text) }
        guard case .dataCorrupted(let context) = error else { return }
        #expect(context.debugDescription.contains("'\(text)'"))
        #expect(context.codingPath.map(\.stringValue) == ["0"])
        #expect((context.underlyingError as? XMLError)?.line == 2)
    }

    @Test(arguments: [
        ("12", "12"), (" -12.50 ", "-12.5"), ("+1", "1"), (".5", "0.5"), ("5.", "5"), ("1.5e3", "1500"),
        ("00012", "12"), ("123456789012345678901234567890.12345", "123456789012345678901234567890.12345"),
    ])
    func `a Decimal is read to the last digit`(text: String, value: String) throws {
        #expect(try decode(Decimal.self, text).description == value)
    }

    @Test(arguments: ["0x1p3", "0x10", "1e999", "nan(0x1)", "1,5", "12abc", "+-5", "--5", "", "infinit"])
    func `a text that isn't wholly a Double is an error`(text: String) {
        #expect(throws: DecodingError.self) { try decode(Double.self, text) }
        #expect(throws: DecodingError.self) { try decode(Float.self, text) }
        #expect(throws: DecodingError.self) { try decode(Int.self, text) }
    }

    @Test func `numbers are read as XML Schema writes them`() throws {
        #expect(try decode(Double.self, " 1.5E-3\n") == 0.0015)
        #expect(try decode(Double.self, "INF") == .infinity && decode(Double.self, "-INF") == -.infinity)
        #expect(try decode(Double.self, "NaN").isNaN)
        #expect(try decode(Double.self, "+5.") == 5 && decode(Double.self, "1e-400") == 0)
        #expect(try decode(Int.self, "+5") == 5)
        let root = try XML.Document(string: "<a n='0x10' m='7'/>").root
        #expect(root["n", as: Double.self] == nil && root["m", as: Double.self] == 7)
    }
}
