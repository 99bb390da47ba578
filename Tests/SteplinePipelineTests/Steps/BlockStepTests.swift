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

    @Test("PL-20: an error of a block, plain or async, fails its step", arguments: [true, false])
    func failing(isAsync: Bool) async throws {
        let step: any Step =
            isAsync
            ? BlockStep<Void, Int> { () async throws -> Int in throw Broken() }
            : BlockStep<Void, Int> { () throws -> Int in throw Broken() }
        let pipeline = try makePipeline([step])
        try pipeline.start()
        #expect(await pipeline.outcome().failure?.underlying is Broken)
    }

    @Test("PL-13: a step that names a queue runs on it")
    func namedQueue() async throws {
        let seen = Recorder<OperationQueue?>()
        let one = OperationQueue()
        let two = OperationQueue()
        let two2 = BlockStep<Void, Void> { seen.record(OperationQueue.current) }.on(two)
        let pipeline = try makePipeline([
            BlockStep<Void, Void>(on: one) { seen.record(OperationQueue.current) }, two2,
            BlockStep<Void, Void>(on: one) { seen.record(OperationQueue.current) },
        ])
        try await pipeline.run()
        #expect(seen.values.count == 3)
        #expect(seen.values[0] === one)
        #expect(seen.values[1] === two)
        #expect(seen.values[2] === one)
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

    @Test("PL-13: an own step and a subclass run on the queue they name too")
    func otherKinds() async throws {
        let queue = OperationQueue()
        let seen = Recorder<Bool>()
        let own = CallbackStep { step in
            seen.record(OperationQueue.current === queue)
            step.finish()
        }.on(queue)
        let pipeline = try makePipeline([own, WordCount().on(queue)], content: Content(object: "a"))
        try await pipeline.run()
        #expect(seen.values == [true])
        #expect(pipeline.content?.bodyObject as? Int == 1)
    }
}
