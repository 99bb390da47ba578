import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Runs whose steps others run: each ends as the same run does that has no store at all.
@Suite(.timeLimit(.minutes(5)))
struct SharedRunTests {
    /// A workflow that is run by workers, each of which builds it anew.
    @discardableResult
    private func run(
        in store: any SharedRunStore, workers count: Int = 3, slots: Int = 2, key: String = "k",
        tell: @escaping @Sendable (WorkerNews) -> Void = { _ in },
        build: @escaping @Sendable () throws -> Workflow
    ) async throws -> (workflow: Workflow, report: DurableReport?) {
        let owner = try build()
        var report: DurableReport?
        do {
            report = try await WorkersBeside.run(
                owner, in: { store }, workers: count, slots: slots, key: key, tell: tell, build: build)
        } catch let error as WorkflowError where error.code == .tasksFailed {}
        return (owner, report)
    }

    @Test
    func `DR-41: workers run the bodies, with the results of the steps before, and the owner runs none`()
        async throws
    {
        let names = Recorder<String>()
        let store = SharedMemoryStore()
        let (workflow, report) = try await run(in: store) {
            let workflow = Workflow("sums")
            let one = try workflow.add("one") { 1 }
            let two = try workflow.add("two") { () async in 2 }
            let sum = try workflow.add("sum", after: one, two) { one, two in
                names.record("\(one)+\(two)")
                return one + two
            }
            let list = try workflow.add("list", after: sum) { sum in Array(0..<sum) }
            let squares = try workflow.map("square", over: list) { number in number * number }
            try workflow.add("total", after: squares) { squares in squares.reduce(0, +) }
            return workflow
        }
        #expect(names.values == ["1+2"])
        #expect(
            report?.executed.sorted() == [
                "list", "one", "square", "square[0]", "square[1]", "square[2]", "sum", "total", "two",
            ])
        let total = try store.result(of: "total", in: RunID("sums", key: "k"))
        #expect(total.map { String(decoding: $0, as: UTF8.self) } == "5")
        let steps = try store.stepsByName(of: RunID("sums", key: "k"))
        #expect(steps["sum"]?.worker != nil && steps["square[1]"]?.worker != nil)
        #expect(workflow.allTasks.first { $0.name == "total" }?.result as? Int == 5)
        #expect(store.offers(of: RunID("sums", key: "k")).isEmpty)
    }

    @Test
    func `DR-15, DR-41: a worker runs a step again whose last end it has seen as that of a prerequisite`()
        async throws
    {
        let store = SharedMemoryStore()
        let isWell = Locked(false)
        @Sendable func build() throws -> Workflow {
            let workflow = Workflow("again")
            let one = try workflow.add("one") {
                if !isWell.withLock({ $0 }) { throw URLError(.timedOut) }
                return 1
            }
            try workflow.addCleanup("last", after: [one.task]) {}
            return workflow
        }
        let worker = StepWorker(of: "again", in: store, WorkerSettings(slots: 1), build: { _ in try build() })
        let working = Task { try await worker.run() }
        func run() async throws {
            _ = try await build().run(
                in: store, key: "k", retryingFailures: true, input: nil, on: .workers
            ) { _ in }
        }
        await #expect(throws: WorkflowError.self) { try await run() }
        isWell.withLock { $0 = true }
        try await run()
        worker.leave()
        try await working.value
        #expect(try store.stepsByName(of: RunID("again", key: "k"))["one"]?.attempt == 2)
    }

    @Test
    func `DR-41: a dependent finds its prerequisite ended, though the body continues in the same process`()
        async throws
    {
        let gate = Gate(), states = Recorder<String>(), store = SharedMemoryStore()
        defer { gate.open() }
        let (_, report) = try await run(in: store, workers: 1) {
            let workflow = Workflow("early")
            let early = BlockTask(name: "early") { attempt in
                attempt.finish()
                gate.block()
            }
            try workflow.add(early)
            try workflow.addCleanup("last", after: [early]) {
                states.record("\(early.state) \(early.snapshot.attempt)")
                gate.open()
            }
            return workflow
        }
        #expect(states.values == ["Finished 1"])
        #expect(report?.executed.sorted() == ["early", "last"])
    }

    @Test(arguments: Chaos.seeds(4))
    func `DR-70: a random run by three workers in memory ends as the plain one`(seed: UInt64) async throws {
        try await compare(seed, in: SharedMemoryStore())
    }

    @Test(.enabled(if: TestServer.isNeeded, "\(TestServer.absence)"), arguments: Chaos.seeds(2))
    func `DR-41, DR-43, DR-70: a random run by three workers on a server ends as the plain one`(seed: UInt64)
        async throws
    {
        let server = try await TestServer.shared()
        try await compare(seed, in: PostgreSQLRunStore(server.newDatabase()))
    }

    // A plan is kept by its connection, also when the tables have grown.
    @Test(.enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
    func `DR-41: steps are looked up one by one, however few there are when a worker begins`() async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        try await compare(1, in: PostgreSQLRunStore(url))
        let looks = """
            SELECT sum(seq_scan), sum(idx_scan) > 0 FROM pg_stat_user_tables
            WHERE schemaname = 'stepline' AND relname IN ('offers', 'steps', 'history')
            """
        // The server counts what a connection has done a while later.
        var counted: [String] = []
        try await eventually {
            counted = try await server.sql(looks, in: url)
            return counted != ["0|f"]
        }
        #expect(counted == ["0|t"])
    }

    @Test func `DR-41: a worker that has left holds none of the workflows that it has built`() async throws {
        final class Built: Sendable {
            private let box: Weak
            private struct Weak: @unchecked Sendable { weak var workflow: Workflow? }
            init(_ workflow: Workflow) { box = Weak(workflow: workflow) }
            var isAlive: Bool { box.workflow != nil }
        }
        let built = Locked<[Built]>([])
        try await run(in: SharedMemoryStore()) {
            let workflow = try RandomRun(seed: 1, count: 12).make()
            built.withLock { $0.append(Built(workflow)) }
            return workflow
        }
        #expect(built.withLock { $0.count } > 1)
        // A thread may release its reference a moment later.
        await eventually { built.withLock { !$0.contains(where: \.isAlive) } }
    }

    @Test
    func `DR-46: a limit holds for all workers together`() async throws {
        let live = Locked((now: 0, most: 0))
        let twoAtOnce = Gate()
        _ = try await run(in: SharedMemoryStore(), slots: 4) {
            let workflow = Workflow("limited")
            try workflow.map("page", over: 0..<40, limit: 2) { _ in
                let now = live.withLock { live in
                    live.now += 1
                    live.most = max(live.most, live.now)
                    return live.now
                }
                if now == 2 { twoAtOnce.open() }
                // The first two wait for each other. The yields give a third one time to begin wrongly.
                await twoAtOnce.wait()
                for _ in 0..<20 { await Task.yield() }
                live.withLock { $0.now -= 1 }
            }
            return workflow
        }
        #expect(live.withLock { $0.most } == 2)
    }

    @Test func `DR-41: a worker that is busy for longer than expected returns the steps claimed ahead`()
        async throws
    {
        let gate = Gate()
        let left = Locked(60)
        _ = try await run(in: SharedMemoryStore(), workers: 2, slots: 1) {
            let workflow = Workflow("surprised")
            // They are short, so that each worker takes many of those that come after.
            let short = try (0..<60).map { number in try workflow.add("short \(number)") { number } }
            try workflow.add("long", following: short) { await gate.wait() }
            for number in 0..<60 {
                try workflow.add("behind \(number)", following: short) {
                    if left.withLock({ left in
                        left -= 1
                        return left == 0
                    }) {
                        gate.open()
                    }
                }
            }
            return workflow
        }
        #expect(left.withLock { $0 } == 0)
    }

    private func compare(_ seed: UInt64, in store: any SharedRunStore) async throws {
        let random = RandomRun(seed: seed, count: 24)
        let plainBodies = Locked<[String: Int]>([:])
        let plain = try random.make { name in plainBodies.withLock { $0[name, default: 0] += 1 } }
        _ = await plain.outcome()
        let bodies = Locked<[String: Int]>([:])
        let (workflow, _) = try await run(in: store) {
            try random.make { name in bodies.withLock { $0[name, default: 0] += 1 } }
        }
        Chaos.expect(RandomRun.states(workflow), as: RandomRun.states(plain), "seed \(seed)")
        let counts = bodies.withLock { $0 }
        for (name, count) in plainBodies.withLock({ $0 }) where counts[name] != count {
            Issue.record("seed \(seed): the body of \(name) was run \(counts[name] ?? 0) times, not \(count)")
        }
    }
}
