import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplineWorkflow

extension Workflow {
    /// Waits until no thread is notifying, so that the thread of the next event notifies it.
    fileprivate func untilNobodyTells() async {
        await eventually { core.engine.state.withLock { !$0.turn.isTelling } }
    }
}

/// Late messages between a task and the workflow inside it.
@Suite("Late messages from inside", .timeLimit(.minutes(5)))
struct LateWordTests {
    private final class Slow: WorkflowTask, @unchecked Sendable {  // the gate locks by itself
        let gate = Gate()
        /// By this the thread of a worker tells of the end, and is the one that is held.
        override func main() { currentAttempt.finish() }
        override func didFinish(with result: (any Sendable)?) { gate.block() }
    }

    // The cancelled attempts' tasks are told of by another thread, while the one that cancels is held up.
    @Test("WF-67, WF-68: a cancel that reaches the inside late leaves the next attempt alone")
    func lateCancel() async throws {
        let center = NotificationCenter()
        let first = Workflow("first", notificationCenter: center)
        let second = Workflow("second")
        let (heldFirst, heldSecond) = (try first.add(HandTask()), try second.add(HandTask()))
        let outer = Workflow("outer")
        try outer.add(SubworkflowTask(subworkflow: first))
        let task = try outer.add(SubworkflowTask(subworkflow: second))
        let slow = try outer.add(Slow())
        let (held, cancelled, notified) = (Gate(), Gate(), Gate())
        let observer = center.addObserver(
            forName: Workflow.willCancelNotification, object: nil, queue: nil
        ) { _ in held.block() }
        defer { center.removeObserver(observer) }
        try outer.start()
        let (bodyFirst, bodySecond) = (await heldFirst.attempt(), await heldSecond.attempt())
        await slow.gate.waitForArrivals(1)
        Thread.detachNewThread {
            outer.cancel()
            cancelled.open()
        }
        await held.waitForArrivals(1)
        slow.gate.open()
        let subscription = task.onEnd { _ in notified.open() }
        await notified.wait()
        subscription.cancel()
        #expect(task.isCancelled)

        bodySecond.finish()
        task.reset()
        try task.start()
        let again = await heldSecond.attempt(2)
        held.open()
        await cancelled.wait()
        #expect(heldSecond.isExecuting)
        again.finish()
        await TaskRef<Workflow>.settled(task)
        #expect(task.isFinished)
        bodyFirst.finish()
        await outer.settle()
    }

    @Test("WF-107: word that goes deep in a Swift task, begun where word was passed on, is passed on as well")
    func relayed() async {
        let gate = Gate(), deepest = Gate()
        @Sendable func pass(_ left: Int) {
            Relay.pass { if left > 0 { pass(left - 1) } else { deepest.open() } }
        }
        // The relayed message is handled before the task continues.
        Relay.pass {
            Task {
                await gate.wait()
                pass(100)
            }
        }
        gate.open()
        await deepest.wait()
    }

    @Test("WF-67, WF-69: a cancel that reaches the inside only when its task was put back leaves it alone")
    func lateForRetried() async throws {
        let center = NotificationCenter()
        let (first, second) = (Workflow("first", notificationCenter: center), Workflow("second"))
        let (heldFirst, heldSecond) = (try first.add(HandTask()), try second.add(HandTask()))
        let outer = Workflow("outer")
        try outer.add(SubworkflowTask(subworkflow: first))
        let task = try outer.add(SubworkflowTask(subworkflow: second))
        let (held, cancelled) = (Gate(), Gate())
        let observer = center.addObserver(
            forName: Workflow.willCancelNotification, object: nil, queue: nil
        ) { _ in held.block() }
        defer { center.removeObserver(observer) }
        try outer.start()
        let (bodyFirst, bodySecond) = (await heldFirst.attempt(), await heldSecond.attempt())
        let slow = try outer.add(Slow())
        await slow.gate.waitForArrivals(1)
        Thread.detachNewThread {
            outer.cancel()
            cancelled.open()
        }
        await held.waitForArrivals(1)
        let notified = Gate()
        let subscription = task.onEnd { _ in notified.open() }
        slow.gate.open()
        await notified.wait()
        subscription.cancel()
        task.retry()
        held.open()
        await cancelled.wait()
        #expect(heldSecond.isExecuting)
        bodySecond.finish()
        await TaskRef<Workflow>.settled(task)
        #expect(task.isFinished)
        bodyFirst.finish()
        await outer.settle()
    }

    @Test("WF-67: an inside that is cancelled unheard cancels the task when it has settled")
    func cancelledUnheard() async throws {
        let inner = Workflow("inner")
        let held = try inner.add(HandTask())
        let outer = Workflow("outer")
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        try outer.start()
        let body = await held.attempt()
        // As if from a cancel before this attempt began.
        task.cancelInside(.requested, of: 1)
        #expect(held.isCancelled && task.isExecuting)
        body.finish()
        await TaskRef<Workflow>.settled(task)
        #expect(task.isCancelled)
    }

    private final class HardOfHearing: SubworkflowTask, @unchecked Sendable {  // adds nothing
        override func hear(_ news: InsideNews) {
            if case .settled = news { super.hear(news) }
        }
    }

    @Test("WF-66: an inside that has failed unheard fails the task when it has settled")
    func failedUnheard() async throws {
        let inner = Workflow("inner")
        let bad = try inner.add(HandTask())
        let outer = Workflow("outer")
        let task = try outer.add(HardOfHearing(subworkflow: inner))
        try outer.start()
        await bad.attempt().fail(with: Broken(number: 4))
        await TaskRef<Workflow>.settled(task)
        #expect(task.error as? Broken == Broken(number: 4))
    }

    @Test("WF-66, WF-67: an outdated message from inside changes nothing")
    func stale() async throws {
        let inner = Workflow("inner")
        let held = try inner.add(HandTask())
        let outer = Workflow("outer")
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        try outer.start()
        let body = await held.attempt()
        task.hear(.failed(Broken(number: 1)))
        task.hear(.cancelled(.requested))
        task.hear(.settled)
        #expect(task.isExecuting)
        body.finish()
        await TaskRef<Workflow>.settled(task)
        #expect(task.isFinished)
    }

    @Test(
        "WF-67: a map whose elements are cancelled unheard is cancelled, though another has failed",
        arguments: [true, false])
    func elements(collectsFailures: Bool) async throws {
        let outer = Workflow("outer")
        let list = try outer.add("list") { [0, 1] }
        let began = Gate()
        let hold = Gate()
        let body: @Sendable (Int) async throws -> Int = { number in
            if number == 1 { throw Broken(number: 1) }
            began.open()
            await hold.wait()
            return number
        }
        let task: WorkflowTask
        if collectsFailures {
            task = try outer.mapCollectingFailures("map", over: list, body: body).task
        } else {
            task = try outer.map("map", over: list, body: body).task
        }
        try outer.start()
        await began.wait()
        let map = try #require(task as? SubworkflowTask)
        await eventually { map.subworkflow.taskCount(in: .failed) > 0 }
        await map.subworkflow.untilNobodyTells()
        map.cancelInside(.requested, of: 1)
        #expect(task.isExecuting)
        hold.open()
        await TaskRef<[Int]>.settled(task)
        #expect(task.isCancelled)
    }
}
