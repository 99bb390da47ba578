import Foundation
import Stepline
import SteplineTesting
import Testing

private struct Reading: Codable, Hashable {
    var n: Int
}

@Suite("JSON steps: lines", .timeLimit(.minutes(5)))
struct JSONLinesStepTests {
    @Test("Each line is decoded, or handed to a closure whose nil skips it; copies do alike")
    func lines() async throws {
        let bag = try bag("{\"n\":1}\n\n{\"n\":2}\r\n{\"n\":3}")
        #expect(try await JSONLinesStep<Reading>().copysOutput(of: bag).map(\.n) == [1, 2, 3])
        let odd = JSONLinesStep { line in line.n?.int.flatMap { $0 % 2 == 1 ? $0 : nil } }
        #expect(try await odd.copysOutput(of: bag) == [1, 3])
        #expect(try await JSONLinesStep<JSON>().output(of: bag).count == 3)
    }

    @Test("Many lines in one piece of data come out whole and in order")
    func manyLines() async throws {
        let text = (0..<50_000).map { "{\"n\":\($0)}\n" }.joined()
        #expect(try await JSONLinesStep { $0.n?.int }.output(of: bag(text)) == Array(0..<50_000))
    }

    @Test("A malformed line and one that can't be decoded are errors with the line's number")
    func badLines() async throws {
        let malformed = try await JSONLinesStep<Reading>().failure(on: bag("{\"n\":1}\n{\"n\":\n")).error
        #expect((malformed as? JSONError)?.code == .unexpectedEnd && (malformed as? JSONError)?.line == 2)
        let wrong = try await JSONLinesStep<Reading>().failure(on: bag("{\"n\":1}\n\n{\"m\":1}\n")).error
        let error = try #require(wrong as? JSONError)
        #expect(error.code == .record && error.line == 3 && error.underlying is DecodingError)
    }

    @Test("Cancellation is seen between lines")
    func cancellation() async throws {
        let gate = Gate()
        let seen = Recorder<Int>()
        let pipeline = Pipeline(content: try bag("1\n2\n3\n"))
        try pipeline.addStep(
            JSONLinesStep<Int> { line in
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
