import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Elements of maps as they finish", .timeLimit(.minutes(5)))
struct SettledElementTests {
    /// Gates by element; each body waits for its gate.
    private let gates = (0..<4).map { _ in Gate() }

    private func body(_ number: Int) async throws -> Int {
        await gates[number].wait()
        if number == 2 { throw Broken(number: 2) }
        return number * 10
    }

    private func make(_ kind: Kind, _ workflow: Workflow) throws -> TaskRef<[Int]> {
        switch kind {
        case .list: return try workflow.map("part", over: 0..<4) { try await body($0) }
        case .result:
            let list = try workflow.add("list") { Array(0..<4) }
            return try workflow.map("part", over: list) { try await body($0) }
        case .growing:
            return try workflow.grow("part", from: [0], key: { "\($0)" }) { number, more in
                if number == 0 { more.add(1...3) }
                return try await body(number)
            }
        }
    }

    enum Kind: CaseIterable, Sendable { case list, result, growing }

    @Test(
        "results come in the order in which the elements finish, without failed ones",
        arguments: Kind.allCases)
    func order(_ kind: Kind) async throws {
        let workflow = Workflow()
        let map = try make(kind, workflow)
        let found = Recorder<Int>()
        let reading = Task { for await result in map.asTheyFinish { found.record(result) } }
        try workflow.start()
        for (place, number) in [0, 3, 1].enumerated() {
            gates[number].open()
            await found.waitForCount(place + 1)
        }
        gates[2].open()
        await reading.value
        #expect(found.values == [0, 30, 10])
        // The same after the end, in the order of the dates.
        var again: [Int] = []
        for await result in map.asTheyFinish { again.append(result) }
        #expect(again == [0, 30, 10])
    }

    @Test(
        "each element has a result or an error with its name, also after a failure", arguments: Kind.allCases)
    func settled(_ kind: Kind) async throws {
        let workflow = Workflow()
        let map = try make(kind, workflow)
        for gate in gates { gate.open() }
        await workflow.settle()
        let settled = try map.settled
        #expect(settled.map { try? $0.get() } == [0, 10, nil, 30])
        let error = try #require(workflowError { _ = try settled[2].get() })
        #expect(error.code == .elementFailed && error.subject == "part[2]")
        #expect(error.underlying as? Broken == Broken(number: 2))
    }

    @Test("after a cancel, what has finished has its result, and the rest an error", arguments: Kind.allCases)
    func cancelled(_ kind: Kind) async throws {
        let workflow = Workflow()
        let map = try make(kind, workflow)
        let found = Recorder<Int>()
        let reading = Task { for await result in map.asTheyFinish { found.record(result) } }
        try workflow.start()
        gates[0].open()
        await found.waitForCount(1)
        await gates[1].waitForArrivals()
        #expect(workflowError { _ = try map.settled[1].get() }?.description.contains("has not ended") == true)
        workflow.cancel()
        for gate in gates { gate.open() }
        await workflow.settle()
        await reading.value
        #expect(found.values == [0])
        let settled = try map.settled
        #expect(settled.map { try? $0.get() } == [0, nil, nil, nil])
        let error = try #require(workflowError { _ = try settled[1].get() })
        #expect(
            error.code == .cancelled && error.subject == "part[1]" && error.description.contains("cancelled"))
    }

    @Test("WF-89: a map that collects failures has them in its result and elements, and doesn't fail")
    func collecting() async throws {
        for gate in gates { gate.open() }
        for isStatic in [true, false] {
            let workflow = Workflow()
            let list = try workflow.add("list") { Array(0..<4) }
            let map =
                isStatic
                ? try workflow.mapCollectingFailures("part", over: 0..<4, limit: 1) { try await body($0) }
                : try workflow.mapCollectingFailures("part", over: list, limit: 1) { try await body($0) }
            try await workflow.run()
            var found: [Int?] = []
            for await result in map.asTheyFinish { found.append(try? result.get()) }
            #expect(found == [0, 10, nil, 30] && map.result?.map { try? $0.get() } == found)
            #expect(try map.settled.map { try? $0.get().get() } == found)
        }
    }

    @Test("any other task has its elements when it finishes; one that fails has none, and ends the sequence")
    func otherTasks() async throws {
        let workflow = Workflow()
        let list = try workflow.add("list") { [1, 2] }
        let broken = try workflow.add("broken") { () throws -> [Int] in throw Broken() }
        let below = try workflow.map("below", over: broken) { $0 }
        #expect(try list.settled.isEmpty)
        await workflow.settle()
        var found: [Int] = []
        for await one in list.asTheyFinish { found.append(one) }
        for await one in broken.asTheyFinish { found.append(one) }
        for await one in below.asTheyFinish { found.append(one) }
        #expect(found == [1, 2])
        #expect(try list.settled.map { try? $0.get() } == [1, 2])
        #expect(try broken.settled.isEmpty && below.settled.isEmpty)
    }

    @Test("a reader whose Swift task is cancelled stops")
    func cancelledReader() async throws {
        let workflow = Workflow()
        let map = try make(.growing, workflow)
        let reading = Task {
            var count = 0
            for await _ in map.asTheyFinish { count += 1 }
            return count
        }
        try workflow.start()
        reading.cancel()
        #expect(await reading.value == 0)
        for gate in gates { gate.open() }
        await workflow.settle()
    }
}
