import Dispatch
import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TellingTests {
    final class Witness: WorkflowDelegate, WorkflowTaskDelegate {
        let received: Recorder<String>
        init(_ received: Recorder<String>) { self.received = received }
        func task(_ task: WorkflowTask, didFinishWith result: (any Sendable)?) {
            received.record("task delegate")
        }
        func task(_ task: WorkflowTask, didFailWith error: (any Error)?) { received.record("task delegate") }
        func taskDidCancel(_ task: WorkflowTask) { received.record("task delegate") }
        func workflowDidFinish(_ workflow: Workflow) { received.record("workflow delegate finish") }
        func workflow(_ workflow: Workflow, task: WorkflowTask, didFailWith error: (any Error)?) {
            received.record("workflow delegate fail")
        }
        func workflow(_ workflow: Workflow, taskDidCancel task: WorkflowTask) {
            received.record("workflow delegate cancel")
        }
    }

    final class Hooked: WorkflowTask, @unchecked Sendable {  // the recorder locks by itself
        let received: Recorder<String>
        init(_ received: Recorder<String>) {
            self.received = received
            super.init()
        }
        override func main() {}
        override func didFinish(with result: (any Sendable)?) { received.record("hook") }
        override func didFail(with error: (any Error)?) { received.record("hook") }
        override func didCancel() { received.record("hook") }
        override func didReset() { received.record("hook \(state)") }
        override func didRetry() { received.record("hook \(state)") }
    }

    @Test(
        "WF-20, WF-24: a reset task starts when its prerequisite is finished again, also if the reset is reported late"
    )
    func startBeforeReport() async throws {
        let workflow = Workflow()
        let other = try workflow.add(HandTask(name: "other"))
        let upstream = try workflow.add("upstream") {}
        let task = try workflow.add(HandTask(name: "task"), prerequisites: [upstream.task])
        let (held, isReset) = (Gate(), Recorder<WorkflowTask.State>())
        let subscriptions = [
            other.observe { if $0.newState == .finished { held.block() } },
            task.observe { isReset.record($0.newState) },
        ]
        try workflow.start()
        await task.attempt().finish()
        await TaskRef<String>.settled(task)
        let attempt = await other.attempt()
        // The thread notifies until the gate opens, and then notifies of all later changes.
        Thread.detachNewThread { attempt.finish() }
        await held.waitForArrivals()
        upstream.task.reset()
        try upstream.task.start()
        await eventually { upstream.task.isFinished }
        #expect(task.isPending && isReset.values.last == .finished)
        held.open()
        await task.attempt(2).finish()
        await workflow.settle()
        #expect(task.isFinished && workflow.status == .settled(.finished))
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("WF-24, WF-61: a condition that is fulfilled before its reset is notified finishes afterwards")
    func fulfilledBeforeReport() async throws {
        let workflow = Workflow()
        let other = try workflow.add(HandTask(name: "other"))
        let condition = try workflow.addCondition("condition", of: Int.self)
        let held = Gate()
        let subscriptions = [
            other.observe { if $0.newState == .finished { held.block() } }, condition.task.observe { _ in },
        ]
        try workflow.start()
        condition.fulfill(with: 1)
        _ = try await condition.value
        let attempt = await other.attempt()
        Thread.detachNewThread { attempt.finish() }
        await held.waitForArrivals()
        condition.task.reset()
        condition.fulfill(with: 2)
        held.open()
        await TaskRef<Int>.settled(condition.task)
        #expect(condition.result == 2)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("WF-23, WF-92, WF-93: observers, hook, delegate, notifications, in this order")
    func order() async throws {
        let received = Recorder<String>()
        let center = NotificationCenter()
        let workflow = Workflow(notificationCenter: center)
        let witness = Witness(received)
        let task = try workflow.add(Hooked(received))
        task.delegate = witness
        workflow.delegate = witness
        let started = Recorder<Void>()
        let names: [Notification.Name] = [
            WorkflowTask.didFinishNotification, WorkflowTask.didFailNotification,
            WorkflowTask.didCancelNotification, WorkflowTask.didResetNotification,
            WorkflowTask.didRetryNotification, Workflow.didFinishNotification,
            Workflow.taskDidFailNotification, Workflow.taskDidCancelNotification,
        ]
        let tokens = names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { note in
                let about =
                    (note.userInfo?[Workflow.taskKey] as? WorkflowTask).map { _ in " with task" } ?? ""
                received.record("\(name.rawValue)\(about)")
            }
        }
        let token = task.observe { change in
            received.record("observer \(change.newState)")
            if change.newState == .executing { started.record(()) }
        }
        func since(_ count: Int) -> [String] { Array(received.values.dropFirst(count)) }

        try workflow.start()
        await started.waitForCount(1)
        var before = received.count
        task.fail(with: Broken())
        // The thread that is telling of the start may be the one that tells this, too.
        await received.waitForCount(before + 6)
        #expect(
            since(before) == [
                "observer Failed", "hook", "task delegate", "WorkflowTask.didFailNotification",
                "workflow delegate fail", "Workflow.taskDidFailNotification with task",
            ])
        before = received.count
        task.reset()
        await received.waitForCount(before + 4)
        #expect(
            since(before) == [
                "observer Pending", "hook Pending", "WorkflowTask.didResetNotification", "observer Ready",
            ])
        try workflow.start()
        await started.waitForCount(2)
        before = received.count
        task.finish()
        await received.waitForCount(before + 6)
        #expect(
            since(before) == [
                "observer Finished", "hook", "task delegate", "WorkflowTask.didFinishNotification",
                "workflow delegate finish", "Workflow.didFinishNotification",
            ])
        before = received.count
        task.reset()
        await received.waitForCount(before + 4)
        before = received.count
        task.cancel()
        await received.waitForCount(before + 6)
        #expect(
            since(before) == [
                "observer Cancelled", "hook", "task delegate", "WorkflowTask.didCancelNotification",
                "workflow delegate cancel", "Workflow.taskDidCancelNotification with task",
            ])
        before = received.count
        task.retry()
        await received.waitForCount(before + 4)
        #expect(
            Array(since(before).prefix(4)) == [
                "observer Pending", "hook Pending", "WorkflowTask.didRetryNotification", "observer Ready",
            ])
        token.cancel()
        await started.waitForCount(2)
        task.cancel()
        for token in tokens { center.removeObserver(token) }
    }

    @Test("WF-24, WF-46: completion is notified after all earlier changes, whichever thread notifies them")
    func completionComesLast() async throws {
        let received = Recorder<String>()
        let workflow = Workflow()
        let task = try workflow.add(Hooked(received))
        let witness = Witness(received)
        workflow.delegate = witness
        let inStart = Gate()
        let token = task.observe { change in
            if change.newState == .executing { inStart.block() }
        }
        try workflow.start()
        await inStart.waitForArrivals()
        task.finish()
        #expect(task.isFinished && workflow.status == .running && received.values.isEmpty)
        inStart.open()
        await received.waitForCount(2)
        #expect(received.values == ["hook", "workflow delegate finish"])
        token.cancel()
    }

    @Test("WF-24, WF-25: a callback may retry its task and add others; all listeners get the failure first")
    func nested() async throws {
        let workflow = Workflow()
        let received = Recorder<String>(), added = Recorder<WorkflowTask>()
        let task = try workflow.add(HandTask())
        let first = task.observe { change in
            guard change.newState == .failed else { return }
            task.retry()
            if let late = try? workflow.add(named("late")) { added.record(late) }
        }
        let second = task.observe { received.record("\($0.newState)") }
        try workflow.start()
        await task.attempt(1).fail(with: Broken())
        await task.attempt(2).finish(with: 2)
        await workflow.settle()
        #expect(received.values == ["Executing", "Failed", "Pending", "Ready", "Executing", "Finished"])
        #expect(task.result as? Int == 2 && added.values.map(\.isFinished) == [true])
        first.cancel()
        second.cancel()
    }

    @Test("WF-96, WF-97: events are numbered without gaps, readable, and Codable; readers join at any time")
    func events() async throws {
        let workflow = Workflow("order")
        let log = EventLog(workflow)
        let task = try workflow.add(named("upload"))
        try await workflow.run()
        let events = await log.until { if case .settled = $0.kind { true } else { false } }
        #expect(events.map(\.number) == Array(events[0].number..<events[0].number + events.count))
        #expect(events.map { "\($0.kind)" }.prefix(4) == ["added", "willStart", "started", "finished"])
        #expect(events.last?.kind == .settled(.finished))
        #expect(events[0].task == task.taskID && events[0].name == "upload" && events[1].name == "order")
        #expect(events[3].description == "\(events[3].number) upload finished")
        let copies = try JSONDecoder().decode([WorkflowEvent].self, from: JSONEncoder().encode(events))
        #expect(copies.map(\.kind) == events.map(\.kind))
        let late = EventLog(workflow)
        task.reset()
        let more = await late.until { $0.kind == .ready }
        #expect(more.first?.kind == .reset && more.first?.number == (events.last?.number ?? 0) + 1)
    }

    @Test("WF-94: with a callback queue observers are called there, in order")
    func callbackQueue() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let workflow = Workflow(options: .init(callbackQueue: queue))
        let received = Recorder<String>()
        let task = try workflow.add(named("task"))
        let token = task.observe { change in
            received.record("\(change.newState) \(DispatchQueue.getSpecific(key: key) ?? false)")
        }
        try await workflow.run()
        await received.waitForCount(2)
        #expect(received.values == ["Executing true", "Finished true"])
        token.cancel()
    }

    @Test("WF-98: progress counts tasks and what bodies report, and is 1 exactly when complete")
    func progress() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        try workflow.add(named("other"), prerequisites: [task])
        #expect(workflow.progress.fraction == 0 && workflow.progress.total == 2)
        try workflow.start()
        let attempt = await task.attempt()
        attempt.report(progress: 0.5, "half")
        #expect(workflow.progress.fraction == 0.25)
        attempt.finish()
        await workflow.settle()
        #expect(workflow.progress.fraction == 1 && workflow.progress.finished == 2)
    }

    @Test func `a sender leaves the notifications of other threads to a worker`() async throws {
        let workflow = Workflow()
        let mine = try workflow.add(HandTask(name: "mine"))
        let other = try workflow.add(HandTask(name: "other"))
        let (isHeld, callback) = (Gate(), Recorder<ObjectIdentifier>())
        mine.onEnd { _ in isHeld.block() }
        other.onEnd { _ in callback.record(ObjectIdentifier(Thread.current)) }
        try workflow.start()
        let attempt = await other.attempt()
        _ = await mine.attempt()
        let sender = Thread { mine.cancel() }
        sender.start()
        await isHeld.waitForArrivals()
        // The sender is telling, so this end waits.
        attempt.finish()
        isHeld.open()
        await callback.waitForCount(1)
        #expect(callback.values[0] != ObjectIdentifier(sender))
    }

    @Test func `messages sent by a callback are notified by the same thread`() async throws {
        let workflow = Workflow()
        let first = try workflow.add(HandTask(name: "first"))
        let second = try workflow.add(HandTask(name: "second"))
        let callback = Recorder<ObjectIdentifier>()
        first.onEnd { _ in second.cancel() }
        second.onEnd { _ in callback.record(ObjectIdentifier(Thread.current)) }
        try workflow.start()
        for task in [first, second] { _ = await task.attempt() }
        let sender = Thread { first.cancel() }
        sender.start()
        await callback.waitForCount(1)
        #expect(callback.values[0] == ObjectIdentifier(sender))
    }

    private final class AsyncTask: WorkflowTask, @unchecked Sendable {  // adds nothing
        override func run() async throws -> (any Sendable)? { 1 }
    }

    @Test func `callbacks of async bodies don't run on Swift's own threads`() async throws {
        let workflow = Workflow(), inner = Workflow()
        let closure = try workflow.add("closure") { () async in 1 }
        let object = try workflow.add(AsyncTask(name: "object"))
        let nested = try inner.add("nested") { () async in 1 }
        try workflow.add(SubworkflowTask(subworkflow: inner))
        let isInTask = Recorder<Bool>()
        let record: @Sendable () -> Void = { isInTask.record(withUnsafeCurrentTask { $0 != nil }) }
        closure.task.onEnd { _ in record() }
        object.onSuccess { _ in record() }
        nested.task.onEnd { _ in record() }
        workflow.onEnd { _ in record() }
        inner.onEnd { _ in record() }
        try await workflow.run()
        await isInTask.waitForCount(5)
        #expect(isInTask.values == Array(repeating: false, count: 5))
    }

    /// A center with an observer that records the end of each task.
    private static func countedEnds() -> (NotificationCenter, Recorder<Int>, any NSObjectProtocol) {
        let center = NotificationCenter()
        let ends = Recorder<Int>()
        let watch = center.addObserver(
            forName: WorkflowTask.didFinishNotification, object: nil, queue: nil
        ) { _ in ends.record(1) }
        return (center, ends, watch)
    }

    @Test("a simulated run with a notification center and async bodies ends", arguments: UInt64(1)...8)
    func simulated(seed: UInt64) async throws {
        try await Simulation(seed: seed).run { _ in
            let (center, ends, watch) = Self.countedEnds()
            let workflow = Workflow(
                "w", notificationCenter: center, options: WorkflowOptions(maximumConcurrency: 8))
            for number in 0..<200 {
                if number % 3 == 0 {
                    try workflow.add("a\(number)") {}
                } else {
                    try workflow.add("a\(number)") { () async in await Task.yield() }
                }
            }
            try await workflow.run()
            #expect(ends.values.count == 200)
            center.removeObserver(watch)
        }
    }

    @Test func `each of many short tasks posts its end, whatever number of workers there is`() async throws {
        for workers in [1, 2, nil] {
            let (center, ends, watch) = Self.countedEnds()
            let workflow = Workflow(
                "w", notificationCenter: center, options: WorkflowOptions(maximumConcurrency: workers))
            let roots = try (0..<500).map { try workflow.add("r\($0)") {} }
            for number in 0..<2_000 {
                try workflow.add("d\(number)", following: [roots[number % 500], roots[number % 499]]) {}
            }
            try await workflow.run()
            #expect(ends.values.count == 2_500)
            center.removeObserver(watch)
        }
    }

    @Test func `a callback that removes the delegate of its task is its last listener`() async throws {
        let received = Recorder<String>()
        let witness = Witness(received)
        let workflow = Workflow()
        let task = try workflow.add("a") {}.task
        task.delegate = witness
        task.onEnd { _ in
            received.record("callback")
            task.delegate = nil
        }
        try await workflow.run()
        #expect(received.values == ["callback"])
    }
}
