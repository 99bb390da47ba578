import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Blocks and queues", .timeLimit(.minutes(5)))
struct BlockStepTests {
    @Test("PL-20: a plain and an async closure, with and without context, follow the same rules")
    func fourForms() async throws {
        let steps: [any Step] = [
            BlockStep { (number: Int) in number + 1 },
            BlockStep { (number: Int) async in number + 1 },
            BlockStep { (number: Int, context: StepContext) in number + context.attempt },
            BlockStep { (number: Int, context: StepContext) async in number + context.position.index },
        ]
        let pipeline = try makePipeline(steps, content: Content(object: 10))
        #expect(try await pipeline.run(returning: Int.self) == 16)
    }

    @Test("PL-20: a block without keys uses the keys of its types, otherwise the given ones")
    func keys() {
        let byTypes = BlockStep { (data: Data) in data.count }
        #expect(byTypes.inputs == [ContentKey<Data>.bodyData.erased])
        #expect(byTypes.outputs == [ContentKey<Int>.bodyObject.erased])
        let number = ContentKey<Int>("number")
        let byKeys = BlockStep(from: number, to: number) { $0 }
        #expect(byKeys.inputs == [number.erased])
        #expect(byKeys.outputs == [number.erased])
        #expect(byKeys.options.queue == nil)
        let queue = OperationQueue()
        #expect(BlockStep(on: queue) { 1 }.options.queue === queue)
    }

    @Test("PL-13: a block, an own step and a subclass run on the queue that they name")
    func namedQueue() async throws {
        let seen = Recorder<String>()
        let (one, two) = (OperationQueue(), OperationQueue())
        let note: @Sendable () -> Void = {
            let queue = OperationQueue.current
            seen.record(queue === one ? "one" : queue === two ? "two" : "other")
        }
        let pipeline = try makePipeline(
            [
                BlockStep<Void, Void>(on: one) { note() }, plain { note() }.on(two),
                BlockStep<Void, Void>(on: one) { note() },
                CallbackStep { step in
                    note()
                    step.finish()
                }.on(two),
                WordCount().on(one),
            ], content: Content(object: "a"))
        try await pipeline.run()
        #expect(seen.values == ["one", "two", "one", "two"])
        #expect(pipeline.content?.bodyObject as? Int == 1)
    }

    @Test("PL-13: a step that names the main queue runs on it")
    func mainQueue() async throws {
        let seen = Recorder<Bool>()
        let pipeline = try makePipeline([
            plain { seen.record(OperationQueue.current === OperationQueue.main) }.on(.main),
            plain { seen.record(OperationQueue.current === OperationQueue.main) },
        ])
        try await pipeline.run()
        #expect(seen.values == [true, false])
    }
}
