import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MappingTests {
    @Test("WF-88: one task per element, named by place, and the results in the elements' order")
    func results() async throws {
        let workflow = Workflow()
        let squares = try workflow.map("square", over: 0..<20, limit: 3) { $0 * $0 }
        let none = try workflow.map("none", over: [Int]()) { $0 }
        try await workflow.run()
        #expect(squares.result == (0..<20).map { $0 * $0 })
        #expect(none.result == [])
        #expect(workflow.tasks(named: "square[7]").count == 1)
    }

    @Test("WF-88: a map runs at most its limit of elements at a time")
    func limit() async throws {
        let workflow = Workflow()
        let most = Locked((now: 0, most: 0))
        try workflow.map("page", over: 0..<20, limit: 2) { _ async -> Void in
            most.withLock { count in
                count.now += 1
                count.most = max(count.most, count.now)
            }
            await Task.yield()
            most.withLock { $0.now -= 1 }
        }
        try await workflow.run()
        #expect(most.withLock { $0.most } <= 2)
        #expect(workflowError { try workflow.map("x", over: [1], limit: 0) { $0 } }?.code == .invalidOption)
    }

    @Test(
        "WF-88: over the result of a task, the elements' tasks are made when that has finished, anew after a reset"
    )
    func overReference() async throws {
        let workflow = Workflow()
        let count = Locked(2)
        let list = try workflow.add("list") { Array(0..<count.withLock { $0 }) }
        let doubled = try workflow.map("double", over: list) { 2 * $0 }
        try await workflow.run()
        #expect(doubled.result == [0, 2])
        count.withLock { $0 = 3 }
        list.task.reset()
        try await workflow.run()
        #expect(doubled.result == [0, 2, 4])
    }

    @Test("WF-89: a failed element fails the map, the others go on, and a retry runs only what failed")
    func failures() async throws {
        let workflow = Workflow()
        let calls = Recorder<Int>()
        let isMended = Locked(false)
        let all = try workflow.map("part", over: 0..<4) { (index: Int) throws -> Int in
            calls.record(index)
            if index == 2, !isMended.withLock({ $0 }) { throw Broken(number: 2) }
            return index
        }
        await workflow.settle()
        let error = try #require(all.task.error as? WorkflowError)
        #expect(error.code == .elementFailed && error.underlying as? Broken == Broken(number: 2))
        #expect(error.description.contains("part[2]"))
        isMended.withLock { $0 = true }
        workflow.retry()
        #expect(try await all.value == [0, 1, 2, 3])
        #expect(calls.values.sorted() == [0, 1, 2, 2, 3])
    }

    @Test("WF-89: collecting failures over a task's result, it doesn't fail, and is made anew after a reset")
    func collectingOverReference() async throws {
        let workflow = Workflow()
        let isMended = Locked(false)
        let list = try workflow.add("list") { ["a", "b", "c"] }
        let all = try workflow.mapCollectingFailures("part", over: list, limit: 2, key: { $0 }) { name in
            if name == "b", !isMended.withLock({ $0 }) { throw Broken(number: 1) }
            return name + name
        }
        let below = try workflow.add("below", after: all) { all in all.count { (try? $0.get()) != nil } }
        try await workflow.run()
        #expect(all.result?.map { try? $0.get() } == ["aa", nil, "cc"])
        #expect(throws: Broken(number: 1)) { try all.result?[1].get() }
        #expect(below.result == 2)
        isMended.withLock { $0 = true }
        all.task.reset()
        try await workflow.run()
        #expect(all.result?.map { try? $0.get() } == ["aa", "bb", "cc"])
        #expect(below.result == 3)
    }

    @Test("WF-89: collecting failures of an empty list, and of one that fails")
    func collectingNothing() async throws {
        let workflow = Workflow()
        let empty = try workflow.add("empty") { [Int]() }
        let none = try workflow.mapCollectingFailures("none", over: empty) { $0 }
        let broken = try workflow.add("broken") { () throws -> [Int] in throw Broken(number: 2) }
        let never = try workflow.mapCollectingFailures("never", over: broken) { $0 }
        await workflow.settle()
        #expect(none.result?.isEmpty == true)
        #expect(never.task.result == nil && !never.task.isFinished)
    }

    /// An error of another layer around one that says when to come back.
    private struct Wrapping: ErrorWithCause {
        struct Busy: RetryAdvising {
            let isTransient = true
            let retryAfter: RetryAfter? = .delay(.seconds(7))
        }
        let underlying: (any Error)? = Busy()
    }

    @Test("WF-78, WF-89: a failed element's error asks for the wait that any of its causes asks for")
    func advice() async throws {
        let workflow = Workflow()
        let all = try workflow.map("part", over: 0..<1) { _ throws -> Int in throw Wrapping() }
        await workflow.settle()
        let error = try #require(all.task.error as? WorkflowError)
        #expect(error.isTransient && error.retryAfter == .delay(.seconds(7)))
    }

    @Test("WF-67: a map that is cancelled while it makes its elements begins none of them")
    func cancelledWhileFilling() async throws {
        let workflow = Workflow("filling"), begun = Recorder<Int>(), gate = Gate()
        let list = try workflow.add("list") { [1, 2, 3] }
        let key: @Sendable (Int) -> String = { element in
            if element == 1 { gate.block() }
            return "\(element)"
        }
        let map = try workflow.map("map", over: list, key: key) { element in
            begun.record(element)
            return element
        }
        try workflow.start()
        await gate.waitForArrivals()
        workflow.cancel()
        gate.open()
        _ = await workflow.outcome()
        #expect(begun.count == 0 && map.task.isCancelled)
    }

    @Test("WF-88: an element that another list leaves out isn't run again, though its body still goes on")
    func leftOut() async throws {
        let workflow = Workflow(options: .init(grace: .zero))
        let names = Locked(["a"])
        let calls = Recorder<String>(), hold = Gate()
        let list = try workflow.add("list") { names.withLock { $0 } }
        let pages = try workflow.map(
            "page", over: list, options: .init(grace: .seconds(3600)), key: { $0 }
        ) { (name: String) async -> String in
            calls.record(name)
            if name == "a" { await hold.wait() }
            return name
        }
        try workflow.start()
        await calls.waitForCount(1)
        names.withLock { $0 = ["b"] }
        list.task.reset()
        try workflow.start()
        await calls.waitForCount(2)
        hold.open()
        try await workflow.run()
        #expect(pages.result == ["b"] && calls.values == ["a", "b"])
    }

    @Test("WF-88: an element that another list leaves out gives up its place in the line of a pool")
    func leftOutInLine() async throws {
        let pool = ConcurrencyPool("pool", capacity: 1), other = Workflow("other"), hold = Gate()
        try other.add("holder", options: .init(pools: [pool: 1])) { await hold.wait() }
        let workflow = Workflow(), count = Locked(3)
        let list = try workflow.add("list") { Array(0..<count.withLock { $0 }) }
        let map = try workflow.map("map", over: list, options: .init(pools: [pool: 1])) { $0 }
        try await workflow.run()
        try other.start()
        await hold.waitForArrivals()
        count.withLock { $0 = 1 }
        list.task.reset()
        let inside = try #require((map.task as? SubworkflowTask)?.subworkflow)
        let leftOut = try #require(inside.tasks(named: "map[2]").first)
        await leftOut.untilReady()
        // Elements of the former list stand in line for the pool.
        try inside.start()
        let end = Task { try await TaskRef<Int>(leftOut).value }
        try workflow.start()
        await #expect(throws: CancellationError.self) { try await end.value }
        hold.open()
        try await workflow.run()
        try await other.run()
        #expect(map.result == [0] && pool.free == 1)
    }
}
