import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Checking at the start", .timeLimit(.minutes(5)))
struct StartCheckTests {
    private func broken(_ runs: Recorder<Void>) throws -> Pipeline<Content> {
        try makePipeline([
            plain("first") { runs.record(()) }, BlockStep { (_: String) in }.named("second"),
            BlockStep { (_: Data) in }.named("third"),
        ])
    }

    @Test("PL-32: start throws .checkFailed with all issues, and nothing has happened")
    func start() throws {
        let runs = Recorder<Void>()
        let reported = Recorder<Void>()
        let pipeline = try broken(runs)
        pipeline.onEnd { _ in reported.record(()) }
        pipeline.onFailure { _ in reported.record(()) }
        let error = try #require(pipelineError { try pipeline.start() })
        #expect(error.code == .checkFailed)
        #expect(error.issues.map(\.subject) == ["second", "third"])
        #expect("\(error)".contains("second") && "\(error)".contains("third"))
        #expect(pipeline.stateWord == "ready")
        #expect(pipeline.error == nil)
        #expect(runs.count == 0)
        #expect(reported.count == 0)
    }

    @Test("PL-32: run() throws the check's issues, and the pipeline can be mended and started")
    func mend() async throws {
        let runs = Recorder<Void>()
        let pipeline = try broken(runs)
        await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect(pipeline.stateWord == "ready")
        try pipeline.insert(BlockStep { "text" }, after: nil)
        try pipeline.insert(BlockStep { Data() }, after: nil)
        try await pipeline.run()
        #expect(runs.count == 1)
        #expect(pipeline.stateWord == "succeeded")
    }

    @Test("PL-31, PL-32: a pipeline without steps is an issue, and fails the check at the start")
    func empty() async throws {
        let pipeline = Pipeline()
        let issues = pipeline.check()
        #expect(issues.map(\.code) == [.noSteps])
        #expect(issues.first?.severity == .error && issues.first?.path == [])
        let error = try #require(pipelineError { try pipeline.start() })
        #expect(error.code == .checkFailed && error.issues.map(\.code) == [.noSteps])
        #expect(!pipeline.isExecuting && !pipeline.isFinished)
        try pipeline.addStep(plain())
        try await pipeline.run()
    }

    @Test("PL-32: run(returning:) also checks that the last step can make that type")
    func returning() async throws {
        let runs = Recorder<Void>()
        let make = {
            try makePipeline([
                BlockStep {
                    runs.record(())
                    return "text"
                }
            ])
        }
        let pipeline = try make()
        do {
            _ = try await pipeline.run(returning: Int.self)
            Issue.record("it did not throw")
        } catch let error as PipelineError {
            #expect(error.code == .checkFailed)
            #expect(error.issues.map(\.code) == [.typeMismatch])
            #expect(error.issues.first?.expected == "Int")
            #expect(error.issues.first?.found == "String")
        }
        #expect(runs.count == 0)
        #expect(pipeline.stateWord == "ready")
        #expect(try await pipeline.run(returning: String.self) == "text")
        #expect(try await make().run(returning: String?.self) == "text")
        await #expect(throws: PipelineError.self) {
            try await makePipeline([plain()]).run(returning: String.self)
        }
    }

    @Test("PL-32, PL-3: run(returning: key) gives an entry, and throws if there is none")
    func returningKey() async throws {
        let count = ContentKey<Int>("count")
        let pipeline = try makePipeline([BlockStep(to: count) { 3 }, plain()], name: "line")
        #expect(try await pipeline.run(returning: count) == 3)
        do {
            _ = try await makePipeline([plain()], name: "line").run(returning: count)
            Issue.record("it did not throw")
        } catch let error as PipelineError {
            #expect(error.code == .missingInput)
            #expect(error.pipeline == "line")
        }
    }

    @Test("PL-53: parse errors and wrong input are never retried by default")
    func notRetried() async throws {
        struct City: Decodable { var name: String }
        let runs = Recorder<Void>()
        let decode = BlockStep { (data: Data) in
            runs.record(())
            return try JSONDecoder().decode(City.self, from: data).name
        }.retrying(.exponential(attempts: 5))
        let pipeline = try makePipeline(
            [decode], content: Content(data: Data("{".utf8)),
            options: .init(clock: ManualClock(runsByItself: true)))
        try pipeline.start()
        let error = try #require(await pipeline.outcome().failure)
        #expect(error.underlying is DecodingError)
        #expect(error.attempt == 1)
        #expect(runs.count == 1)
        let wrong = WordCount().retrying(.constant(attempts: 5))
        let untyped = BlockStep(to: ContentKey<any Sendable>("bodyObject")) { 5 }
        let other = try makePipeline(
            [untyped, wrong], options: .init(clock: ManualClock(runsByItself: true)))
        try other.start()
        let mismatch = await other.outcome().failure
        #expect(mismatch?.code == .typeMismatch)
        #expect(mismatch?.attempt == 1)
    }
}
