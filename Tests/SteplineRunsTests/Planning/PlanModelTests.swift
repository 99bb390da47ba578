import Foundation
import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// Plans of random graphs that are edited between runs, held against what the runs then do.
@Suite("Plans equal runs", .timeLimit(.minutes(Chance.givenRounds == nil ? 5 : 60)))
struct PlanModelTests {
    private static let id = RunID("edited", key: "k")
    /// The number of kept results that were compared with those of a fresh run.
    private let compared = Locked(0)

    @Test(
        "DR-63: a run does with each step what its plan says, after kills, failures, edits and damage, and its results are those of a fresh run"
    )
    func plansEqualRuns() async throws {
        let rounds = min(Chance.rounds(100), 10_000)
        for round in 0..<rounds { try await play(Chance.seed &+ UInt64(round)) }
        // Otherwise the comparison with fresh runs has tested nothing.
        if rounds >= 100 { #expect(compared.withLock { $0 } > 0) }
    }

    private func play(_ seed: UInt64) async throws {
        var random = StableRandom(seed: seed, after: 1_000)
        var graph = EditedGraph(seed: seed)
        // A file is slower, and keeps large results in a place of their own.
        let folder = random.below(10) == 0 ? try TemporaryFolder() : nil
        let kept: (any RunStore)? = try folder.map {
            try .file($0.url.appending(path: "edited.runs"), durability: .normal)
        }
        let store = DamagedStore(kept ?? .memory())
        // Another run whose results cached tasks take.
        if random.below(2) == 0 {
            try Self.signal(graph, to: "other", in: store)
            _ = try? await graph.make(Recorder()).run(in: store, key: "other")
        }
        for life in 0..<4 {
            let cut: CuttingStore.Cut = random.below(2) == 0 ? .never : .after(1 + random.below(8))
            let retrying = random.below(2) == 0
            if random.below(6) == 0 {
                try await sendWrong(
                    graph, to: store, isEmpty: random.below(2) == 0, "seed \(seed), run \(life)")
            }
            try Self.signal(graph, to: Self.id.key, in: store)
            let life = Life(
                graph: graph, store: store, cut: cut, retrying: retrying, compared: compared,
                place: "seed \(seed), run \(life)")
            guard try await life.check() else { return }
            graph.edit()
            if random.below(2) == 0 { store.damage(of: Self.id) { random.below(6) == 0 } }
        }
    }

    /// Fulfils all conditions of a run, which is created if it isn't there; takes wrong values back first.
    fileprivate static func signal(_ graph: EditedGraph, to key: String, in store: some RunStore) throws {
        let conditions = graph.conditions
        guard !conditions.isEmpty else { return }
        let id = RunID("edited", key: key), workflow = try graph.make(Recorder())
        _ = try store.create(id, input: nil, by: RunOwner(since: moment()), at: moment())
        for (path, value) in conditions {
            _ = try store.withdraw(condition: path, of: id)
            #expect(try workflow.fulfill(path, with: value, in: store, key: key))
        }
    }

    /// Sends what no condition of the run takes; a run that meets a value of another type says so.
    private func sendWrong(
        _ graph: EditedGraph, to store: some RunStore, isEmpty: Bool, _ place: String
    ) async throws {
        // A run that is refused for something else reads no signals.
        guard try store.run(Self.id) != nil,
            (try? await graph.make(Recorder()).plan(in: store, key: Self.id.key)) != nil
        else { return }
        // Names that are no condition of this version: a later version may have them.
        for name in ["nothing", graph.specs.first { $0.kind == .plain }?.name ?? "t0"] {
            _ = try store.send(.fulfil(condition: name, Data("1".utf8)), to: Self.id, at: moment())
            _ = try store.withdraw(condition: name, of: Self.id)
        }
        // Any bytes are a text.
        guard let (path, _) = graph.conditions.first(where: { $0.value is Int }) else { return }
        try Self.signal(graph, to: Self.id.key, in: store)
        _ = try store.withdraw(condition: path, of: Self.id)
        let wrong = isEmpty ? nil : Data("seven".utf8)
        _ = try store.send(.fulfil(condition: path, wrong), to: Self.id, at: moment())
        guard try store.step(path, of: Self.id)?.state != .finished else { return }
        do {
            _ = try await graph.make(Recorder()).run(in: store, key: Self.id.key)
            Issue.record("\(place): a wrong value of \(path) is taken")
        } catch let error as DurableRunError {
            #expect(error.code == .invalidSignal && "\(error)".contains(path), "\(place): \(error)")
        } catch {
            Issue.record("\(place): a wrong value of \(path) is taken, and the run fails: \(error)")
        }
    }

    /// One plan, and the run that follows it.
    private struct Life {
        let graph: EditedGraph
        let store: DamagedStore
        let cut: CuttingStore.Cut
        let retrying: Bool
        let compared: Locked<Int>
        let place: String

        /// Holds the plan against the run; returns false if the run is refused, as the plan is.
        func check() async throws -> Bool {
            let before = try store.stepsByName(of: id)
            let record = try store.run(id)
            let plan: DurablePlan
            do {
                plan = try await graph.make(Recorder()).plan(
                    in: store, key: id.key, retryingFailures: retrying)
            } catch let error as DurableRunError {
                let refusal = await #expect(throws: DurableRunError.self, "\(place)") {
                    try await graph.make(Recorder()).run(in: store, key: id.key, retryingFailures: retrying)
                }
                #expect(refusal?.code == error.code, "\(place)")
                return false
            }
            #expect(try store.stepsByName(of: id) == before && store.run(id) == record, "\(place)")
            #expect(plan.isNew == (record?.openings ?? 0 == 0))
            checkGone(plan, before)
            let bodies = Recorder<String>()
            let cutting = CuttingStore(store, cut)
            let workflow = try graph.make(bodies)
            let report = try? await workflow.run(in: cutting, key: id.key, retryingFailures: retrying)
            let steps = Dictionary(uniqueKeysWithValues: plan.steps.map { ($0.name, $0) })
            checkBegun(bodies.values, cutting.kept.values, steps)
            if let report { checkReport(report, steps) }
            if cut == .never { checkStarted(workflow, bodies.values, steps) }
            if let report, !graph.mayFail, !graph.hasSilentEdits { try await checkResults(report) }
            return true
        }

        private var id: RunID { PlanModelTests.id }
        private var conditions: Set<String> { Set(graph.conditions.map(\.path)) }

        /// Whatever is kept was made from the same inputs by the same definition as in a fresh run.
        private func checkResults(_ report: DurableReport) async throws {
            // Three cuts during one body fail its step, even if no body fails; a fresh run has no cuts.
            let failures = try store.stepsByName(of: id).values.compactMap(\.failure?.code)
            guard !failures.contains("interruptedTooOften") else { return }
            let fresh: any RunStore = .memory()
            try PlanModelTests.signal(graph, to: id.key, in: fresh)
            try await graph.make(Recorder()).run(in: fresh, key: id.key)
            for (name, step) in try fresh.stepsByName(of: id) where step.state == .finished {
                guard let stored = try store.step(name, of: id), stored.state == .finished,
                    let data = try store.result(of: name, in: id)
                else { continue }
                let expected = try fresh.result(of: name, in: id)
                #expect(data == expected, "\(place): \(name) differs from a fresh run")
                if report.restored.contains(name) { compared.withLock { $0 += 1 } }
            }
        }

        private func isNewElement(_ name: String, _ steps: [String: PlannedStep]) -> Bool {
            graph.names.maps.contains { name.hasPrefix("\($0)[") && steps[$0]?.action == .runs }
        }

        private func checkGone(_ plan: DurablePlan, _ stored: [String: StepRecord]) {
            let names = graph.names
            let gone = stored.values.filter { step in
                step.state != .pending && !names.all.contains(step.name)
                    && !names.maps.contains { step.name.hasPrefix("\($0)[") }
            }.map(\.name)
            #expect(Set(plan.names(.gone)) == Set(gone), "\(place)")
        }

        /// Nothing runs but what the plan runs.
        private func checkBegun(_ bodies: [String], _ log: [String], _ steps: [String: PlannedStep]) {
            for name in Set(bodies) {
                let isPlanned = steps[name].map { $0.action == .runs } ?? isNewElement(name, steps)
                #expect(isPlanned, "\(place): \(name) began, but \(steps[name].map { "\($0)" } ?? "is new")")
            }
            for entry in log where entry.hasSuffix(" finished") {
                let name = String(entry.dropLast(" finished".count))
                // A signal may fulfil it although nothing waits for it any more.
                guard !conditions.contains(name) || steps[name]?.action != .skipped else { continue }
                let isPlanned =
                    steps[name].map { [.runs, .restored].contains($0.action) } ?? isNewElement(name, steps)
                #expect(isPlanned, "\(place): \(name) ended, but \(steps[name].map { "\($0)" } ?? "is new")")
            }
        }

        /// A run without failures does all that the plan says.
        private func checkReport(_ report: DurableReport, _ steps: [String: PlannedStep]) {
            let isMade = Set(report.executed).union(report.takenOver.keys)
            for step in steps.values {
                switch step.action {
                case .runs:
                    let isInList = !step.name.hasSuffix("]") || graph.elements.contains(step.name)
                    let listRuns = [.prerequisiteRuns, .definitionChanged].contains(step.reason)
                    // A run whose failures are all allowed succeeds, too.
                    if !graph.mayFail, isInList || !listRuns {
                        #expect(isMade.contains(step.name), "\(place): \(step)")
                    }
                    if !step.mayBeRestored {
                        #expect(report.takenOver[step.name] == nil, "\(place): \(step) is restored")
                    }
                case .restored:
                    #expect(report.takenOver[step.name] == step.source, "\(place): \(step)")
                case .kept:
                    #expect(!isMade.contains(step.name), "\(place): \(step)")
                    if step.reason == .finished {
                        #expect(report.restored.contains(step.name), "\(place): \(step)")
                    }
                case .skipped where conditions.contains(step.name): break
                case .skipped, .gone: #expect(!isMade.contains(step.name), "\(place): \(step)")
                }
            }
            for name in report.executed where steps[name] == nil {
                #expect(isNewElement(name, steps), "\(place): \(name)")
            }
            #expect(Set(report.gone) == Set(steps.values.filter { $0.action == .gone }.map(\.name)))
        }

        /// A step that the plan runs and that didn't run hasn't finished either: a failure came first.
        private func checkStarted(
            _ workflow: Workflow, _ bodies: [String], _ steps: [String: PlannedStep]
        ) {
            let begun = Set(bodies)
            let states = RandomRun.states(workflow)
            for step in steps.values
            where step.action == .runs && !begun.contains(step.name) && !step.mayBeRestored {
                // Maps, subworkflows and conditions have no body.
                guard let state = states[step.name], !graph.names.maps.contains(step.name),
                    !conditions.contains(step.name),
                    !states.keys.contains(where: { $0.hasPrefix(step.name + "/") })
                else { continue }
                let isEmpty = graph.specs.contains { $0.name == step.name && $0.kind == .inside }
                if !isEmpty { #expect(!state.hasPrefix("finished"), "\(place): \(step), and it is \(state)") }
            }
        }
    }
}

/// A store in memory that loses results.
private final class DamagedStore: ForwardingRunStore {
    let store: any RunStore
    private let lost = Locked<Set<String>>([])

