import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("State, content and output", .timeLimit(.minutes(5)))
struct StateTests {
    @Test("PL-38: content is nil until the first step ends, then the bag of the step that ended last")
    func content() async throws {
        let gates = [Gate(), Gate()]
        let pipeline = try makePipeline([
            BlockStep<Void, Int>(to: .bodyObject) {
                await gates[0].wait(); return 1
            },
            BlockStep<Int, Int>(from: .bodyObject, to: .bodyObject) {
                await gates[1].wait(); return $0 + 1
            },
        ])
        #expect(pipeline.content == nil)
        try pipeline.start()
        await gates[0].waitForArrivals()
        #expect(pipeline.content == nil)
        gates[0].open()
        await gates[1].waitForArrivals()
        #expect(pipeline.content?.bodyObject as? Int == 1)
        gates[1].open()
        _ = await pipeline.outcome()
        #expect(pipeline.content?.bodyObject as? Int == 2)
    }

    @Test("PL-39: output is what the last step made, under whatever key, and nil after a Void step")
    func output() async throws {
        let keyed = try makePipeline([
            BlockStep<Void, Int>(to: .bodyObject) { 1 },
            BlockStep<Void, String>(to: ContentKey<String>("text")) { "last" },
        ])
        #expect(keyed.output == nil)
        try await keyed.run()
        #expect(keyed.output as? String == "last")
        let void = try makePipeline([BlockStep<Void, Int>(to: .bodyObject) { 1 }, plain()])
        try await void.run()
        #expect(void.output == nil)
        #expect(void.content?.bodyObject as? Int == 1)
    }

    @Test("PL-39: after a whole-bag step it is the object, else the bytes; NSNull is delivered as nil")
    func outputOfBags() async throws {
        func run(_ bag: Content) async throws -> (any Sendable)? {
            let pipeline = try makePipeline([BlockStep<Void, Content>(to: .content) { bag }])
            try await pipeline.run()
            return pipeline.output
        }
        var bag = Content()
        bag[.bodyData] = Data([1])
        #expect(try await run(bag) as? Data == Data([1]))
        bag[ContentKey<Int>.bodyObject] = 5
        #expect(try await run(bag) as? Int == 5)
        bag["bodyObject"] = NSNull()
        #expect(try await run(bag) == nil)
    }

    @Test("PL-40: no callback, event or waiting task sees an end without its result")
    func oneMoment() async throws {
        for _ in 0..<50 {
            let pipeline = try makePipeline([BlockStep<Void, Int>(to: .bodyObject) { 7 }])
            let seen = Recorder<Bool>()
            let look: @Sendable (Pipeline<Content>) -> Bool = {
                $0.isFinished && !$0.isExecuting && !$0.isCancelled && $0.output as? Int == 7
                    && $0.content?.bodyObject as? Int == 7 && $0.error == nil && $0.stateWord == "succeeded"
            }
            pipeline.onSuccess { [unowned pipeline] _ in seen.record(look(pipeline)) }
            pipeline.onEnd { [unowned pipeline] _ in seen.record(look(pipeline)) }
            let events = pipeline.events
            let reading = Task {
                for await event in events {
                    if case .ended = event.kind { seen.record(look(pipeline)) }
                }
            }
            try await pipeline.run()
            #expect(look(pipeline))
            await reading.value
            await seen.waitForCount(3)
            #expect(seen.values == [true, true, true])
        }
    }

    @Test("PL-40: readers on other threads never see finished and executing together")
    func neverBoth() async throws {
        for _ in 0..<20 {
            let gate = Gate()
            let pipeline = try makePipeline([held(at: gate)])
            try pipeline.start()
            let readers = (0..<2).map { _ in
                Task.detached {
                    var isRight = true
                    while true {
                        let finished = pipeline.isFinished
                        if finished {
                            isRight = isRight && !pipeline.isExecuting && pipeline.stateWord == "succeeded"
                            return isRight
                        }
                        await Task.yield()
                    }
                }
            }
            gate.open()
            for reader in readers { #expect(await reader.value) }
        }
    }

    @Test("PL-38, PL-41: an error ends the pipeline as failed, once, with its bag; later steps don't run")
    func failure() async throws {
        let ran = Recorder<String>()
        let errors = Recorder<PipelineError>()
        let pipeline = try makePipeline([
            BlockStep<Void, Int>(to: .bodyObject) {
                ran.record("a"); return 1
            },
            plain("b") { throw Broken(number: 1) },
            plain("c") {
                ran.record("c"); throw Broken(number: 2)
            },
        ])
        pipeline.onFailure { errors.record($0) }
        pipeline.onSuccess { _ in Issue.record("told of a success") }
        try pipeline.start()
        #expect(await pipeline.outcome().word == "failed")
        #expect(ran.values == ["a"])
        #expect(errors.count == 1)
        #expect(errors.values.first?.underlying as? Broken == Broken(number: 1))
        #expect(pipeline.error?.step?.index == 1)
        #expect(pipeline.content?.bodyObject as? Int == 1)
    }
}
