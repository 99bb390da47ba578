import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Order and place of steps", .timeLimit(.minutes(5)))
struct OrderTests {
    @Test("PL-22, PL-36: steps run strictly one after the other, plain and async ones, whatever their queues")
    func strictOrder() async throws {
        let log = Recorder<String>()
        let queues: [OperationQueue?] = [nil, OperationQueue(), nil, OperationQueue(), OperationQueue()]
        let steps: [any Step] = (0..<25).map { number in
            let step: BlockStep<Void, Void> =
                number % 2 == 0
                ? plain {
                    log.record("+\(number)")
                    log.record("-\(number)")
                }
                : BlockStep<Void, Void>(to: .nothing) { () async in
                    log.record("+\(number)")
                    await Task.yield()
                    log.record("-\(number)")
                }
            return step.on(queues[number % 5])
        }
        try await makePipeline(steps).run()
        #expect(log.values == (0..<25).flatMap { ["+\($0)", "-\($0)"] })
    }

    @Test("PL-36: the first step gets the first bag, and what an earlier step's content shows never changes")
    func bags() async throws {
        let number = ContentKey<Int>("number")
        var bag = Content()
        bag[number] = 1
        let first = BlockStep(from: number, to: number) { (value: Int) in value + 1 }
        let second = BlockStep(from: number, to: number) { (value: Int) in value * 10 }
        let pipeline = try makePipeline([first, second], content: bag)
        try await pipeline.run()
        #expect(first.content[number] == 2)
        #expect(second.content[number] == 20)
        #expect(pipeline.content?[number] == 20)
        let empty = Recorder<Bool>()
        try await makePipeline([
            BlockStep<Content, Void>(from: .content, to: .nothing) { (bag: Content) in
                empty.record(bag.bodyData == nil && bag.bodyObject == nil)
            }
        ]).run()
        #expect(empty.values == [true])
    }

    @Test("PL-37: steps without a queue share a thread without a hop")
    func noHop() async throws {
        let log = Recorder<String>()
        let key = "stepline.test.hop.\(UUID())"
        try await makePipeline([
            plain { Thread.current.threadDictionary[key] = true },
            plain { log.record(Thread.current.threadDictionary[key] == nil ? "hop" : "same") },
            plain {
                log.record(Thread.current.threadDictionary[key] == nil ? "hop" : "same")
                Thread.current.threadDictionary.removeObject(forKey: key)
            },
        ]).run()
        #expect(log.values == ["same", "same"])
    }

    @Test("PL-37: behind a step with a queue of its own, one without runs elsewhere")
    func leavesTheQueue() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let inQueue = Recorder<Bool>()
        let note: @Sendable () -> Void = { inQueue.record(OperationQueue.current === queue) }
        try await makePipeline([
            plain("a", note), plain("b", note).on(queue), plain("c", note).on(queue), plain("d", note),
        ]).run()
        #expect(inQueue.values == [false, true, true, false])
    }

    @Test("PL-37: a pipeline's queueless steps don't wait for the busy queue of the step before")
    func busyQueue() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let gate = Gate()
        let pipeline = try makePipeline([
            plain("named") { queue.addOperation { gate.block() } }.on(queue), plain("free"),
        ])
        #expect(throws: Never.self) { try pipeline.start() }
        #expect(await pipeline.outcome().word == "succeeded")
        gate.open()
    }
}
