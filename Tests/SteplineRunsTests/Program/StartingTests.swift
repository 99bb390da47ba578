import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// A program whose runs wait at a gate if their input says so.
private struct Order: DurableWorkflow {
    struct Input: Codable, Sendable, Equatable {
        var number: Int
        var tags: Set<String> = []
        var waits = false
    }

    struct Broken: Error {}

    static let clock = ManualClock()
    static let bodies = Locked<[Int]>([])
    static let gate = Gate()

    static var options: WorkflowOptions { WorkflowOptions(clock: clock) }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        let number = try workflow.add("number") {
            bodies.withLock { $0.append(input.number) }
            if input.waits { await gate.wait() }
            if input.number < 0 { throw Broken() }
            return input.number
        }
        let approved = try workflow.addCondition("approved", of: Bool.self)
        if input.number == 100 { try workflow.add("total", after: number, approved) { $1 ? $0 : 0 } }
    }
}

/// A program with two tasks of one name.
private struct Twice: DurableWorkflow {
    static func build(_ workflow: Workflow, _ input: NoInput) throws {
        try workflow.add("one") { 1 }
        try workflow.add("one") { 2 }
    }
}

/// A program without conditions.
private struct Square: DurableWorkflow {
    struct Input: Codable, Sendable { var number: Int }

    static let clock = ManualClock()
    static var options: WorkflowOptions { WorkflowOptions(clock: clock) }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        try workflow.add("square") {
            if input.number < 0 { throw Order.Broken() }
            return input.number * input.number
        }
    }
}

@Suite("Typed starts of programs", .serialized, .timeLimit(.minutes(5)))
struct StartingTests {
    private func withStores(_ body: (any RunStore) async throws -> Void) async throws {
        try await body(.memory())
        let folder = try TemporaryFolder()
        try await body(.file(folder.url.appending(path: "runs.runs"), durability: .normal))
    }

