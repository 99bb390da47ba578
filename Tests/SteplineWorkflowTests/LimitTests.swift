import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
    @Test("WF-82: bodies run on the workflow's queue, or on the task's own")
    func queues() async throws {
        let mine = OperationQueue()
        mine.name = "mine"
        let own = OperationQueue()
        own.name = "own"
        let workflow = Workflow(queue: mine)
        #expect(workflow.queue === mine)
        let first = try workflow.add("first") { OperationQueue.current?.name }
        let second = BlockTask { $0.finish(with: OperationQueue.current?.name) }
        second.queue = own
        try workflow.add(second, prerequisites: [first.task])
        let third = try workflow.add(BlockTask { $0.finish(with: OperationQueue.current?.name) })
        try await workflow.run()
        #expect(first.result == "mine" && second.result as? String == "own")
        #expect(third.result as? String == "mine")
        third.queue = own
        third.reset()
        try await workflow.run()
        #expect(third.result as? String == "own")
        third.queue = nil
        third.reset()
        try await workflow.run()
        #expect(third.result as? String == "mine" && mine.name == "mine")
    }

    @Test("WF-19, WF-82: a task cancelled while its operation waits in a busy queue never begins")
    func busyQueue() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let workflow = Workflow(queue: queue)
        let task = try workflow.add(HandTask())
        let other = try workflow.add(named("other"))
        try workflow.start()
        task.cancel()
        queue.isSuspended = false
        await TaskRef<String>.settled(other)
        await workflow.settle()
        #expect(task.attempts.count == 0 && task.isCancelled && other.isFinished)
    }

    @Test("WF-83: bodies without a queue run on the worker threads of the process, never on the main one")
    func threads() async throws {
        let workflow = Workflow("order")
        let name = try workflow.add("name") { Thread.current.name }
        let main = try workflow.add("main") { Thread.isMainThread }
        try await workflow.run()
        #expect(name.result == "stepline.worker" && main.result == false)
    }

    @Test("WF-83, WF-107: a long chain runs without growing the stack, and is released without either")
    func longChain() async throws {
        let workflow = Workflow()
        let length = Chance.isSoak ? 200_000 : 50_000
        var last = try workflow.add("") {}
        for _ in 0..<length { last = try workflow.add("", following: [last]) {} }
        try await workflow.run()
        #expect(workflow.taskCount(in: .finished) == length + 1)
    }

    @Test("WF-85, WF-86: a pool bounds live bodies, and all its places come back however attempts end")
    func pool() async throws {
        let pool = ConcurrencyPool("downloads", capacity: 2)
        let most = Locked((now: 0, most: 0))
        let workflows = [Workflow(), Workflow()]
        for workflow in workflows {
            for index in 0..<12 {
                try workflow.add("\(index)", options: .init(pools: [pool: 1])) { () async throws -> Void in
                    most.withLock { count in
                        count.now += 1
                        count.most = max(count.most, count.now)
                    }
                    await Task.yield()
                    most.withLock { $0.now -= 1 }
                    if index % 3 == 0 { throw Broken() }
                }
            }
        }
        async let one: Void = workflows[0].settle()
        async let two: Void = workflows[1].settle()
        _ = await (one, two)
        #expect(most.withLock { $0.most } <= 2)
        #expect(pool.free == 2)
    }

    @Test(
        "WF-85, WF-99: a task that waits for a pool holds no slot; explain says so; cancel removes it from the queue"
    )
    func line() async throws {
        let pool = ConcurrencyPool("disk", capacity: 2)
        let other = ConcurrencyPool("net", capacity: 1)
        let workflow = Workflow()
        let holder = try workflow.add(HandTask(options: .init(pools: [pool: 1])))
        let heavy = try workflow.add(HandTask(name: "heavy", options: .init(pools: [pool: 2, other: 1])))
        let light = try workflow.add(HandTask(options: .init(pools: [pool: 1])))
        try holder.start()
        let attempt = await holder.attempt()
        let log = EventLog(workflow)
        try heavy.start()
        try light.start()
        // The light one doesn't pass the heavy one; to see that both have come, a third task runs after them.
        let later = try workflow.add(named("later"))
        try later.start()
        _ = await log.until { $0.name == "later" && $0.kind == .finished }
        #expect(workflow.explain(heavy).description.contains("pool disk, number 1 in line"))
        #expect(light.isReady && other.free == 1 && pool.free == 1)
        heavy.cancel()
        let second = await light.attempt()
        second.finish()
        attempt.finish()
        // A place is given back when its body has returned, too.
        await workflow.settle()
        #expect(pool.free == 2 && other.free == 1)
    }

    @Test("WF-85: raising the capacity lets those in line begin")
    func raised() async throws {
        let pool = ConcurrencyPool("disk", capacity: 1)
        let workflow = Workflow()
        let tasks = try (0..<2).map { _ in try workflow.add(HandTask(options: .init(pools: [pool: 1]))) }
        try workflow.start()
        let first = await tasks[0].attempt()
        pool.capacity = 2
        let second = await tasks[1].attempt()
        first.finish()
        second.finish()
        await workflow.settle()
        #expect(pool.free == 2)
    }

    @Test("WF-87: of tasks that could begin, higher priority goes first, then order of adding")
    func priorities() async throws {
        let workflow = Workflow(options: .init(maximumConcurrency: 1))
        let gate = Gate()
        let order = Recorder<String>()
        let blocker = try workflow.add("blocker", options: .init(priority: .critical)) { gate.block() }
        for priority in Priority.allCases {
            for copy in 0..<2 {
                try workflow.add("x", options: .init(priority: priority)) {
                    order.record("\(priority) \(copy)")
                }
            }
        }
        try blocker.task.start()
        await gate.waitForArrivals()
        try workflow.start()
        gate.open()
        await workflow.settle()
        let expected = Priority.allCases.reversed().flatMap { ["\($0) 0", "\($0) 1"] }
        #expect(order.values == expected)
    }

    @Test("WF-85, WF-87: of those that wait for a pool, higher priority goes first, then who waits longest")
    func prioritiesInLine() async throws {
        let pool = ConcurrencyPool("disk", capacity: 1)
        let workflow = Workflow()
        let order = Recorder<String>()
        let holder = try workflow.add(HandTask(options: .init(pools: [pool: 1])))
        try holder.start()
        let attempt = await holder.attempt()
        for priority in Priority.allCases {
            for copy in 0..<2 {
                try workflow.add("x", options: .init(priority: priority, pools: [pool: 1])) {
                    order.record("\(priority) \(copy)")
                }
            }
        }
        let log = EventLog(workflow)
        let later = try workflow.add(named("later"))
        try workflow.start()
        _ = await log.until { $0.name == "later" && $0.kind == .finished }
        attempt.finish()
        await workflow.settle()
        #expect(order.values == Priority.allCases.reversed().flatMap { ["\($0) 0", "\($0) 1"] })
        _ = later
    }

    @Test("WF-85: elements that a map's limit holds back keep nobody waiting for the pools they need")
    func limitAndPool() async throws {
        let pool = ConcurrencyPool("net", capacity: 2)
        let workflow = Workflow()
        let gate = Gate()
        let list = try workflow.add("list") { [1, 2, 3] }
        let map = try workflow.map("map", over: list, limit: 1, options: .init(pools: [pool: 1])) {
            element async in
            await gate.wait()
            return element
        }
        // Begins only if the second element isn't before it in the pool's line.
        let other = try workflow.add("other", options: .init(pools: [pool: 1])) {}
        let log = EventLog(workflow)
        try list.task.start()
        try map.task.start()
        await gate.waitForArrivals()
        try other.task.start()
        _ = await log.until { $0.name == "other" && $0.kind == .finished }
        // The stream reads the end before the slot is freed.
        await eventually { pool.free > 0 }
        #expect(pool.free == 1)
        gate.open()
        await workflow.settle()
        #expect(map.result == [1, 2, 3] && pool.free == 2)
    }

    @Test(
        "WF-84, WF-85: a task that waits for a pool inside isn't delayed by tasks that wait for the limit outside"
    )
    func poolsInside() async throws {
        let pool = ConcurrencyPool("pool", capacity: 1)
        let workflow = Workflow(options: .init(maximumConcurrency: 1))
        let list = try workflow.add("list") { [1, 2, 3] }
        // Has its place in the pool before the map begins, and its turn after that.
        try workflow.add("late", options: .init(priority: .low, pools: [pool: 1])) {}
        let map = try workflow.map("map", over: list, options: .init(pools: [pool: 1])) { $0 }
        try await workflow.run()
        #expect(map.result == [1, 2, 3] && pool.free == 1)
    }

    @Test(
        "WF-84: the limit bounds live bodies, asynchronous ones and elements of a map over a result included",
        arguments: [false, true])
    func liveBodies(isMap: Bool) async throws {
        let now = Locked(0)
        let most = Recorder<Int>()
        let workflow = Workflow(options: .init(maximumConcurrency: 2))
        let body: @Sendable () async -> Void = {
            most.record(
                now.withLock {
                    $0 += 1
                    return $0
                })
            await Task.yield()
            now.withLock { $0 -= 1 }
        }
        if isMap {
            let list = try workflow.add("list") { Array(0..<50) }
            try workflow.map("map", over: list) { _ async in await body() }
        } else {
            for index in 0..<50 { try workflow.add("\(index)") { () async -> Void in await body() } }
        }
        try await workflow.run()
        #expect(most.count == 50 && most.values.allSatisfy { $0 <= 2 })
    }

    @Test("WF-82: a body whose begin was told, and that its queue drops, is over")
    func droppedAfterReport() async throws {
        let queue = OperationQueue()
        let workflow = Workflow(queue: queue, options: .init(grace: .seconds(3_600)))
        let hold = Gate()
        let first = try workflow.add("first") {}
        first.task.onEnd(on: nil) { _ in hold.block() }
        let second = try workflow.add("second") {}
        second.task.onEnd { _ in }
        try first.task.start()
        await hold.waitForArrivals()
        // Its begin is told by the thread that is held.
        try second.task.start()
        await eventually { second.task.isExecuting }
        queue.isSuspended = true
        hold.open()
        await eventually { queue.operations.contains { !$0.isExecuting && !$0.isFinished } }
        queue.cancelAllOperations()
        await workflow.settle()
        #expect(first.task.isFinished && second.task.isCancelled)
    }

    @Test(
        "WF-83, WF-84: a task deferred by the limit that leaves its queue lets the next one begin",
        arguments: ["cancel", "reset", "queue"])
    func passedOn(leaving: String) async throws {
        let workflow = Workflow(options: .init(maximumConcurrency: 1)), queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let first = try workflow.add(HandTask(name: "first"))
        let (second, third) = (HandTask(name: "second"), HandTask(name: "third"))
        for task in [second, third] {
            task.queue = queue
            try workflow.add(task)
        }
        try first.start()
        let attempt = await first.attempt()
        try workflow.start()
        // When their queue comes to this, both have had their turn, and found the limit reached.
        let hadTheirTurn = Gate()
        queue.addOperation { hadTheirTurn.open() }
        await hadTheirTurn.wait()
        queue.isSuspended = true
        attempt.finish()
        // The end of the first has released the second; the operation above may still be on its way out.
        await eventually { queue.operations.contains { !$0.isExecuting && !$0.isFinished } }
        switch leaving {
        case "cancel": second.cancel()
        case "reset": second.reset()
        default: queue.cancelAllOperations()
        }
        queue.isSuspended = false
        await third.attempt().finish()
        await TaskRef<String>.settled(third)
        #expect(third.isFinished && second.attempts.count == 0)
    }

    @Test("WF-84: tasks that their queue started during a pause all begin when the workflow proceeds")
    func deferredByPause() async throws {
        let workflow = Workflow(), queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let tasks = (1...3).map { HandTask(name: "\($0)") }
        for task in tasks {
            task.queue = queue
            try workflow.add(task)
        }
        workflow.pause()
        try workflow.start()
        // The queue reaches this operation after it has started each task.
        let started = Gate()
        queue.addOperation { started.open() }
        await started.wait()
        workflow.proceed()
        var attempts: [TaskAttempt] = []
        for task in tasks { attempts.append(await task.attempt()) }
        for attempt in attempts { attempt.finish() }
        await workflow.settle()
        for task in tasks { #expect(task.isFinished) }
    }

    @Test("WF-86: an abandoned body that ends late takes no place from the attempt after it")
    func lateBody() async throws {
        let pool = ConcurrencyPool("pool", capacity: 1)
        let workflow = Workflow()
        let log = EventLog(workflow)
        let (first, other) = (Gate(), Gate())
        let attempts = Recorder<Int>()
        let task = try workflow.add("task", options: .init(pools: [pool: 1], grace: .zero)) { () async in
            attempts.record(1)
            if attempts.count == 1 { await first.wait() }
        }
        try task.task.start()
        await first.waitForArrivals()
        task.task.reset()
        let holder = try workflow.add("holder", options: .init(pools: [pool: 1])) { await other.wait() }
        try holder.task.start()
        await other.waitForArrivals()
        try task.task.start()
        first.open()
        _ = await log.until { $0.kind == .endIgnored }
        other.open()
        try await task.value
        #expect(attempts.count == 2)
        await workflow.settle()
        #expect(pool.free == 1)
    }
}
