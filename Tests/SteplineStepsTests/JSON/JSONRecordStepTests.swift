import Foundation
import Stepline
import SteplineTesting
import Testing

private struct Reading: Codable, Hashable, Sendable {
    var n: Int
    var text: String?
}

@Suite("JSON steps: records of files", .timeLimit(.minutes(5)))
struct JSONRecordStepTests {
    private static let text = "{\"n\":1}\n\n{\"n\":2,\"text\":\"a\\nb\"}\r\n{\"n\":3}"

    @Test(
        "Issue 16: each line of a file is decoded, or handed to a closure whose nil skips it; copies do alike"
    )
    func load() async throws {
        try await Files.withFile(Self.text) { file in
            let all = try await JSONLinesLoadStep(file, as: Reading.self).copysOutput(of: Content())
            #expect(all == [Reading(n: 1), Reading(n: 2, text: "a\nb"), Reading(n: 3)])
            let step = JSONLinesLoadStep(file) { line in line.n?.int.flatMap { $0 % 2 == 1 ? $0 : nil } }
            let odd = try await step.copysOutput(of: Content())
            #expect(odd == [1, 3])
        }
    }

    @Test("Issue 16: the file may be one whose URL a step before has made")
    func loadFromBag() async throws {
        try await Files.withFile(Self.text) { file in
            let readings = try await Pipeline.run {
                BlockStep { file }
                JSONLinesLoadStep(as: Reading.self)
            }
            #expect(readings.map(\.n) == [1, 2, 3])
            let numbers = try await Pipeline.run {
                BlockStep { file }
                JSONLinesLoadStep { $0.n?.int }
            }
            #expect(numbers == [1, 2, 3])
        }
    }

    @Test("Issue 16: the elements of an array deep in a file are records")
    func elements() async throws {
        let text = #"{"meta":{"items":[0]},"data":{"items":[{"n":1},{"n":2}]},"end":null}"#
        try await Files.withFile(text) { file in
            let step = JSONLinesLoadStep(file, of: .elements(at: "/data/items"), as: Reading.self)
            #expect(try await step.copysOutput(of: Content()).map(\.n) == [1, 2])
            let missing = JSONLinesLoadStep(file, of: .elements(at: "/data/none"), as: Reading.self)
            let error = try await missing.failure(on: Content()).error as? JSONError
            #expect(error?.code == .notFound)
        }
    }

    @Test(
        "Issue 16: a malformed line is an error with its line and column",
        arguments: [
            ("{\"n\":1}\n{\"n\":}\n", JSONError.Code.unexpectedCharacter, 2, 6),
            ("{\"n\":1}\r{\"n\":2}", .trailingText, 1, 9), ("1\n\u{FEFF}2\n", .unexpectedCharacter, 2, 1),
            ("\u{FEFF}1\n\"ü\u{1}\"", .controlCharacter, 2, 3), ("1\n\0\n", .unexpectedCharacter, 2, 1),
            ("1\n\"a\n\"\n", .unexpectedEnd, 2, 3), ("1\n2 3\n", .trailingText, 2, 3),
        ])
    func malformedLines(text: String, code: JSONError.Code, line: Int, column: Int) async throws {
        try await Files.withFile(text) { file in
            let step = JSONLinesLoadStep(file, as: JSON.self)
            let error = try #require(try await step.failure(on: Content()).error as? JSONError)
            #expect(error.code == code && error.line == line && error.column == column, "\(error)")
        }
    }

    @Test("Issue 16: a record that nothing can be made of is an error with its place and the cause")
    func wrongRecords() async throws {
        try await Files.withFile("{\"n\":1}\n\n{\"n\":\"x\"}\n") { file in
            let step = JSONLinesLoadStep(file, as: Reading.self)
            let error = try #require(try await step.failure(on: Content()).error as? JSONError)
            #expect(error.code == .record && error.line == 3 && error.underlying is DecodingError)
        }
        try await Files.withFile("[{\"n\":1},\n {\"n\":\"x\"}]") { file in
            let step = JSONLinesLoadStep(file, of: .elements(at: ""), as: Reading.self)
            let error = try #require(try await step.failure(on: Content()).error as? JSONError)
            #expect(error.code == .record && error.message.contains("element 1"))
            #expect(error.line == 2 && error.column == 2 && error.underlying is DecodingError, "\(error)")
        }
    }

    @Test("Issue 16: limits hold for each record, and the check finds what can't be read")
    func limits() async throws {
        try await Files.withFile("[1]\n[[2]]\n\"\(String(repeating: "x", count: 50))\"") { file in
            let deep = JSONLinesLoadStep(file, options: .init(maximumDepth: 1)) { $0.count }
            let tooDeep = try await deep.failure(on: Content()).error as? JSONError
            #expect(tooDeep?.code == .tooDeep && tooDeep?.line == 2)
            let long = JSONLinesLoadStep(file, options: .init(maximumSize: 20)) { $0.count }
            let tooLarge = try await long.failure(on: Content()).error as? JSONError
            #expect(tooLarge?.code == .tooLarge && tooLarge?.line == 3)
            #expect(try JSONLinesLoadStep(file, of: .elements(at: "a")) { $0 }.findings().count == 1)
        }
        let web = try #require(URL(string: "https://a.example/x"))
        #expect(try JSONLinesLoadStep(web) { $0 }.findings().count == 1)
        #expect(try JSONLinesSaveStep<JSON>(web).findings().count == 1)
        #expect(try JSONRewriteStep(web, of: .elements(at: "a"), to: web) { $0 }.findings().count == 3)
        let missing = JSONLinesLoadStep(URL(filePath: "/nowhere/at all")) { $0 }
        #expect(try await missing.failure(on: Content()).error is FileError)
    }

    @Test("Issue 16: cancellation is seen between records")
    func cancellation() async throws {
        try await Files.withFile("1\n2\n3\n") { file in
            let gate = Gate()
            let seen = Recorder<Int>()
            let pipeline = Pipeline()
            try pipeline.addStep(
                JSONLinesLoadStep<Void, Int>(file) { line in
                    seen.record(line.int ?? 0)
                    gate.block()
                    return nil
                })
            try pipeline.start()
            await seen.waitForCount(1)
            pipeline.cancel()
            gate.open()
            guard case .cancelled = await pipeline.outcome() else { throw Unexpected(text: "\(pipeline)") }
            #expect(seen.values == [1])
        }
    }
}
