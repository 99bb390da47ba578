import Foundation
import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct CorpusTests {
    @Test(arguments: Fixtures.names("accept"))
    func `well-formed text is read, written and read alike`(_ name: String) throws {
        let json = try JSON(parsing: Fixtures.data("accept", name))
        #expect(try JSON(parsing: json.data()) == json)
        #expect(try JSON(parsing: json.prettyPrinted) == json)
    }

    @Test(arguments: Fixtures.names("refuse"))
    func `PL-91 malformed text is an error with its place`(_ name: String) throws {
        let data = try Fixtures.data("refuse", name)
        let error = #expect(throws: JSONError.self) { try JSON(parsing: data) }
        let place = try #require(error)
        #expect((0...data.count).contains(place.byteOffset))
        #expect(place.line >= 1 && place.column >= 1)
    }

    @Test func `the corpus isn't empty`() {
        #expect(Fixtures.names("accept").count > 30 && Fixtures.names("refuse").count > 60)
    }

    @Test(arguments: Fixtures.names("accept"))
    func `text cut anywhere is an error, or a shorter number`(_ name: String) throws {
        let data = try Fixtures.data("accept", name)
        let whole = try JSON(parsing: data)
        guard whole.kind != .number, data.count < 3000, data.first ?? 0 > 0x20 else { return }
        for length in 0..<data.count {
            let cut = data.prefix(length)
            if let json = try? JSON(parsing: cut) { #expect(json == whole, "\(length) bytes of \(name)") }
        }
    }
}
