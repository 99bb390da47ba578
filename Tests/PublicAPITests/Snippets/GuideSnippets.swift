import Foundation
import Stepline
import SteplineTesting
import Testing

// What the documentation's pages show, compiled. `SnippetTests` holds the two texts against each other.

extension ContentKey where Value == Int {
    static var lineCount: Self { .init("lineCount") }
}

@Suite("Guides", .timeLimit(.minutes(5)))
struct GuideSnippets {
    final class CountWords: BasicStep<String, Int>, @unchecked Sendable {
        override func process(_ text: String) -> Int { text.split(separator: " ").count }
    }

    @Test("FirstPipeline: what only compiles, as there is no such file")
    func firstPipeline() async throws {
        func count() async throws -> Int {
            let count = try await Pipeline.run {
                FileLoadStep(URL(filePath: "words.txt"))
                BlockStep { (data: Data) in String(decoding: data, as: UTF8.self) }
                BlockStep { (text: String) in text.split(separator: " ").count }
            }
            return count
        }
        await #expect(throws: PipelineError.self) { try await count() }

        let pipeline = Pipeline("words") {
            FileLoadStep(URL(filePath: "words.txt"))
            BlockStep(to: .lineCount) { (data: Data) in data.count { $0 == UInt8(ascii: "\n") } }
        }
        pipeline.onSuccess(on: .main) { pipeline, _ in print(pipeline.content?[.lineCount] ?? 0) }
        pipeline.onFailure(on: .main) { _, error in print(error) }
        try pipeline.start()
        guard case .failed(let error) = await pipeline.outcome() else {
            Issue.record("it should have failed")
            return
        }
        #expect(error.step?.index == 0)
    }

    @Test("WritingSteps: a step in a line")
    func writingSteps() async throws {
        let count = try await Pipeline.run {
            BlockStep { () in "one two three" }
            CountWords()
        }
        #expect(count == 3)
    }

    @Test("RetryAndCancel: a pipeline with policies of its own")
    func retryAndCancel() async throws {
        @Sendable func fetch() async throws -> Data { Data("text".utf8) }
        @Sendable func parse(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }

        let options = PipelineOptions(retry: .exponential(attempts: 4), timeout: .seconds(120))
        let pipeline = Pipeline("feed", options: options) {
            BlockStep { () async throws in try await fetch() }.named("fetch").timeout(.seconds(20))
            BlockStep { (data: Data) in try parse(data) }.named("parse").retrying(.none)
        }
        #expect(try await pipeline.run(returning: String.self) == "text")
    }
}
