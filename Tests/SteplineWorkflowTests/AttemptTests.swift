import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AttemptTests {
    @Test("WF-10: the first end wins, and no late end reaches a later attempt")
    func fencing() async throws {
        let workflow = Workflow()
        let log = EventLog(workflow)
        let task = try workflow.add(HandTask())
        try task.start()
        let first = await task.attempt(1)
        task.reset()
        try task.start()
        #expect(first.finish(with: "late") == false)
        let second = await task.attempt(2)
        #expect(second.finish(with: "good") == true)
        #expect(second.fail(with: Broken()) == false)
        #expect(task.result as? String == "good")
        let events = await log.until { $0.kind == .endIgnored && $0.attempt == 2 }
        #expect(events.contains { $0.kind == .endIgnored && $0.attempt == 1 })
    }

    @Test("WF-11: task.finish in a body means that body's attempt")
    func ownAttempt() async throws {
        final class Old: WorkflowTask, @unchecked Sendable {  // the tools lock by themselves
            let gate = Gate()
            let entered = Recorder<Int>()
            let answers = Recorder<Bool>()
            override func main() {
                let number = currentAttempt.number
                Task {
                    entered.record(number)
                    if number == 1 { await gate.wait() }
                    answers.record(finish(with: number))
                }
            }
        }
        let workflow = Workflow()
        let task = try workflow.add(Old())
        try task.start()
        await task.entered.waitForCount(1)
        task.reset()
        task.gate.open()
        await task.answers.waitForCount(1)
        #expect(task.answers.values == [false])
        await task.untilReady()
    }

    @Test("WF-5, WF-12: an end from elsewhere, also after main(), means the attempt Executing, else none")
    func fromElsewhere() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        #expect(task.finish(with: 1) == false)
        try task.start()
        _ = await task.attempt()
        #expect(task.finish(with: 2) == true)
        #expect(task.finish(with: 3) == false)
        #expect(task.result as? Int == 2)
    }

    @Test("WF-12, WF-15: without grace the next attempt begins at once; an ambiguous end fails it")
    func ambiguous() async throws {
        let workflow = Workflow(options: .init(grace: .zero))
        let task = try workflow.add(HandTask())
        try task.start()
        _ = await task.attempt(1)
        task.reset()
        try task.start()
        // The first attempt has not ended.
        _ = await task.attempt(2)
        #expect(task.finish(with: "whose?") == true)
        #expect(task.isFailed && task.result == nil)
        #expect((task.error as? WorkflowError)?.code == .ambiguousEnd)
        #expect((task.error as? WorkflowError)?.description.contains("currentAttempt") == true)
    }

    @Test("WF-13: a stopped attempt knows it, and its handlers run once")
    func stopped() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        try task.start()
        let attempt = await task.attempt()
        let calls = Recorder<String>()
        attempt.onCancel { calls.record("early") }
        #expect(attempt.isCancelled == false)
        task.cancel()
        #expect(attempt.isCancelled)
        attempt.onCancel { calls.record("late") }
        task.cancel()
        #expect(calls.values == ["early", "late"])
    }

    @Test("WF-13: stopping an async body cancels its Swift task")
    func asyncStopped() async throws {
        let workflow = Workflow()
        let begun = Gate()
        let seen = Recorder<Bool>()
        let never = Gate()
        let ref = try workflow.add("body") { () async -> Void in
            begun.open()
            await withTaskCancellationHandler {
                await never.wait()
            } onCancel: {
                never.open()
            }
            seen.record(Task.isCancelled)
        }
        try workflow.start()
        await begun.wait()
        ref.task.cancel()
        await seen.waitForCount(1)
        #expect(seen.values == [true])
        #expect(ref.task.isCancelled)
    }

    @Test("WF-14, WF-15: the next attempt waits until the body of the last has ended")
    func neverTwoBodies() async throws {
        let workflow = Workflow()
        let entered = Recorder<Int>()
        let gate = Gate()
        let task = try workflow.add(
            BlockTask { attempt in
                entered.record(attempt.number)
                if attempt.number == 1 { gate.block() }
                attempt.finish(with: attempt.number)
            })
        try task.start()
        await entered.waitForCount(1)
        task.reset()
        try task.start()
        await task.untilReady()
        #expect(workflow.explain(task).description.contains("last body"))
        gate.open()
        await entered.waitForCount(2)
        await workflow.settle()
        #expect(task.result as? Int == 2)
        #expect(entered.values == [1, 2])
    }

    @Test("WF-14: a stopped body that doesn't end is abandoned after the grace, and the next may begin")
    func abandoned() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(grace: .seconds(10), clock: clock))
        let log = EventLog(workflow)
        let task = try workflow.add(HandTask())
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        task.queue = queue
        try task.start()
        _ = await task.attempt(1)
        // Behind the body in the queue: from here on main() has returned.
        await withCheckedContinuation { returned in queue.addOperation { returned.resume() } }
        task.reset()
        try task.start()
        await task.untilReady()
        await clock.waitForScheduled(after: .seconds(10))
        clock.advance(by: .seconds(10))
        let second = await task.attempt(2)
        second.finish(with: 2)
        let events = await log.until { $0.kind == .finished }
        #expect(events.contains { $0.kind == .abandoned && $0.attempt == 1 })
    }

    @Test(
        "WF-14: a body that has told its end and goes on is abandoned as well, once another attempt is to follow"
    )
    func lingering() async throws {
        let clock = ManualClock(), hold = Gate()
        let workflow = Workflow(options: .init(grace: .seconds(10), clock: clock))
        let began = Recorder<Int>()
        let retry = RetryPolicy.constant(attempts: 2, delay: .zero) { _ in true }
        let task = try workflow.add(
            BlockTask(name: "lingering", options: .init(retry: retry)) { attempt in
                began.record(attempt.number)
                if attempt.number == 1 { attempt.fail(with: Broken()) } else { attempt.finish(with: 2) }
                if attempt.number < 3 { hold.block() }
            })
        try workflow.start()
        for attempt in 1...3 {
            await began.waitForCount(attempt)
            // The second has finished, and is asked for once more.
            if attempt == 2 {
                task.reset()
                try task.start()
            }
            guard attempt < 3 else { break }
            await clock.waitForScheduled(after: .seconds(10))
            #expect(began.count == attempt)
            clock.advance(by: .seconds(10))
        }
        #expect(await workflow.outcome().isSuccess)
        #expect(began.values == [1, 2, 3])
        hold.open()
    }

    @Test("WF-14, WF-15: a body that is over with its failure isn't abandoned, also without grace")
    func overWithFailure() async throws {
        let workflow = Workflow(options: .init(grace: .zero))
        let log = EventLog(workflow)
        let retry = RetryPolicy.constant(attempts: 2, delay: .zero) { _ in true }
        let began = Recorder<Void>()
        try workflow.add("closure", options: .init(retry: retry)) {
            began.record(())
            if began.count == 1 { throw Broken() }
        }
        #expect(await workflow.outcome().isSuccess)
        let events = await log.until { if case .settled = $0.kind { true } else { false } }
        #expect(!events.contains { $0.kind == .abandoned })
    }

    @Test("WF-16: an attempt that nobody can end any more is told, and stays Executing")
    func release() async throws {
        let workflow = Workflow()
        let log = EventLog(workflow)
        let task = try workflow.add(BlockTask(name: "forgetful") { _ in })
        try workflow.start()
        let events = await log.until { $0.kind == .released }
        #expect(events.last?.name == "forgetful")
        #expect(task.isExecuting)
        #expect(workflow.explain(task).description.contains("released"))
        task.finish(with: 1)
        #expect(task.isFinished)
    }

    @Test("WF-16, WF-14: a stopped attempt that is released is no longer a live body")
    func releasedStopped() async throws {
        let workflow = Workflow()
        let attempts = Recorder<Int>()
        let task = try workflow.add(BlockTask { attempts.record($0.number) })
        try task.start()
        await attempts.waitForCount(1)
        task.reset()
        try task.start()
        await attempts.waitForCount(2)
        task.cancel()
    }

    @Test("WF-10, WF-12: of several stopped attempts each may still tell its end")
    func severalStopped() async throws {
        // Its callbacks come long after `main()`, and don't say of which attempt they are.
        let workflow = Workflow(options: .init(grace: .zero))
        let task = try workflow.add(HandTask())
        for number in 1...2 {
            try task.start()
            _ = await task.attempt(number)
            task.reset()
            await task.untilReady()
        }
        #expect(!task.finish(with: "first"))
        try task.start()
        let third = await task.attempt(3)
        #expect(task.finish(with: "second"))
        #expect(task.isFailed && (task.error as? WorkflowError)?.code == .ambiguousEnd)
        // Which was one too many: it may have been the third's own.
        #expect(!third.finish(with: "third"))
        await workflow.settle()
    }

    @Test("WF-13: onCancel of an attempt isn't taken for that of an earlier one")
    func handlersOfTheLast() async throws {
        let workflow = Workflow()
        let began = Recorder<Void>(), stopped = Recorder<Int>(), gates = [Gate(), Gate()]
        let work = try workflow.add("work") {
            began.record(())
            gates[began.count - 1].block()
        }
        try workflow.start()
        await began.waitForCount(1)
        work.task.currentAttempt.onCancel { stopped.record(1) }
        gates[0].open()
        _ = try await work.value
        try workflow.rerun(from: work.task)
        await began.waitForCount(2)
        work.task.currentAttempt.onCancel { stopped.record(2) }
        work.task.cancel()
        #expect(stopped.values == [2])
        gates[1].open()
        await workflow.settle()
    }
}