    init(_ store: any RunStore) { self.store = store }

    /// Loses the results of some steps of a run.
    func damage(of id: RunID, _ isLost: () -> Bool) {
        let names = (try? stepsByName(of: id))?.keys.sorted() ?? []
        let chosen = names.filter { _ in isLost() }
        lost.withLock { $0.formUnion(chosen) }
    }

    fileprivate func hasLost(_ step: String) -> Bool { lost.withLock { $0.contains(step) } }

    fileprivate func keep(_ changes: [StepChange]) {
        let names = changes.filter { if case .finished = $0.kind { true } else { false } }.map(\.step)
        lost.withLock { $0.subtract(names) }
    }

    func result(of step: String, in id: RunID) throws -> Data? {
        let isLost = id == RunID("edited", key: "k") && hasLost(step)
        return isLost ? nil : try store.result(of: step, in: id)
    }

    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        DamagedRun(self, try store.open(id, input: input, as: owner, at: now))
    }
}

private final class DamagedRun: ForwardingOpenRun {
    private let store: DamagedStore
    let run: any OpenRun

    init(_ store: DamagedStore, _ run: any OpenRun) {
        self.store = store
        self.run = run
    }

    func result(of step: String) throws -> Data? { try store.result(of: step, in: record.id) }

    func write(_ changes: [StepChange]) throws -> [Int] {
        store.keep(changes)
        return try run.write(changes)
    }
}