    @Test("DR-74: start stores a run with its input, once for each key, also while it runs, and runs nothing")
    func starts() async throws {
        try await withStores { store in
            let input = Order.Input(number: 1, tags: ["a", "b", "c", "d"])
            #expect(try store.start(Order.self, key: "k", input: input))
            let run = try #require(try store.run(RunID("order", key: "k")))
            #expect(run.state == .waiting && run.openings == 0 && run.input != nil)
            #expect(try store.start(Order.self, key: "k", input: input) == false)
            #expect(try store.run(run.id) == run)
            let error = #expect(throws: DurableRunError.self) {
                try store.start(Order.self, key: "k", input: .init(number: 2))
            }
            #expect(error?.code == .otherInput && "\(error.map { "\($0)" } ?? "")".contains("order/k"))
            #expect(Order.bodies.withLock { !$0.contains(1) })
            let owner = RunOwner(since: Order.clock.now)
            let open = try store.open(run.id, input: nil, as: owner, at: owner.since)
            #expect(try !store.start(Order.self, key: "k", input: input) && store.run(run.id)?.isOpen == true)
            open.close()
        }
    }

    @Test("DR-74: start refuses a workflow that couldn't run, and an invalid key, before anything is stored")
    func refused() throws {
        let store: any RunStore = .memory()
        #expect(throws: WorkflowError.self) { try store.start(Twice.self, key: "k", input: .init()) }
        #expect(throws: DurableRunError.self) {
            try store.start(Square.self, key: "", input: .init(number: 1))
        }
        #expect(try store.runs(of: nil).isEmpty)
    }

    @Test("DR-74: a program runs by its type, and signals find its input")
    func typed() async throws {
        let store: any RunStore = .memory()
        let run = Task { try await Order.run(in: store, key: "k", input: .init(number: 100)) }
        await eventually { (try? store.step("number", of: RunID("order", key: "k"))?.state) == .finished }
        #expect(try store.signal("approved", with: true, to: "k", of: Order.self))
        await Order.clock.waitForScheduled(after: .seconds(1))
        Order.clock.advance(by: .seconds(1))
        let report = try await run.value
        #expect(Set(report.executed) == ["number", "approved", "total"])
        let error = await #expect(throws: DurableRunError.self) {
            try await Order.run(in: store, key: "k", input: .init(number: 101))
        }
        #expect(error?.code == .otherInput)
        #expect(try await Order.run(in: store, key: "k", input: .init(number: 100)).executed.isEmpty)
    }

    @Test("DR-75: a server runs started and interrupted runs, oldest first, until it is cancelled")
    func serves() async throws {
        try await withStores { store in
            for number in [3, -1, 5] {
                try store.start(Square.self, key: "\(number)", input: .init(number: number))
            }
            try store.start(Square.self, key: "paused", input: .init(number: 7))
            #expect(try store.pause(RunID("square", key: "paused")))
            let ended = Recorder<String>()
            let server = Task {
                try await Square.serve(in: store) { id, result in
                    ended.record("\(id.key) \((try? result.get()) == nil ? "fails" : "finishes")")
                }
            }
            await eventually { ended.count == 3 }
            #expect(ended.values == ["3 finishes", "-1 fails", "5 finishes"])
            #expect(
                try store.result(of: "square", in: RunID("square", key: "5"), as: Int.self) == 25)
            // Started by another process meanwhile.
            try store.start(Square.self, key: "later", input: .init(number: 9))
            await eventually {
                Square.clock.advance(by: .seconds(1))
                return ended.values.last == "later finishes"
            }
            #expect(try store.run(RunID("square", key: "paused"))?.state == .waiting)
            #expect(try store.run(RunID("square", key: "-1"))?.ending == .failed)
            server.cancel()
            try await server.value
        }
    }

    @Test("DR-75: a cancelled server interrupts its runs, and the next one continues them")
    func interrupted() async throws {
        let store: any RunStore = .memory()
        try store.start(Order.self, key: "k", input: .init(number: 42, waits: true))
        let server = Task { try await Order.serve(in: store, limit: 2) }
        await eventually { Order.bodies.withLock { $0.contains(42) } }
        server.cancel()
        Order.gate.open()
        try await server.value
        #expect(try store.run(RunID("order", key: "k"))?.state == .interrupted)
        let next = Task { try await Order.serve(in: store, limit: 2) }
        await eventually { (try? store.step("number", of: RunID("order", key: "k"))?.state) == .finished }
        next.cancel()
        try await next.value
    }

    @Test("DR-75: two servers of one store run each run once")
    func servers() async throws {
        let store: any RunStore = .memory()
        for number in 0..<20 { try store.start(Square.self, key: "\(number)", input: .init(number: number)) }
        let ended = Recorder<String>()
        let servers = (0..<2).map { _ in
            Task { try await Square.serve(in: store, limit: 3) { id, _ in ended.record(id.key) } }
        }
        await eventually {
            Square.clock.advance(by: .seconds(1))
            return ended.count == 20
        }
        #expect(Set(ended.values) == Set((0..<20).map { "\($0)" }) && ended.count == 20)
        #expect(try store.runs(of: "square").allSatisfy { $0.ending == .finished })
        for server in servers {
            server.cancel()
            try await server.value
        }
    }

    @Test("DR-76: the end of a run removes those whose retention is over, and no open or interrupted one")
    func retention() async throws {
        let folder = try TemporaryFolder()
        let stores: [any RunStore] = [
            .memory(retention: .seconds(100)),
            try .file(
                folder.url.appending(path: "runs.runs"), durability: .normal, retention: .seconds(100)),
        ]
        for store in stores {
            func run(_ key: String) async throws {
                try await Square.run(in: store, key: key, input: .init(number: 2))
            }
            for key in ["old", "open"] { try await run(key) }
            try store.start(Square.self, key: "waiting", input: .init(number: 1))
            Square.clock.advance(by: .seconds(60))
            try await run("young")
            Square.clock.advance(by: .seconds(60))
            let owner = RunOwner(since: Square.clock.now)
            let open = try store.open(RunID("square", key: "open"), input: nil, as: owner, at: owner.since)
            #expect(try store.runs(of: nil).count == 4)
            try await run("last")
            #expect(try store.runs(of: nil).map(\.id.key) == ["last", "young", "waiting", "open"])
            open.close()
            Square.clock.advance(by: .seconds(60))
            _ = try? await Square.run(in: store, key: "bad", input: .init(number: -1))
            #expect(try store.runs(of: nil).map(\.id.key) == ["bad", "last", "waiting"])
        }
    }

    @Test("DR-76: a store without a retention keeps all runs")
    func kept() async throws {
        let store: any RunStore = .memory()
        try await Square.run(in: store, key: "old", input: .init(number: 2))
        Square.clock.advance(by: .seconds(1e9))
        try await Square.run(in: store, key: "new", input: .init(number: 2))
        #expect(try store.runs(of: nil).count == 2)
    }
}
