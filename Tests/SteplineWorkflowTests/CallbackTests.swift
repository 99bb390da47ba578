import Dispatch
import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CallbackTests {
    final class Listener: WorkflowTaskDelegate {
        let received = Recorder<String>()
        func task(_ task: WorkflowTask, didFinishWith result: (any Sendable)?) {
            received.record("\(task.name) finished")
        }
        func task(_ task: WorkflowTask, didFailWith error: (any Error)?) {
            received.record("\(task.name) failed")
        }
        func taskDidCancel(_ task: WorkflowTask) { received.record("\(task.name) cancelled") }
    }

    @Test(
        "WF-95: observe tells each change with old state, new state and snapshot, until its token is released"
    )
    func observes() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        let seen = Recorder<WorkflowTask.Change>()
        let subscription = task.observe { seen.record($0) }
        try task.start()
        await task.attempt().finish(with: 7)
        task.reset()
        await task.untilReady()
        task.reset()
        await seen.waitForCount(6)
        let states = seen.values.map { "\($0.oldState) \($0.snapshot.state)" }
        #expect(
            states == [
                "Ready Executing", "Executing Finished", "Finished Pending", "Pending Ready",
                "Ready Pending", "Pending Ready",
            ])
        let end = seen.values[1].snapshot
        #expect(end.result as? Int == 7 && end.attempt == 1 && end.finishDate != nil)
        #expect(seen.values[2].snapshot.result == nil)
        let before = seen.count
        task.retry()
        #expect(seen.count == before, "nothing where nothing changes")
        subscription.cancel()
        task.cancel()
        #expect(seen.count == before)
    }

    @Test(
        "WF-95: an owner is an identity by which its callbacks are removed; that it is gone changes nothing")
    func owners() async throws {
        final class Owner: Sendable {}
        let workflow = Workflow()
        let task = try workflow.add("task") { 7 }
        let notified = Recorder<String>()
        let mine = Owner(), other = Owner()
        var gone: Owner? = Owner()
        for (owner, name) in [(mine, "mine"), (other, "other"), (gone, "gone"), (nil, "nobody's")] {
            task.task.onSuccess(for: owner) { _ in notified.record("\(name) success") }
            task.task.onEnd(for: owner) { _ in notified.record("\(name) end") }
            workflow.onEnd(for: owner) { _ in notified.record("\(name) run") }
        }
        gone = nil
        task.task.removeCallbacks(of: mine)
        workflow.removeCallbacks(of: mine)
        // Of whom there are none.
        task.task.removeCallbacks(of: notified)
        try await workflow.run()
        await notified.waitForCount(9)
        let expected = ["other", "gone", "nobody's"].flatMap { name in
            ["success", "end", "run"].map { "\(name) \($0)" }
        }
        #expect(notified.values.sorted() == expected.sorted())
    }

    @Test("WF-95: a callback that is due on a queue doesn't run once its owner's callbacks are removed")
    func ownersRemovedLate() async throws {
        final class Owner: Sendable {}
        let workflow = Workflow()
        let task = try workflow.add("task") { 7 }
        let notified = Recorder<String>(), owner = Owner()
        let queue = DispatchQueue(label: "callbacks")
        queue.suspend()
        task.task.onSuccess(on: queue, for: owner) { _ in notified.record("owner") }
        workflow.onEnd(on: queue, for: owner) { _ in notified.record("owner's run") }
        workflow.onEnd(on: queue) { _ in notified.record("run") }
        try await workflow.run()
        task.task.removeCallbacks(of: owner)
        workflow.removeCallbacks(of: owner)
        queue.resume()
        await notified.waitForCount(1)
        #expect(queue.sync { notified.values } == ["run"])
    }

    @Test("WF-24, WF-26, WF-91: a cancel from inside a callback is told after what was decided before it")
    func cancelInside() async throws {
        let workflow = Workflow()
        let listener = Listener()
        let task = try workflow.add(HandTask(name: "task"))
        let below = try workflow.add(HandTask(name: "below"), prerequisites: [task])
        task.delegate = listener
        below.delegate = listener
        _ = task.observe { [weak workflow] change in
            guard change.snapshot.state == .finished else { return }
            listener.received.record("observed")
            workflow?.cancel()
            listener.received.record("cancel returned")
        }
        try workflow.start()
        await task.attempt().finish()
        let eventLog = ["observed", "cancel returned", "task finished", "below cancelled"]
        #expect(listener.received.values == eventLog)
        #expect(task.hooks.values == ["didFinish"] && below.hooks.values == ["didCancel"])
        #expect(task.isFinished)
    }

    @Test("WF-26, WF-91: a cancel after the end returns false, and the end stands and is reported once")
    func cancelOutside() async throws {
        for fails in [false, true] {
            let workflow = Workflow()
            let listener = Listener()
            let gate = Gate()
            let task = try workflow.add(HandTask(name: "task"))
            task.delegate = listener
            _ = task.observe { change in
                if change.snapshot.state == .finished || change.snapshot.state == .failed { gate.block() }
            }
            try workflow.start()
            let attempt = await task.attempt()
            let ended = Recorder<Bool>()
            Thread.detachNewThread { ended.record(fails ? attempt.fail() : attempt.finish()) }
            await gate.waitForArrivals()
            #expect(!task.cancel() && !workflow.cancel())
            gate.open()
            await ended.waitForCount(1)
            #expect(ended.values == [true])
            await listener.received.waitForCount(1)
            #expect(listener.received.values == [fails ? "task failed" : "task finished"])
            #expect(task.hooks.values == [fails ? "didFail" : "didFinish"])
            #expect(fails ? task.isFailed : task.isFinished)
        }
    }

    @Test("WF-26, WF-94: after a cancel on a callback queue no callback begins there")
    func cancelQueued() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let workflow = Workflow(options: WorkflowOptions(callbackQueue: queue))
        let listener = Listener()
        let task = try workflow.add(HandTask(name: "task"))
        let below = try workflow.add(HandTask(name: "below"), prerequisites: [task])
        task.delegate = listener
        below.delegate = listener
        try workflow.start()
        let attempt = await task.attempt()
        let gate = Gate()
        queue.async {
            gate.block()
            task.cancel()
        }
        await gate.waitForArrivals()
        attempt.finish()
        _ = await below.attempt()
        gate.open()
        await listener.received.waitForCount(1)
        #expect(listener.received.values == ["below cancelled"])
        #expect(task.isFinished && below.isCancelled)
        task.reset()
        try task.start()
        await task.attempt(2).finish()
        await listener.received.waitForCount(2)
        #expect(listener.received.values.last == "task finished", "a later attempt's success is told")
        workflow.cancel()
    }

    @Test(
        "WF-26: a callback registered after the end doesn't begin after a cancel on its queue",
        arguments: [false, true])
    func cancelRegisteredLate(_ fails: Bool) async throws {
        let workflow = Workflow(), notified = Recorder<String>(), queue = DispatchQueue(label: "callbacks")
        let task = try workflow.add(HandTask(name: "task"))
        try workflow.start()
        let attempt = await task.attempt()
        _ = fails ? attempt.fail(with: Broken()) : attempt.finish()
        await withCheckedContinuation { continuation in
            queue.async {
                task.onSuccess(on: queue) { _ in notified.record("success") }
                task.onFailure(on: queue) { _ in notified.record("failure") }
                task.onEnd(on: queue) { notified.record("\($0)") }
                #expect(!task.cancel())
                task.onEnd(on: queue) { _ in notified.record("withdrawn") }.cancel()
                task.onEnd(on: queue) { _ in notified.record("registered later") }
                queue.async { continuation.resume() }
            }
        }
        #expect(notified.values == ["registered later"])
    }

    @Test(
        "WF-95: a callback gets the outcome, with the reason of a cancel, also if it is added late",
        arguments: [true, false])
    func outcomes(isInWorkflow: Bool) async throws {
        var workflow: Workflow? = isInWorkflow ? Workflow() : nil
        let task = HandTask(name: "task"), notified = Recorder<String>()
        try workflow?.add(task)
        task.onEnd { notified.record("\($0)") }
        task.cancel(.init(.unwanted, "the user left"))
        task.onEnd { notified.record("late: \($0)") }
        await notified.waitForCount(2)
        #expect(notified.values == ["cancelled: the user left", "late: cancelled: the user left"])
        #expect(task.snapshot.cancellation?.code == .unwanted)
        // The outcome outlives the workflow.
        workflow = nil
        #expect(task.snapshot.cancellation?.code == .unwanted)
        let other = Workflow()
        try other.add(task)
        #expect(task.isCancelled && task.snapshot.cancellation?.code == .unwanted)
        task.retry()
        #expect(task.snapshot.cancellation == nil)
        try task.start()
        await task.attempt().fail(with: Broken())
        await notified.waitForCount(4)
        #expect(notified.values[2...].allSatisfy { $0.contains("failed: ") })
    }

    @Test(
        "WF-26: after a cancel on the main thread no callback begins on the main queue, not even a late one")
    func cancelOnMain() async throws {
        let workflow = Workflow(), notified = Recorder<String>()
        let task = try workflow.add(BlockTask(name: "task") { $0.finish() })
        try await workflow.run()
        await MainActor.run {
            task.onSuccess(on: .main) { _ in notified.record("success") }
            task.cancel()
        }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(notified.count == 0)
    }

    @Test(
        "WF-6: code behind a message runs when all effects are done; hooks are called for real changes, once each"
    )
    func effects() async throws {
        let workflow = Workflow()
        let root = try workflow.add(HandTask(name: "root"))
        let left = try workflow.add(HandTask(name: "left"), prerequisites: [root])
        let right = try workflow.add(HandTask(name: "right"), prerequisites: [root])
        let end = try workflow.add(HandTask(name: "end"), prerequisites: [left, right])
        root.cancel()
        for task in [root, left, right, end] { #expect(task.hooks.values == ["didCancel"]) }
        root.cancel()
        #expect(end.hooks.count == 1, "nothing has changed")
        root.retry()
        for task in [root, left, right, end] { #expect(task.hooks.values.last == "didRetry Pending") }
        await root.attempt().finish()
        #expect(root.hooks.values.last == "didFinish" && root.hooks.count == 3)
        end.reset()
        #expect(end.hooks.count == 2, "a Pending task is not changed by a reset")
        root.reset()
        await root.untilReady()
        #expect(root.hooks.values.last == "didReset Pending")
        workflow.cancel()
    }
}
