import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Steps of a pipeline among other operations and queues.
@Suite("Steps as operations", .timeLimit(.minutes(5)))
struct StepsEndTests {
    private final class Never: Operation, @unchecked Sendable {}

    @Test func `a step cancelled in a queue while its dependency hasn't finished never runs its body`() {
        let queue = OperationQueue()
        let ran = Recorder<Void>()
        let other = Never()
        for _ in 0..<Chance.rounds(400) {
            let step = plain { ran.record(()) }
            step.addDependency(other)
            queue.addOperation(step)
            step.cancel()
        }
        queue.waitUntilAllOperationsAreFinished()
        #expect(ran.count == 0)
    }

    @Test func `every step has ended at the moment a pipeline has, those that never began as cancelled`()
        async throws
    {
        for way in ["cancel before the start", "cancel in a queue", "fail", "cancel a body", "deadline"] {
            let clock = ManualClock()
            let gate = Gate()
            let queue = OperationQueue()
            queue.isSuspended = true
            let first =
                switch way {
                case "fail": plain { throw Broken() }
                case "cancel in a queue": plain().on(queue)
                default: held(at: gate)
                }
            let rest = [plain(), plain(), plain()]
            let after = Recorder<Void>()
            let dependent = BlockOperation { after.record(()) }
            dependent.addDependency(rest[2])
            OperationQueue().addOperation(dependent)
            let pipeline = try makePipeline(
                [first] + rest, options: .init(deadline: .seconds(5), clock: clock))
            let seen = Recorder<Bool>()
            pipeline.onEnd { _ in seen.record(rest.allSatisfy { $0.isFinished && $0.isCancelled }) }
            if way != "cancel before the start" { try pipeline.start() }
            if way == "cancel a body" || way == "deadline" { await gate.waitForArrivals() }
            if way.hasPrefix("cancel") { #expect(pipeline.cancel()) }
            if way == "deadline" { clock.advance(by: .seconds(5)) } else { gate.open() }
            let outcome = await pipeline.outcome()
            #expect(outcome.word == (way.hasPrefix("cancel") ? "cancelled" : "failed"), "\(way)")
            #expect((([first] + rest) as [any Step]).allSatisfy { $0.isFinished }, "\(way)")
            #expect(rest.allSatisfy { $0.isCancelled }, "\(way)")
            #expect(first.isCancelled == (way != "fail"), "\(way)")
            #expect(seen.values == [true], "\(way)")
            await after.waitForCount(1)
            gate.open()
            queue.isSuspended = false
        }
    }

    @Test func `a pipeline whose step waits in a queue that is emptied ends as cancelled`() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let ran = Recorder<Void>()
        let step = plain { ran.record(()) }.on(queue)
        let pipeline = try makePipeline([plain(), step, plain()])
        try pipeline.start()
        await eventually { queue.operationCount > 0 }
        queue.cancelAllOperations()
        #expect(pipeline.isFinished && step.isFinished)
        #expect(await pipeline.outcome().reason == .queueCancelled)
        queue.isSuspended = false
        queue.waitUntilEmpty()
        #expect(ran.count == 0)
    }

    /// Takes no work.
    private final class Blind: OperationQueue, @unchecked Sendable {
        override func addOperation(_ operation: Operation) {}
    }

    @Test func `a pipeline whose step waits in a queue that drops its work ends as cancelled`() async throws {
        let step = plain().on(Blind())
        let pipeline = try makePipeline([step])
        try pipeline.start()
        #expect(await pipeline.outcome().reason == .queueCancelled)
        #expect(step.isFinished)
    }

    @Test func `a queue that is emptied while a body runs there cancels the pipeline`() async throws {
        let queue = OperationQueue()
        let gate = Gate()
        let pipeline = try makePipeline([
            BlockStep<Void, Void>(to: .nothing) { (_: Void, context: StepContext) throws in
                gate.block()
                try context.checkCancellation()
            }.on(queue)
        ])
        try pipeline.start()
        await gate.waitForArrivals()
        queue.cancelAllOperations()
        #expect(pipeline.stateWord == "cancelling")
        gate.open()
        #expect(await pipeline.outcome().reason == .queueCancelled)
    }

    @Test func `a step waits for the operations it depends on before it begins, and says so`() async throws {
        let other = BlockOperation {}
        other.name = "other"
        let reported = Recorder<String>()
        let step = plain { reported.record("step") }
        step.addDependency(other)
        let pipeline = try makePipeline([plain { reported.record("before") }, step, plain()])
        let events = pipeline.events
        try pipeline.start()
        for await event in events {
            if case .stepEnded = event.kind { break }
        }
        await eventually { pipeline.explain().code == .awaitsDependencies }
        #expect(pipeline.explain().causes == ["other"])
        #expect(reported.values == ["before"])
        other.start()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(reported.values == ["before", "step"])
    }

    @Test func `a cancelled step that waits for an operation has ended at once, and is freed`()
        async throws
    {
        let other = Never()
        weak var freed: Pipeline<Content>?
        do {
            let step = plain()
            step.addDependency(other)
            let pipeline = try makePipeline([step])
            freed = pipeline
            try pipeline.start()
            await eventually { pipeline.explain().code == .awaitsDependencies }
            #expect(pipeline.cancel())
            #expect(pipeline.isFinished && step.isFinished && step.isCancelled)
        }
        await eventually { freed == nil }
        other.start()
    }

    @Test func `the operation of a cancelled wait is released, though it never runs`() async throws {
        for _ in 0..<Chance.rounds(20) {
            weak var freed: Operation?
            do {
                let other = Never()
                freed = other
                let step = plain()
                step.addDependency(other)
                let pipeline = try makePipeline([step])
                try pipeline.start()
                await eventually { pipeline.explain().code == .awaitsDependencies }
                #expect(pipeline.cancel())
            }
            await eventually { freed == nil }
        }
    }

    @Test func `a dependency that has finished, or is an earlier step, holds nothing up`() async throws {
        let done = BlockOperation {}
        done.start()
        let (first, second) = (plain(), plain())
        second.addDependency(done)
        second.addDependency(first)
        let pipeline = try makePipeline([first, second])
        try await pipeline.run()
        let elsewhere = plain()
        elsewhere.addDependency(second)
        try await makePipeline([elsewhere]).run()
        #expect(elsewhere.isFinished && !elsewhere.isCancelled)
    }

    @Test func `a step that depends on itself or on a later one is refused by the check`() throws {
        let (first, second) = (plain("first"), plain("second"))
        first.addDependency(second)
        let pipeline = try makePipeline([first, second])
        #expect(pipeline.check().map(\.code) == [.dependsOnLaterStep])
        #expect(pipeline.check().map(\.place) == ["step 1 of 2 \"first\""])
        #expect(pipelineError { try pipeline.start() }?.code == .checkFailed)
    }
}

extension OperationQueue {
    /// Waits with the thread, where waiting with the task isn't possible.
    fileprivate nonisolated func waitUntilEmpty() { waitUntilAllOperationsAreFinished() }
}
