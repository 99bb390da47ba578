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

    @Test(
        "CR, LF and CR LF end lines, a byte order mark is skipped only at the start, and controls are text",
        arguments: [
            ("a,b\r1,2\r3,4", [["1", "2"], ["3", "4"]]), ("a\r\r\r\n\n1\r\n2\r3\n\r", [["1"], ["2"], ["3"]]),
            ("a\n\"\r\"\r\"\n\"\n\"\r\n\"", [["\r"], ["\n"], ["\r\n"]]),
            ("\u{FEFF}\"a\",b\n\u{FEFF}1,\u{FEFF}2", [["\u{FEFF}1", "\u{FEFF}2"]]),
            ("\u{FEFF}\u{FEFF}a\n1", [["1"]]), ("\u{FEFF}", []), ("\u{FEFF}sep=;\na;b\n1;2", [["1", "2"]]),
            ("a,b\n\0,\u{1}x\0\n", [["\0", "\u{1}x\0"]]),
        ] as [(String, [[String]])])
    func characters(text: String, records: [[String]]) throws {
        for pieces in [1, 2, 3, 1000] {
            #expect(try Self.read(text, pieces: pieces) == records, "pieces of \(pieces)")
        }
    }

    @Test(
        "UTF-16 and other bytes that are no UTF-8 are an error with the line",
        arguments: [
            ([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00], 1), ([0x61, 0x0A, 0xC3, 0x0A, 0xA9], 2),
            ([0x61, 0x0A, 0x22, 0x0A, 0xED, 0xA0, 0x80, 0x22], 2), ([0x61, 0x0A, 0xC0, 0x80], 2),
            ([0x61, 0x0A, 0xFF, 0x0A], 2),
        ] as [([UInt8], Int)])
    func encodings(bytes: [UInt8], line: Int) {
        for pieces in [1, 2, 1000] {
            let error = #expect(throws: CSVError.self) { try Self.read(bytes, pieces: pieces) }
            #expect(error?.code == .invalidUTF8 && error?.line == line)
        }
    }

    @Test("A record without end stops at the limit, also if it is all separators, quotes or line ends")
    func endlessRecords() {
        let format = CSVFormat(maximumRecordSize: 1000)
        for (start, piece) in [
            ("a\n", "x"), ("a\n", ","), ("a\n\"", "\n"), ("a\n\"", "\"\""), ("a\n\"", "\r\n"),
        ] {
            let bytes = Array((start + String(repeating: piece, count: 3000)).utf8)
            for pieces in [1, 1 << 16] {
                let error = #expect(throws: CSVError.self) { try Self.read(bytes, pieces: pieces, format) }
                #expect(error?.code == .tooLarge && error?.line == 2, "\(piece.debugDescription)")
            }
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
