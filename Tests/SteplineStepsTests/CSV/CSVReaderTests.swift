import Foundation
import Stepline
import Testing

@Suite("CSV: reading", .timeLimit(.minutes(5)))
struct CSVReaderTests {
    private static func read(_ text: [UInt8], pieces: Int, _ format: CSVFormat = .init()) throws
        -> [CSVRecord]
    {
        let reader = CSVReader(format: format)
        var records: [CSVRecord] = []
        for place in stride(from: 0, to: text.count, by: pieces) {
            try reader.read(Data(text[place..<min(text.count, place + pieces)])) { records.append($0) }
        }
        try reader.finish { records.append($0) }
        return records
    }

    @Test(
        "Quotes, separators and line ends in fields, and every kind of line end, however the bytes are cut",
        arguments: [1, 2, 3, 5, 1000])
    func fields(pieces: Int) throws {
        let text = "\u{FEFF}name,\"say, \"\"hi\"\"\",n\r\nZürich,\"a\r\nb\",1\n\"\",  ,\"\"\"\"\r\r\n\n東京,x,"
        let records = try Self.read(Array(text.utf8), pieces: pieces)
        #expect(records.map(\.fields) == [["Zürich", "a\r\nb", "1"], ["", "  ", "\""], ["東京", "x", ""]])
        #expect(records.first?.names == ["name", "say, \"hi\"", "n"])
        #expect(records.map(\.line) == [2, 4, 7])
        #expect(records[2]["name"] == "東京" && records[2]["other"] == nil && records[2][3] == nil)
    }

    @Test(
        "Without a header fields are named by position; separators are what the format or the first line says"
    )
    func formats() throws {
        let semicolons = CSVFormat(separator: ";", hasHeader: false)
        let records = try Self.read(Array("a;1,5\nb;2".utf8), pieces: 3, semicolons)
        #expect(records.map(\.fields) == [["a", "1,5"], ["b", "2"]] && records[0]["1"] == "1,5")
        let named = try Self.read(Array("sep=;\r\nx;y\r\n1;2\r\n".utf8), pieces: 4)
        #expect(named.map(\.fields) == [["1", "2"]] && named[0]["y"] == "2")
        #expect(try Self.read(Array("sep=,\nx,y\n1,2".utf8), pieces: 100).map(\.fields) == [["1", "2"]])
        // That is a record, whose first field is empty.
        let record = try Self.read(Array(",sep=\n1,2".utf8), pieces: 100)
        #expect(record.map(\.fields) == [["1", "2"]] && record.map(\.names) == [["", "sep="]])
        #expect(try Self.read(Array("a\tb\n1\t2".utf8), pieces: 9, CSVFormat(separator: "\t"))[0]["b"] == "2")
        #expect(try Self.read([], pieces: 1).isEmpty && Self.read(Array("a,b\n".utf8), pieces: 1).isEmpty)
    }

    @Test(
        "malformed CSV is an error with its line and column",
        arguments: [
            ("a,b\n1,2,3\n", CSVError.Code.wrongFieldCount, 2, 3), ("a,b\n1\n", .wrongFieldCount, 2, 1),
            ("a,b\n1,\"x\n", .unexpectedEnd, 2, 3), ("a,b\nü,x\"y\n", .unexpectedQuote, 2, 4),
            ("a,b\n1,\"x\"y\n", .unexpectedQuote, 2, 6), ("a,a\n1,2\n", .duplicateName, 1, 3),
            ("a,b\n\"1\n2\",3\n4\n", .wrongFieldCount, 4, 1),
            // Quotes that aren't balanced.
            ("\"", .unexpectedEnd, 1, 1), ("a\n\"\"\"", .unexpectedEnd, 2, 1),
            ("a,b\n1,2\n\"3,4\n5,6\n", .unexpectedEnd, 3, 1), ("a\n\"1\" \n", .unexpectedQuote, 2, 4),
            ("a\n1\"\n", .unexpectedQuote, 2, 2), ("a\n \"1\"\n", .unexpectedQuote, 2, 2),
            ("a\n\"1\"\"\n", .unexpectedEnd, 2, 1), ("a\r\"1\"x", .unexpectedQuote, 2, 4),
        ] as [(String, CSVError.Code, Int, Int)])
    func malformed(text: String, code: CSVError.Code, line: Int, column: Int) {
        for pieces in [1, 2, 1000] {
            let error = #expect(throws: CSVError.self) { try Self.read(Array(text.utf8), pieces: pieces) }
            #expect(error?.code == code && error?.line == line && error?.column == column)
        }
    }

    @Test("An impossible separator is an error")
    func separators() {
        for separator: Character in ["\"", "\n", "é", "\r\n"] {
            let error = #expect(throws: CSVError.self) {
                try Self.read([0x61], pieces: 1, CSVFormat(separator: separator))
            }
            #expect(error?.code == .invalidFormat)
        }
    }

    @Test("After an error the reader throws it again")
    func afterwards() {
        let reader = CSVReader()
        #expect(throws: CSVError.self) { try reader.read(Data("a\nx\"\n".utf8)) { _ in } }
        #expect(throws: CSVError.self) { try reader.read(Data("1\n".utf8)) { _ in } }
        #expect(throws: CSVError.self) { try reader.finish { _ in } }
    }
}
