import Foundation
import Stepline
import SteplineTesting
import Testing

// The snippets of the documentation's pages, compiled. `SnippetTests` compares the two texts.

extension ContentKey where Value == Int {
    static var lineCount: Self { .init("lineCount") }
}

struct Busy: Error, RetryAdvising {
    var isTransient: Bool { true }
    var retryAfter: RetryAfter? { .delay(.seconds(5)) }
}

@Suite("Guides", .timeLimit(.minutes(5)))
struct GuideSnippets {
    struct CountWords: StepBody {
        func process(_ text: String) -> Int { text.split(separator: " ").count }
    }

    final class Repeat: BasicStep<Int, String>, @unchecked Sendable {
        let text: String
        init(_ text: String) { self.text = text }
        override var inputKey: ContentKey<Int> { .lineCount }
        override func process(_ count: Int) throws -> String { String(repeating: text, count: count) }
        override func makeCopy() -> any Step { Repeat(text) }
    }

    /// Answers on another queue.
    struct Bell: Sendable {
        struct Knocking: Sendable { func stop() {} }
        func knock(_ answer: @escaping @Sendable (String) -> Void) -> Knocking {
            DispatchQueue.global().async { answer("who's there?") }
            return Knocking()
        }
    }

    final class Knock: StepOperation, Step, @unchecked Sendable {
        let bell: Bell
        init(_ bell: Bell) { self.bell = bell }
        override var outputs: [AnyContentKey] { [ContentKey<String>("answer").erased] }
        override func main() {
            let context = context
            let knock = bell.knock { answer in
                self.content["answer"] = answer
                context.finish()
            }
            context.onCancel {
                knock.stop()
                context.finish(throwing: CancellationError())
            }
        }
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
        pipeline.onSuccess(on: .main) { lines in print(lines) }
        pipeline.onFailure(on: .main) { error in print(error) }
        try pipeline.start()
        guard case .failure(let error as PipelineError) = await pipeline.outcome() else {
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

        let pipeline = Pipeline("knock")
        try pipeline.addStep(BlockStep(to: .lineCount) { () in 2 })
        try pipeline.addStep(Repeat("knock "))
        try pipeline.addStep(Knock(Bell()))
        let content = try await pipeline.run()
        #expect(content.bodyObject as? String == "knock knock ")
        #expect(content["answer"] as? String == "who's there?")
    }

    @Test("RetryAndCancel: a pipeline with policies of its own")
    func retryAndCancel() async throws {
        @Sendable func fetch() async throws -> Data { Data("text".utf8) }
        @Sendable func parse(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }

        let options = PipelineOptions(retry: .exponential(attempts: 4), deadline: .seconds(120))
        let pipeline = Pipeline("feed", options: options) {
            BlockStep { () async throws in try await fetch() }.named("fetch").timeout(.seconds(20))
            BlockStep { (data: Data) in try parse(data) }.named("parse").retrying(.none)
        }
        #expect(try await pipeline.run(returning: String.self) == "text")
    }

    @Test("RetryAndCancel: a workflow, and a managed task")
    func retryingTasks() async throws {
        let tidied = Recorder<Void>()
        @Sendable func fetch() async throws -> Data { Data("text".utf8) }
        @Sendable func parse(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
        @Sendable func tidyUp() async throws { tidied.record(()) }

        let workflow = Workflow("night", options: .init(deadline: .seconds(3600)))
        let patient = TaskOptions(retry: .exponential(attempts: 5), timeout: .seconds(30))
        let page = try workflow.add("load", options: patient) { () async throws in try await fetch() }
        let text = try workflow.add("parse", after: page) { page in try parse(page) }
        try workflow.addCleanup("tidy up", after: workflow.allTasks) { try await tidyUp() }
        try await workflow.run(cancellingOn: [.interrupt, .terminate])
        #expect(text.result == "text" && tidied.count == 1)

        let manager = TaskManager()
        manager.pause()
        let handle = manager.add("report", options: .init(timeout: .seconds(30), deadline: .seconds(120))) {
            try await fetch()
        }
        handle.cancel("no reader is left")
        #expect(handle.state == .finished(.cancelled))
    }
}
