import Foundation
import SteplineRuns
import SteplineTesting
import TestSupport
import Testing

/// Durable runs in simulations: killed wherever a seed says, in every order.
@Suite("Simulated runs", .timeLimit(.minutes(3)))
struct SimulatedRunTests {
    /// The usual number of seeds, or more in soak.
    private static func seeds(_ usual: UInt64, soak: UInt64) -> ClosedRange<UInt64> {
        1...(Chance.isSoak ? soak : usual)
    }

    /// A diamond whose bodies are counted, and a task that fails once.
    @Sendable private func workflow(_ ran: Recorder<String>) throws -> Workflow {
        let workflow = Workflow("diamond")
        let one = try workflow.add("one") {
            ran.record("one")
            return 1
        }
        let two = try workflow.add("two", after: one) { number in
            ran.record("two")
            try await SystemClock.shared.sleep(for: .seconds(60))
            return number + 1
        }
        let three = try workflow.add("three", after: one) { number in
            ran.record("three")
            return number + 2
        }
        try workflow.add("sum", afterAll: [two, three]) { numbers in
            ran.record("sum")
            return numbers.reduce(0, +)
        }
        return workflow
    }

    /// Runs it in a store until it has ended, as if the process were started again after each kill.
    @Sendable private func runToTheEnd(_ store: some RunStore, _ ran: Recorder<String>) async throws -> Int {
        for kills in 0..<20 {
            do {
                let workflow = try workflow(ran)
                _ = try await workflow.run(in: store, key: "k")
                return kills
            } catch is InjectedFault {
                continue
            }
        }
        throw DurableRunTrouble.neverEnds
    }

    private enum DurableRunTrouble: Error { case neverEnds }

    @Test("a run that is killed at any commit goes on where it stopped, in every order")
    func kills() async throws {
        for moment in (1...6).flatMap({ [Fault.Moment.commit($0), .afterCommit($0)] }) {
            try await explore(seeds: Self.seeds(6, soak: 30)) { simulation in
                simulation.faults = [.crash(at: moment)]
                let ran = Recorder<String>()
                let store = MemoryRunStore()
                let kills = try await runToTheEnd(store, ran)
                simulation.expect(kills <= 1)
                // Only steps that a kill has undone run again.
                let times = ["one", "two", "three", "sum"].map { name in ran.values.count { $0 == name } }
                simulation.expect(times.allSatisfy { (1...2).contains($0) }, "\(times)")
                simulation.expect(times.reduce(0, +) <= 4 + 2 * kills, "\(times)")
                simulation.faults = []
                // Another run finds all of it done.
                let report = try await workflow(Recorder()).run(in: store, key: "k")
                simulation.expect(report.executed.isEmpty)
            }
        }
    }

    @Test("a run that is killed again and again ends")
    func manyKills() async throws {
        let exploration = try await explore(seeds: Self.seeds(15, soak: 100)) { simulation in
            simulation.faults = [.crash(at: .afterCommit(2)), .crash(at: .commit(5))]
            let ran = Recorder<String>()
            let kills = try await runToTheEnd(MemoryRunStore(), ran)
            simulation.expect((1...2).contains(kills))
        }
        #expect(exploration.foreign.isEmpty)
    }

    @Test("the file store is simulated alike, and each seed repeats its log")
    func file() async throws {
        let folder = try TestFolder()
        var stories: Set<String> = []
        for number in 1...3 {
            let simulation = Simulation(seed: 11)
            let store = try SQLiteRunStore(path: folder.url.appending(path: "\(number).runs").path)
            try await simulation.run { simulation in
                simulation.faults = [.crash(at: .commit(3))]
                _ = try await runToTheEnd(store, Recorder())
            }
            #expect(simulation.foreign.isEmpty && simulation.log.contains("killed before commit 3"))
            stories.insert(simulation.log)
        }
        #expect(stories.count == 1)
    }

    @Test(
        "DR-17: a body that waits for its begin to be kept doesn't hold up the next attempt when the store fails"
    )
    func beginsThatAreNotKept() async throws {
        @Sendable func make() throws -> (outer: Workflow, inner: Workflow) {
            let options = WorkflowOptions(grace: .seconds(3600))
            let inner = Workflow("inner", options: options)
            for name in ["a", "b", "c"] {
                let first = try inner.add(name) {}
                try inner.add("\(name) \(name)", after: first) { _ in await Task.yield() }
            }
            let outer = Workflow("outer", options: options)
            try outer.add(SubworkflowTask(name: "inside", subworkflow: inner))
            return (outer, inner)
        }
        for commit in 2...7 {
            try await explore(seeds: Self.seeds(20, soak: 100)) { simulation in
                let store = MemoryRunStore()
                // The next process is careful: bodies begin when their begin is kept.
                simulation.faults = [.crash(at: .afterCommit(3))]
                _ = try? await make().outer.run(in: store, key: "k")
                simulation.faults = [.crash(at: .commit(commit))]
                let (outer, inner) = try make()
                for _ in 1...3 {
                    simulation.atSomeMoment("retry") {
                        inner.retry()
                        try? inner.start()
                    }
                }
                _ = try? await outer.run(in: store, key: "k")
                simulation.faults = []
                inner.retry()
                try await inner.run()
                simulation.expect(inner.allTasks.allSatisfy(\.isFinished))
                simulation.expect(simulation.clock.uptime < .seconds(3600), "no body needs the grace")
            }
        }
    }

    @Test("DR-23: elements that take over a result while they wait for a slot end as finished")
    func takenOverByTurns() async throws {
        try await explore(seeds: Self.seeds(6, soak: 20)) { simulation in
            let ran = Recorder<Int>()
            let store = MemoryRunStore()
            for key in ["1", "2"] {
                let workflow = Workflow("site")
                let list = try workflow.add("list") { Array(1...4) }
                try workflow.map("page", over: list, limit: 1, options: .cached(for: .seconds(60))) {
                    number async in
                    ran.record(number)
                    return number
                }
                try await workflow.run(in: store, key: key)
            }
            simulation.expect(ran.values == [1, 2, 3, 4], "\(ran.values)")
        }
    }

    @Test("a real run is killed by its workflow's options, and goes on")
    func realRun() async throws {
        let store = MemoryRunStore()
        let ran = Recorder<String>()
        func make(_ faults: [Fault]) throws -> Workflow {
            let workflow = Workflow("two", options: WorkflowOptions(faults: faults))
            let one = try workflow.add("one") {
                ran.record("one")
                return 1
            }
            try workflow.add("two", after: one) { number in
                ran.record("two")
                return number + 1
            }
            return workflow
        }
        await #expect(throws: InjectedFault.self) {
            try await make([.crash(at: .afterCommit(1))]).run(in: store, key: "k")
        }
        let report = try await make([]).run(in: store, key: "k")
        #expect(report.run.ending == .finished && ran.values.last == "two")
    }
}
