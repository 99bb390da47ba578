import Foundation
import Stepline
import SteplineTesting
import Testing

private struct Reading: Codable, Hashable, Sendable {
    var n: Int
    var text: String?
}

/// Can't be encoded when it holds 2.
private struct Failing: Encodable, Sendable {
    struct Cause: Error {}
    var n: Int
    func encode(to encoder: any Encoder) throws {
        if n == 2 { throw Cause() }
        try n.encode(to: encoder)
    }
}

private func written(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

@Suite("JSON steps: saving records", .timeLimit(.minutes(5)))
struct JSONRecordSavingTests {
    @Test("Issue 16: records are written as lines or as one array, and passed on; copies do alike")
    func save() async throws {
        try await Files.withFile("old") { file in
            let readings = [Reading(n: 1), Reading(n: 2, text: "a\nb/")]
            var content = Content()
            content.bodyObject = readings
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let lines = JSONLinesSaveStep<Reading>(file, encoder: encoder)
            #expect(try await lines.copysOutput(of: content) == readings)
            #expect(try written(file) == "{\"n\":1}\n{\"n\":2,\"text\":\"a\\nb/\"}\n")
            let array = JSONLinesSaveStep<Reading>(file, as: .array, encoder: encoder)
            #expect(try await array.copysOutput(of: content) == readings)
            #expect(try written(file) == "[\n{\"n\":1},\n{\"n\":2,\"text\":\"a\\nb/\"}\n]\n")
            content.bodyObject = [Reading]()
            _ = try await array.copysOutput(of: content)
            #expect(try written(file) == "[]\n")
            _ = try await lines.copysOutput(of: content)
            #expect(try written(file) == "")
        }
    }

    @Test("Issue 16: documents are written with the order of their members and every digit")
    func documents() async throws {
        try await Files.withFile("old") { file in
            var content = Content()
            content.bodyObject = [try JSON(parsing: "{ \"z\" : 1.50, \"a\":12345678901234567890123 }"), nil]
            _ = try await JSONLinesSaveStep<JSON>(file).output(of: content)
            #expect(try written(file) == "{\"z\":1.50,\"a\":12345678901234567890123}\nnull\n")
        }
    }

    @Test("Issue 16: a record that can't be encoded leaves the old file")
    func failure() async throws {
        try await Files.withFile("old") { file in
            var content = Content()
            content.bodyObject = [1, 2, 3].map { Failing(n: $0) }
            let error = try await JSONLinesSaveStep<Failing>(file).failure(on: content).error
            let kept = try written(file)
            #expect(error is Failing.Cause && kept == "old")
            let folder = file.deletingLastPathComponent()
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.contains(file.lastPathComponent) }
            #expect(left == [file.lastPathComponent])
        }
    }

    @Test("Issue 16: records are rewritten from any source to any format, and counted; copies do alike")
    func rewrite() async throws {
        try await Files.withFile(#"{"data":[{"n":1},{"n":2},{"n":3}]}"#) { source in
            try await Files.withFile("old") { target in
                let step = JSONRewriteStep(source, of: .elements(at: "/data"), to: target) { item -> JSON? in
                    guard item.n?.int != 2 else { return nil }
                    return item
                }
                #expect(try await step.copysOutput(of: Content()) == 2)
                #expect(try written(target) == "{\"n\":1}\n{\"n\":3}\n")
                let count = try await Pipeline.run {
                    BlockStep { target }
                    JSONRewriteStep(to: target, as: .array) { line in line.n?.int.map { Reading(n: $0) } }
                }
                let array = try written(target)
                #expect(count == 2 && array == "[\n{\"n\":1},\n{\"n\":3}\n]\n")
            }
        }
    }

    @Test("Issue 16: a rewriting that fails in the middle leaves the old file")
    func failedRewrite() async throws {
        try await Files.withFile("1\n2\n{") { source in
            try await Files.withFile("old") { target in
                let step = JSONRewriteStep(source, to: target) { $0 }
                let error = try await step.failure(on: Content()).error as? JSONError
                #expect(error?.code == .unexpectedEnd && error?.line == 3)
                #expect(try written(target) == "old")
            }
        }
    }

    @Test(
        "Issue 16: random records come back from lines and arrays as they were", arguments: [1, 2, 3, 4, 5])
    func roundTrip(round: Int) async throws {
        var random = RandomText(round: round)
        let readings = (0..<random.number(200)).map { _ in
            Reading(n: random.number(1 << 40) - 1 << 39, text: random.number(4) == 0 ? nil : random.text())
        }
        var content = Content()
        content.bodyObject = readings
        for format in [JSONRecordFormat.lines, .array] {
            try await Files.withFile("") { file in
                _ = try await JSONLinesSaveStep<Reading>(file, as: format).output(of: content)
                let source: JSON.Records = format == .lines ? .lines : .elements(at: "")
                let read = try await JSONLinesLoadStep(file, of: source, as: Reading.self)
                    .output(of: Content())
                #expect(read == readings, "round \(round)")
            }
        }
    }
}
