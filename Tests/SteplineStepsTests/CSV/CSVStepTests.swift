import Foundation
import Stepline
import SteplineTesting
import Testing

private struct City: Codable, Hashable, Sendable {
    var name: String
    var people: Int
    var area: Double?
    var isCapital: Bool
}

private struct Everything: Codable, Hashable, Sendable {
    enum Kind: String, Codable { case one, two }
    var text: String
    var number: Int64
    var wide: UInt128
    var real: Double
    var small: Float
    var truth: Bool
    var kind: Kind
    var date: Date
    var url: URL
    var data: Data
    var decimal: Decimal
    var maybe: Int?
    var maybeDate: Date?
}

@Suite("CSV: steps", .timeLimit(.minutes(5)))
struct CSVStepTests {
    private static let text =
        "name,people,area,isCapital\r\n\"Zürich, ZH\",421878,87.88,false\r\nBern,134591,,true\n"
    private static let cities = [
        City(name: "Zürich, ZH", people: 421_878, area: 87.88, isCapital: false),
        City(name: "Bern", people: 134_591, area: nil, isCapital: true),
    ]

    @Test("Issue 16: records are decoded, or handed to a closure whose nil skips them; copies do alike")
    func parse() async throws {
        let content = try bag(Self.text)
        #expect(try await CSVParseStep(as: City.self).copysOutput(of: content) == Self.cities)
        let capitals = CSVParseStep { $0["isCapital"] == "true" ? $0["name"] : nil }
        #expect(try await capitals.copysOutput(of: content) == ["Bern"])
        try await Files.withFile(Self.text) { file in
            let cities = try await CSVParseStep(file, as: City.self).copysOutput(of: Content())
            let lines = try await CSVParseStep(file) { $0.line }.copysOutput(of: Content())
            #expect(cities == Self.cities && lines == [2, 3])
        }
    }

    @Test("Issue 16: records are written with a header, and passed on; copies do alike")
    func save() async throws {
        try await Files.withFile("old") { file in
            var content = Content()
            content.bodyObject = Self.cities
            #expect(try await CSVSaveStep<City>(file).copysOutput(of: content) == Self.cities)
            #expect(
                try String(contentsOf: file, encoding: .utf8)
                    == Self.text.replacing("true\n", with: "true\r\n"))
            let bare = CSVSaveStep<City>(file, format: .init(separator: ";", hasHeader: false))
            _ = try await bare.copysOutput(of: content)
            #expect(
                try String(contentsOf: file, encoding: .utf8)
                    == "Zürich, ZH;421878;87.88;false\r\nBern;134591;;true\r\n")
        }
    }

    @Test(
        "Issue 16: a field that can't be decoded is an error with its line, column and name",
        arguments: [
            ("Bern,x,,true", CSVError.Code.wrongValue, 2, 6, "people"),
            ("\"B\n\"\"ern\",1,2,\"maybe\"", .wrongValue, 3, 12, "isCapital"),
            ("Bern,1,1.2.3,true", .wrongValue, 2, 8, "area"), ("東京,1,0x,true", .wrongValue, 2, 6, "area"),
            ("Bern,99999999999999999999,,true", .wrongValue, 2, 6, "people"),
        ])
    func wrongFields(row: String, code: CSVError.Code, line: Int, column: Int, field: String) async throws {
        let content = try bag("name,people,area,isCapital\n\(row)\n")
        let failed = try await CSVParseStep(as: City.self).failure(on: content).error
        let error = try #require(failed as? CSVError)
        #expect(
            error.code == code && error.line == line && error.column == column && error.field == field,
            "\(error)")
    }

    @Test("Issue 16: a missing column, a closure's error and a value that isn't flat are told with the line")
    func wrongRecords() async throws {
        struct Cause: Error {}
        let content = try bag("name\nBern\n")
        let missing = try await CSVParseStep(as: City.self).failure(on: content).error as? CSVError
        #expect(missing?.code == .wrongValue && missing?.line == 2 && missing?.field == "people")
        let thrown = try await CSVParseStep { _ -> Int? in throw Cause() }.failure(on: content).error
        let record = try #require(thrown as? CSVError)
        #expect(record.code == .record && record.line == 2 && record.underlying is Cause)
        struct Deep: Codable, Sendable { var list: [Int] }
        let nested = try await CSVParseStep(as: Deep.self).failure(on: bag("list\n1\n")).error as? CSVError
        #expect(nested?.code == .notFlat && nested?.line == 2 && nested?.field == "list")
        try await Files.withFile("old") { file in
            var content = Content()
            content.bodyObject = [Deep(list: [1])]
            let error = try await CSVSaveStep<Deep>(file).failure(on: content).error as? CSVError
            #expect(error?.code == .notFlat && error?.field == "list")
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
        }
    }

    @Test("Issue 16: the check finds separators that can be none, and URLs of no file")
    func check() throws {
        let web = try #require(URL(string: "https://a.example/x"))
        #expect(try CSVParseStep(web, format: .init(separator: "\"")) { $0.fields }.findings().count == 2)
        #expect(try CSVSaveStep<City>(web, format: .init(separator: "é")).findings().count == 2)
    }

    @Test("Issue 16: every plain type comes back as it was")
    func types() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        let one = Everything(
            text: "say \"hi\",\r\nplease", number: .min, wide: .max, real: -0.1, small: 1e-20, truth: true,
            kind: .two, date: date, url: try #require(URL(string: "https://a.example/x?a=1,2")),
            data: Data([0, 255]), decimal: try #require(Decimal(string: "1.5000000000000000000001")),
            maybe: nil, maybeDate: nil)
        var two = one
        (two.text, two.real, two.date) = ("", .infinity, Date(timeIntervalSince1970: 0))
        (two.maybe, two.maybeDate) = (-1, date)
        var content = Content()
        content.bodyObject = [one, two]
        try await Files.withFile("") { file in
            _ = try await CSVSaveStep<Everything>(file).output(of: content)
            #expect(try await CSVParseStep(file, as: Everything.self).output(of: Content()) == [one, two])
        }
    }

    @Test("Issue 16: random texts come back as they were, whatever separates them", arguments: 1...10)
    func roundTrip(round: Int) async throws {
        struct Row: Codable, Hashable, Sendable { var a: String, b: String, c: String }
        struct Single: Codable, Hashable, Sendable { var a: String }
        var random = RandomText(round: round)
        let rows = (0..<random.number(100)).map { _ in
            Row(a: random.text(), b: random.text(), c: random.text())
        }
        for separator: Character in [",", ";", "\t", "|", " "] {
            try await Files.withFile("") { file in
                let format = CSVFormat(separator: separator)
                var content = Content()
                content.bodyObject = rows
                _ = try await CSVSaveStep<Row>(file, format: format).output(of: content)
                let read = try await CSVParseStep(file, as: Row.self, format: format).output(of: Content())
                #expect(read == rows, "round \(round), \(separator)")
                let singles = rows.map { Single(a: $0.a) }
                content.bodyObject = singles
                _ = try await CSVSaveStep<Single>(file, format: format).output(of: content)
                let bytes = try bag(Data(contentsOf: file))
                #expect(
                    try await CSVParseStep(as: Single.self, format: format).output(of: bytes) == singles,
                    "round \(round), \(separator)")
            }
        }
    }
}
