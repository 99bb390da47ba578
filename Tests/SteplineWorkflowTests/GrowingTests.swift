import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Maps that grow", .timeLimit(.minutes(5)))
struct GrowingTests {
    /// Pages and their links: each number links to its double, its double and one, and back to 1; none beyond `count`.
    private static func links(of page: Int, count: Int) -> [Int] {
        [2 * page, 2 * page + 1, 1].filter { $0 <= count }
    }

    @Test("elements run breadth first, each once; the results come in the order of finding")
    func once() async throws {
        // One thread: on several, a place may be asked for after an element found later has asked.
        try await Simulation(seed: 1).run { _ in
            let workflow = Workflow()
            let calls = Recorder<Int>()
            let pages = try workflow.grow("page", from: [1, 1], key: { "\($0)" }, limit: 1) { page, more in
                calls.record(page)
                more.add(Self.links(of: page, count: 20))
                more.add(page)
                return page * 10
            }
            let sum = try workflow.add("sum", after: pages) { $0.reduce(0, +) }
            try await workflow.run()
            #expect(calls.values == Array(1...20))
            #expect(pages.result == (1...20).map { $0 * 10 })
            #expect(sum.result == 2100)
        }
    }

    @Test("elements of a higher priority run before the others")
    func priority() async throws {
        // One thread: on several, a place may be asked for after an element found later has asked.
        try await Simulation(seed: 1).run { _ in
            let workflow = Workflow()
            let calls = Recorder<String>()
            try workflow.grow(
                "node", from: ["r"], key: { $0 }, limit: 1, priority: { $0.hasSuffix("b") ? .high : .normal }
            ) { node, more in
                calls.record(node)
                if node.count < 3 { more.add([node + "a", node + "b"]) }
            }
            try await workflow.run()
            #expect(calls.values == ["r", "rb", "rbb", "ra", "rab", "rba", "raa"])
        }
    }

