import Foundation
import Stepline
import SteplineTesting
import Testing

// The snippets of "JSON and CSV", compiled.

private struct Reading: Codable, Sendable {
    var n: Int
}

private struct Town: Codable, Sendable, Equatable {
    var name: String
    var isCapital: Bool
}

/// A folder that is removed with the test.
private final class Folder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ text: String? = nil) throws -> URL {
        let file = url.appending(path: name)
        if let text { try Data(text.utf8).write(to: file) }
        return file
    }
}

@Suite("Snippets: JSON and CSV", .timeLimit(.minutes(5)))
struct JSONSnippets {
    private let folder: Folder
    private let items = #"{"data": {"items": [{"name": "a", "price": 1.5}, {"name": "b", "price": 12}]}}"#

    init() throws { folder = try Folder() }

    @Test("a look at a document")
    func look() throws {
        let data = Data(
            #"{"items": [{"title": "Emma", "price": 7}, {"title": "Ulysses", "price": 12}]}"#.utf8)
        let feed = try JSON(parsing: data)
        let title = feed["items"]?[0]?["title"]?.string
        let cheap = try feed.query("$.items[?@.price < 10].title").compactMap(\.string)
        var walk = feed.walk()
        var sum = 0.0
        while let step = walk.next() {
            if case .number = step { sum += walk.double ?? 0 }
        }
        #expect(title == "Emma" && cheap == ["Emma"] && sum == 19)
    }

    @Test("changes")
    func changes() throws {
        let data = Data(#"{"lines": [], "note": "x"}"#.utf8)
        var order = try JSON(parsing: data)
        order["customer"]["city"] = "Oslo"
        try order["lines"]?.append(["sku": "A-1", "price": 9.5])
        order.remove("note")
        let text = order.prettyPrinted
        #expect(order == ["lines": [["sku": "A-1", "price": 9.5]], "customer": ["city": "Oslo"]])
        #expect(try JSON(parsing: text) == order)
    }

    @Test("the elements of an array deep in a file")
    func elements() async throws {
        let file = try folder.file("items.json", items)
        var total = 0.0
        for try await item in JSON.Stream(of: .elements(at: "/data/items"), in: file) {
            total += item.price?.double ?? 0
        }
        #expect(total == 13.5)
    }

    @Test("records of files, as steps")
    func records() async throws {
        let server = try LoopbackServer()
        server.route("/items", .text(items))
        let url = server.url("/items")
        let file = try folder.file("items.json")
        let names = try await Pipeline.run {
            URLDownloadStep(url, to: file)
            JSONLinesLoadStep(of: .elements(at: "/data/items")) { $0.name?.string }
        }
        #expect(names == ["a", "b"])
        let lines = try folder.file("lines")
        let count = try await Pipeline.run {
            JSONRewriteStep(file, of: .elements(at: "/data/items"), to: lines) { item -> JSON? in
                guard let price = item.price?.double, price < 10 else { return nil }
                return item
            }
        }
        #expect(count == 1)
        #expect(try String(contentsOf: lines, encoding: .utf8) == "{\"name\":\"a\",\"price\":1.5}\n")
    }

    @Test("lines into an array")
    func lines() async throws {
        let file = try folder.file("lines", "{\"n\":1}\n{\"n\":2}\n")
        let copy = try folder.file("array")
        let readings = try await Pipeline.run {
            JSONLinesLoadStep(file, as: Reading.self)
            JSONLinesSaveStep<Reading>(copy, as: .array)
        }
        #expect(readings.map(\.n) == [1, 2])
        #expect(try String(contentsOf: copy, encoding: .utf8) == "[\n{\"n\":1},\n{\"n\":2}\n]\n")
    }

    @Test("comma-separated values")
    func separated() async throws {
        let file = try folder.file("cities.csv", "name;isCapital\nBern;true\nBasel;false\n")
        let saved = try folder.file("capitals.csv")
        let capitals = try await Pipeline.run {
            CSVParseStep(file, as: Town.self, format: CSVFormat(separator: ";"))
            BlockStep { (towns: [Town]) in towns.filter(\.isCapital) }
            CSVSaveStep<Town>(saved)
        }
        #expect(capitals == [Town(name: "Bern", isCapital: true)])
        #expect(try String(contentsOf: saved, encoding: .utf8) == "name,isCapital\r\nBern,true\r\n")
        let labels = try await named(in: saved)
        #expect(labels == ["Bern"])
    }

    private func named(in file: URL) async throws -> [String] {
        let labels = try await Pipeline.run {
            FileLoadStep(file)
            CSVParseStep { record in record["name"] }
        }
        return labels
    }
}
