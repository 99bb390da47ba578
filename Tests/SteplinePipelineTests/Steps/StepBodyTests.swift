import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Bodies of steps", .timeLimit(.minutes(5)))
struct StepBodyTests {
    @Test("PL-14: input is the value under the input key, output is stored under the output key")
    func keys() async throws {
        var content = Content()
        content["left"] = 2
        content.bodyObject = "untouched"
        let pipeline = try makePipeline(
            [BlockStep(from: ContentKey<Int>("left"), to: ContentKey<String>("right")) { "\($0)" }],
            content: content)
        try await pipeline.run()
        let end = try #require(pipeline.content)
        #expect(end["left"] as? Int == 2)
        #expect(end["right"] as? String == "2")
        #expect(end.bodyObject as? String == "untouched")
    }

    @Test("PL-14: .content hands in the whole bag, and what is made becomes the bag")
    func wholeBag() async throws {
        let pipeline = try makePipeline(
            [
                BlockStep { (bag: Content) in
                    var made = Content()
                    made["names"] = bag.names
                    return made
                }
            ], content: Content(data: Data([1])))
        try await pipeline.run()
        #expect(pipeline.content?.names == ["names"])
        #expect(pipeline.content?["names"] as? [String] == ["bodyData"])
    }

    @Test("PL-14: Void reads nothing and stores nothing, is a success, and can be run's result")
    func void() async throws {
        let pipeline = try makePipeline([BlockStep<Void, Void> {}], content: Content(object: 1))
        #expect(pipeline.steps[0].inputs.isEmpty && pipeline.steps[0].outputs.isEmpty)
        try await pipeline.run(returning: Void.self)
        #expect(pipeline.stateWord == "succeeded")
        #expect(pipeline.content?.names == ["bodyObject"])
        let silent = CallbackStep { $0.finish() }
        try await makePipeline([silent]).run(returning: Void.self)
        try await makePipeline([BlockStep { (_: Int) in }], content: Content(object: 1)).run(
            returning: Void.self)
    }

    @Test("PL-15: a thrown error is the underlying of the pipeline's error, unchanged")
    func thrown() async throws {
        let cause = NSError(domain: "test", code: 7, userInfo: ["thing": "kept"])
        let pipeline = try makePipeline([plain { throw cause }])
        try pipeline.start()
        let error = try #require(await pipeline.outcome().failure)
        #expect(error.code == .stepFailed)
        #expect(error.underlying.map { $0 as NSError } === cause)
        let own = try makePipeline([WordCount()], content: Content(object: "bad"))
        try own.start()
        #expect(await own.outcome().failure?.underlying as? Broken == Broken(number: 7))
    }

    @Test("PL-15: a nil Optional output is a success, and removes the entry")
    func nilOutput() async throws {
        let later = Recorder<Void>()
        let pipeline = try makePipeline(
            [
                BlockStep { () -> Int? in nil }, BlockStep { () async -> Data? in nil },
                plain { later.record(()) },
            ], content: Content(object: 5))
        try await pipeline.run()
        #expect(later.count == 1)
        #expect(pipeline.content?.names == [])
        let present = try makePipeline([BlockStep { () -> Int? in 3 }])
        #expect(try await present.run(returning: Int?.self) == 3)
        #expect(present.content?.bodyObject as? Int == 3)
    }

    @Test("PL-16: process never sees a missing or wrongly typed input", arguments: [true, false])
    func input(isMissing: Bool) async throws {
        let runs = Recorder<Void>()
        let reader = BlockStep { (_: String) in runs.record(()) }
        let pipeline = try makePipeline([
            CallbackStep { step in
                step.content = isMissing ? Content() : Content(object: 5)
                step.finish()
            },
            BlockStep { (bag: Content) in bag },
            reader.named("reader"),
        ])
        try pipeline.start()
        let error = try #require(await pipeline.outcome().failure)
        #expect(error.code == (isMissing ? .missingInput : .typeMismatch))
        #expect(error.step?.name == "reader")
        for part in ["bodyObject", "String"] + (isMissing ? [] : ["Int"]) {
            #expect("\(error)".contains(part))
        }
        #expect(runs.count == 0)
    }

    @Test("PL-16: a subclass without a body fails with .notImplemented, naming the class")
    func notImplemented() async throws {
        let steps: [any Step] = [EmptyBasicStep(), EmptyAsyncStep(), EmptyStep()]
        for step in steps {
            let pipeline = try makePipeline([step])
            try pipeline.start()
            let error = try #require(await pipeline.outcome().failure)
            #expect(error.code == .notImplemented)
            #expect("\(error)".contains("\(type(of: step)) does not"))
        }
    }

    @Test("PL-17, PL-38: a failing step leaves the bag as it got it, and failure callbacks can read that bag")
    func failingStep() async throws {
        let seen = Recorder<[String]>()
        let pipeline = try makePipeline(
            [
                BlockStep { "made" },
                CallbackStep { step in
                    step.content["half"] = 1
                    step.content.bodyObject = nil
                    step.content.bodyData = Data("refused".utf8)
                    step.finish(throwing: Broken())
                },
            ], content: Content(data: Data("got".utf8)))
        pipeline.onFailure { [unowned pipeline] _ in seen.record(pipeline.content?.names ?? []) }
        try pipeline.start()
        #expect(await pipeline.outcome().word == "failed")
        await seen.waitForCount(1)
        #expect(seen.values == [["bodyData", "bodyObject"]])
        for bag in [pipeline.content, pipeline.steps[1].content] {
            #expect(bag?.names == ["bodyData", "bodyObject"])
            #expect(bag?.bodyObject as? String == "made" && bag?.bodyData == Data("got".utf8))
        }
    }

    @Test(
        "PL-18, PL-41: in a pipeline, a step cancelled before its body never runs it, and no later step runs",
        arguments: [true, false])
    func cancelledBefore(isStarted: Bool) async throws {
        let runs = Recorder<Void>()
        let gate = Gate()
        let step = plain { runs.record(()) }
        let pipeline = try makePipeline([held(at: gate), step, plain { runs.record(()) }])
        if !isStarted { step.cancel() }
        try pipeline.start()
        if isStarted {
            await gate.waitForArrivals()
            step.cancel()
        }
        gate.open()
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(runs.count == 0)
    }

    @Test("PL-18: a running body runs to its end, and can see that it was cancelled")
    func cancelledDuring() async throws {
        let seen = Recorder<String>()
        let gate = Gate()
        let pipeline = try makePipeline([
            BlockStep<Void, Void>(from: .nothing, to: .nothing) { _, context in
                seen.record("\(context.isCancelled)")
                gate.block()
                seen.record("\(context.isCancelled)")
                do { try context.checkCancellation() } catch is CancellationError { seen.record("thrown") }
            }
        ])
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel()
        #expect(pipeline.isExecuting)
        gate.open()
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(seen.values == ["false", "true", "thrown"])
    }
}