    @Test("no more than `atMost` elements run, and none below the depth", arguments: [1, 2, 7, 100])
    func limits(_ atMost: Int) async throws {
        let workflow = Workflow()
        let depths = Recorder<Int>()
        let pages = try workflow.grow(
            "page", from: [1], key: { "\($0)" }, atMost: atMost, depth: 3
        ) { page, more in
            depths.record(more.depth)
            more.add(Self.links(of: page, count: 1000))
            return page
        }
        try await workflow.run()
        #expect(pages.result?.count == min(atMost, 15))
        #expect(Set(pages.result ?? []).count == min(atMost, 15))
        #expect(depths.values.allSatisfy { $0 <= 3 })
        #expect((pages.task as? SubworkflowTask)?.hasRefusedElements == (atMost < 15))
        if atMost == 100 { #expect(pages.result?.sorted() == Array(1...15)) }
    }

    @Test("a limit below 1, a negative depth and an invalid option are refused, and add nothing")
    func refused() {
        let workflow = Workflow()
        func code(limit: Int? = nil, atMost: Int? = nil, depth: Int? = nil, _ options: TaskOptions = .init())
            -> WorkflowError.Code?
        {
            workflowError {
                try workflow.grow(
                    "x", from: [1], key: { "\($0)" }, limit: limit, atMost: atMost, depth: depth,
                    options: options
                ) { one, _ in one }
            }?.code
        }
        #expect(code(limit: 0) == .invalidOption && code(atMost: 0) == .invalidOption)
        #expect(code(depth: -1) == .invalidOption)
        #expect(code(TaskOptions(timeout: .seconds(-1))) == .invalidOption)
        #expect(workflow.taskCount == 0)
    }

    @Test("a failed attempt adds nothing, and the attempt that follows adds what it finds itself")
    func failedAttempt() async throws {
        let workflow = Workflow()
        let attempts = Locked(0)
        let pages = try workflow.grow(
            "page", from: ["a"], key: { $0 },
            options: TaskOptions(retry: .constant(attempts: 2, delay: .zero) { _ in true })
        ) { page, more in
            guard page == "a" else { return page }
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            more.add("found by \(attempt)")
            if attempt == 1 { throw Broken(number: 1) }
            return page
        }
        try await workflow.run()
        #expect(pages.result == ["a", "found by 2"])
    }

    @Test(
        "a failed element fails the map after all others have ended; a retry runs it alone, and what it finds then"
    )
    func retry() async throws {
        let workflow = Workflow()
        let calls = Recorder<Int>()
        let isMended = Locked(false)
        let pages = try workflow.grow("page", from: [1], key: { "\($0)" }) { page, more in
            calls.record(page)
            more.add(Self.links(of: page, count: 15))
            if page == 3, !isMended.withLock({ $0 }) { throw Broken(number: 3) }
            return page
        }
        await workflow.settle()
        let error = try #require(pages.task.error as? WorkflowError)
        #expect(error.code == .elementFailed && error.subject == "page[3]")
        #expect(Set(calls.values) == [1, 2, 3, 4, 5, 8, 9, 10, 11])
        isMended.withLock { $0 = true }
        workflow.retry()
        #expect(try await Set(pages.value) == Set(1...15))
        #expect(calls.values.count == 16)
    }

    @Test("after a reset the list grows again from the first elements")
    func reset() async throws {
        let workflow = Workflow()
        let links = Locked([1: [2, 3], 2: [4]])
        let pages = try workflow.grow("page", from: [1], key: { "\($0)" }, limit: 1) { page, more in
            more.add(links.withLock { $0[page] ?? [] })
            return page
        }
        try await workflow.run()
        #expect(pages.result == [1, 2, 3, 4])
        links.withLock { $0 = [1: [5]] }
        pages.task.reset()
        try await workflow.run()
        #expect(pages.result == [1, 5])
    }

    @Test("from a task's result: another list keeps no element that only the old list has led to")
    func fromList() async throws {
        // One thread: on several, a place may be asked for after an element found later has asked.
        try await Simulation(seed: 1).run { _ in
            let workflow = Workflow()
            let first = Locked([1, 20])
            let list = try workflow.add("list") { first.withLock { $0 } }
            let pages = try workflow.grow("page", from: list, key: { "\($0)" }, limit: 1) { page, more in
                if page < 30 { more.add(page + 10) }
                return page
            }
            try await workflow.run()
            #expect(pages.result == [1, 20, 11, 30, 21, 31])
            first.withLock { $0 = [20] }
            list.task.reset()
            try await workflow.run()
            #expect(pages.result == [20, 30])
            let none = Workflow()
            let empty = try none.grow("none", from: [Int](), key: { "\($0)" }) { one, _ in one }
            try await none.run()
            #expect(empty.result == [])
        }
    }

    @Test("a cancel ends the elements that run, and begins none of what they have found")
    func cancel() async throws {
        let workflow = Workflow()
        let calls = Recorder<Int>()
        let gate = Gate()
        let pages = try workflow.grow("page", from: [1], key: { "\($0)" }) { page, more in
            calls.record(page)
            more.add(page + 1)
            if page == 3 { await gate.wait() }
            return page
        }
        try workflow.start()
        await gate.waitForArrivals()
        workflow.cancel()
        gate.open()
        await workflow.settle()
        #expect(calls.values == [1, 2, 3])
        #expect(pages.task.state == .cancelled)
        workflow.retry()
        await eventually { calls.values.contains(40) }
        workflow.cancel()
        await workflow.settle()
    }

    @Test("additions after the body has returned have no effect")
    func late() async throws {
        let workflow = Workflow()
        let lists = Locked<[GrowingList<Int>]>([])
        let pages = try workflow.grow("page", from: [1], key: { "\($0)" }) { page, more in
            lists.withLock { lists in
                lists.last?.add(100)
                lists.append(more)
            }
            if page < 3 { more.add(page + 1) }
            return page
        }
        try await workflow.run()
        #expect(pages.result == [1, 2, 3])
    }

    @Test("100,000 links to few elements add few tasks; a chain of elements grows to its end")
    func shapes() async throws {
        let workflow = Workflow()
        let wide = try workflow.grow("wide", from: [0], key: { "\($0 % 100)" }, limit: 4) { page, more in
            if page == 0 { more.add(0..<100_000) }
            return page % 100
        }
        let long = try workflow.grow("long", from: [0], key: { "\($0)" }) { page, more in
            if page < 3000 { more.add(page + 1) }
            return page
        }
        try await workflow.run()
        #expect(wide.result == Array(0..<100))
        #expect(long.result == Array(0...3000))
    }

    @Test("a workflow with a map that grew is freed with its last reference")
    func freed() async throws {
        final class Token: Sendable {}
        var token: Token? = Token()
        weak let watched = token
        do {
            let workflow = Workflow()
            try workflow.grow("page", from: [1], key: { "\($0)" }) { [token] page, more in
                _ = token
                if page < 5 { more.add(page + 1) }
                return page
            }
            try await workflow.run()
        }
        token = nil
        await eventually { watched == nil }
        #expect(watched == nil)
    }
}
