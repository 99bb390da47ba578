import Foundation
import Stepline
import TestSupport
import Testing

@Suite("CSV: hostile input", .timeLimit(.minutes(5)))
struct CSVHostilityTests {
    private static func read(_ bytes: [UInt8], pieces: Int = 1 << 16, _ format: CSVFormat = .init()) throws
        -> [[String]]
    {
        let reader = CSVReader(format: format)
        var records: [[String]] = []
        for place in stride(from: 0, to: bytes.count, by: pieces) {
            try reader.read(Data(bytes[place..<min(bytes.count, place + pieces)])) {
                records.append($0.fields)
            }
        }
        try reader.finish { records.append($0.fields) }
        return records
    }

    private static func read(_ text: String, pieces: Int = 1 << 16) throws -> [[String]] {
        try read(Array(text.utf8), pieces: pieces)
    }

    @Test("Lines that end with CR alone, with CR LF and LF mixed", arguments: [1, 2, 1000])
    func lineEnds(pieces: Int) throws {
        #expect(try Self.read("a,b\r1,2\r3,4", pieces: pieces) == [["1", "2"], ["3", "4"]])
        #expect(try Self.read("a\r\r\r\n\n1\r\n2\r3\n\r", pieces: pieces) == [["1"], ["2"], ["3"]])
        #expect(try Self.read("a\n\"\r\"\r\"\n\"\n\"\r\n\"", pieces: pieces) == [["\r"], ["\n"], ["\r\n"]])
    }

    @Test("A byte order mark is passed only at the start; elsewhere it is text", arguments: [1, 2, 1000])
    func marks(pieces: Int) throws {
        #expect(
            try Self.read("\u{FEFF}\"a\",b\n\u{FEFF}1,\u{FEFF}2", pieces: pieces) == [
                ["\u{FEFF}1", "\u{FEFF}2"]
            ])
        #expect(try Self.read("\u{FEFF}\u{FEFF}a\n1", pieces: pieces) == [["1"]])
        #expect(try Self.read("\u{FEFF}", pieces: pieces).isEmpty)
        #expect(try Self.read("\u{FEFF}sep=;\na;b\n1;2", pieces: pieces) == [["1", "2"]])
    }

    @Test("NULs and other controls are text; nothing is lost", arguments: [1, 3, 1000])
    func controls(pieces: Int) throws {
        #expect(try Self.read("a,b\n\0,\u{1}x\0\n", pieces: pieces) == [["\0", "\u{1}x\0"]])
    }

    @Test(
        "UTF-16 and other bytes that are no UTF-8 are an error with the line",
        arguments: [
            ([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00], 1), ([0x61, 0x0A, 0xC3, 0x0A, 0xA9], 2),
            ([0x61, 0x0A, 0x22, 0x0A, 0xED, 0xA0, 0x80, 0x22], 2), ([0x61, 0x0A, 0xC0, 0x80], 2),
        ] as [([UInt8], Int)])
    func encodings(bytes: [UInt8], line: Int) {
        for pieces in [1, 2, 1000] {
            let error = #expect(throws: CSVError.self) { try Self.read(bytes, pieces: pieces) }
            #expect(error?.code == .invalidUTF8 && error?.line == line)
        }
    }

    @Test(
        "Quotes that aren't balanced are an error at the quote",
        arguments: [
            ("\"", CSVError.Code.unexpectedEnd, 1, 1), ("a\n\"\"\"", .unexpectedEnd, 2, 1),
            ("a,b\n1,2\n\"3,4\n5,6\n", .unexpectedEnd, 3, 1), ("a\n\"1\" \n", .unexpectedQuote, 2, 4),
            ("a\n1\"\n", .unexpectedQuote, 2, 2), ("a\n \"1\"\n", .unexpectedQuote, 2, 2),
            ("a\n\"1\"\"\n", .unexpectedEnd, 2, 1), ("a\r\"1\"x", .unexpectedQuote, 2, 4),
        ])
    func quotes(text: String, code: CSVError.Code, line: Int, column: Int) {
        for pieces in [1, 2, 1000] {
            let error = #expect(throws: CSVError.self) { try Self.read(text, pieces: pieces) }
            #expect(error?.code == code && error?.line == line && error?.column == column)
        }
    }

    @Test("A record without end stops at the limit, also if it is all separators, quotes or line ends")
    func endlessRecords() {
        let format = CSVFormat(maximumRecordSize: 1000)
        for (start, piece) in [
            ("a\n", "x"), ("a\n", ","), ("a\n\"", "\n"), ("a\n\"", "\"\""), ("a\n\"", "\r\n"),
        ] {
            let bytes = Array((start + String(repeating: piece, count: 3000)).utf8)
            let error = #expect(throws: CSVError.self) { try Self.read(bytes, format) }
            #expect(error?.code == .tooLarge && error?.line == 2, "\(piece.debugDescription)")
        }
    }

    @Test("A huge field in many pieces is read as a whole")
    func hugeField() throws {
        let field = String(repeating: "é,\n\"\"", count: Chance.isSoak ? 200_000 : 5_000)
        let records = try Self.read("a\n\"\(field)\"\n", pieces: 100)
        #expect(records == [[field.replacing("\"\"", with: "\"")]])
    }

    @Test("Each of many columns is found by its name")
    func manyColumns() throws {
        let count = Chance.isSoak ? 20_000 : 2_000
        let names = (0..<count).map { "n\($0)" }.joined(separator: ",")
        let reader = CSVReader()
        var sum = 0
        for text in [names, "\n", names, "\n"] {
            try reader.read(Data(text.utf8)) { record in
                for position in 0..<record.count where record["n\(position)"] != nil { sum += 1 }
            }
        }
        try reader.finish { _ in }
        #expect(sum == count)
    }
}
