import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

/// Steps that a worker has taken, and that wait for a result which isn't kept and is made on the worker first.
@Suite(.timeLimit(.minutes(5)))
struct WaitingStepsTests {
    private static let id = RunID("waits", key: "k")

    private let store = SharedMemoryStore()
    private let begun = Recorder<String>()
    private let gate = Gate()

    /// Two steps that want what a third makes, whose result isn't kept.
    private func make() throws -> Workflow {
        let workflow = Workflow("waits")
        let list = try workflow.add("list") { 1 }
        let made = try workflow.add("made", after: list, options: TaskOptions(isRecomputed: true)) { number in
            begun.record("made")
            await gate.wait()
            return number + 1
        }
        for name in ["one", "two"] {
            try workflow.add(name, after: made) { number in
                begun.record(name)
                return number
            }
        }
        return workflow
    }

    private func worker(slots: Int, tell: @escaping @Sendable (WorkerNews) -> Void = { _ in }) -> StepWorker {
        StepWorker(
            of: "waits", in: store, WorkerSettings(slots: slots), build: { [self] _ in try make() },
            tell: tell)
    }

    /// A run whose first two steps have finished.
    private func open(list: String = "1") throws -> any SharedRun {
        let open = try store.open(Self.id, input: nil, as: RunOwner(since: Date()), at: Date())
        let run = try #require(open as? any SharedRun)
        let results = [("list", Data(list.utf8)), ("made", nil)]
        _ = try run.write(
            results.map { StepChange(.finished($1), of: $0, attempt: 1, token: 7, at: Date()) })
        return run
    }

    private func offer(_ step: String, attempt: Int = 1) -> StepOffer {
        StepOffer(
            step: step, task: step, version: 1, attempt: attempt, token: 7, links: 0, failures: 0,
            interruptions: 0, priority: 0, cacheKey: nil)
    }

    @Test func `DR-15, DR-41: a step that others wait for here as well ends for its run, too`() async throws {
        let run = try open()
        try run.offer([offer("made", attempt: 2), offer("one"), offer("two")])
        let worker = worker(slots: 3)
        let working = Task { try await worker.run() }
        await gate.waitForArrivals()
        gate.open()
        try await eventually { try run.ends(acknowledging: []).count == 3 }
        worker.leave()
        try await working.value
        let ends = try run.ends(acknowledging: [])
        #expect(Set(ends.map(\.step)) == ["made", "one", "two"])
        for end in ends { if case .finished = end.outcome {} else { Issue.record("\(end)") } }
        #expect(begun.values.count { $0 == "made" } == 1)
    }

    @Test func `DR-19, DR-41: a step withdrawn while it waits for a result is returned at once`()
        async throws
    {
        let run = try open()
        try run.offer([offer("one")])
        let worker = worker(slots: 1)
        let working = Task { try await worker.run() }
        await gate.waitForArrivals()
        try run.withdraw([(step: "one", attempt: 1)])
        // The result is still being made.
        try await eventually { try run.ends(acknowledging: []).count == 1 }
        let end = try #require(try run.ends(acknowledging: []).first)
        if case .stopped = end.outcome {} else { Issue.record("\(end)") }
        // The next reader finds the result.
        try run.offer([offer("two")])
        gate.open()
        try await eventually { try run.ends(acknowledging: []).count == 2 }
        worker.leave()
        try await working.value
        #expect(begun.values == ["made", "two"])
    }

    @Test func `DR-41: steps whose inputs can't be read are refused, all that want the same`()
        async throws
    {
        let run = try open(list: "no number")
        try run.offer([offer("one"), offer("two")])
        let refused = Recorder<String>()
        let worker = worker(slots: 1) { news in
            if case .unknown(let claim, _) = news { refused.record(claim.offer.step) }
        }
        let working = Task { try await worker.run() }
        await refused.waitForCount(2)
        worker.leave()
        try await working.value
        #expect(Set(refused.values) == ["one", "two"] && begun.values.isEmpty)
        #expect(try run.offers().allSatisfy { $0.worker == nil })
    }

    /// A store in which the results of all steps are damaged.
    private final class DamagedStore: ForwardingSharedStore {
        let shared: any SharedRunStore

        init(_ store: any SharedRunStore) { shared = store }

        func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
            throw RunStoreError.resultDamaged(
                of: names.first ?? "", store: name, "isn't what was written")
        }
    }

    @Test func `DR-21, DR-41: a step whose input is damaged in the store fails for its run`() async throws {
        let run = try open()
        try run.offer([offer("made", attempt: 2)])
        let worker = StepWorker(
            of: "waits", in: DamagedStore(store), WorkerSettings(slots: 1),
            build: { [self] _ in try make() })
        let working = Task { try await worker.run() }
        try await eventually { try run.ends(acknowledging: []).count == 1 }
        worker.leave()
        try await working.value
        let end = try #require(try run.ends(acknowledging: []).first)
        guard case .failed(let failure) = end.outcome else {
            Issue.record("\(end)")
            return
        }
        #expect(failure.message.contains("the result of \"list\" isn't what was written"))
        #expect(begun.values.isEmpty)
    }

    @Test func `DR-41: a result that was made here is made again once its step has a later attempt`()
        async throws
    {
        gate.open()
        let run = try open()
        let worker = worker(slots: 1)
        let working = Task { try await worker.run() }
        try run.offer([offer("one")])
        try await eventually { try run.ends(acknowledging: []).count == 1 }
        // The list changes, so its owner runs all steps behind it again, elsewhere.
        let results = [("list", Data("5".utf8)), ("made", nil)]
        _ = try run.write(
            results.map { StepChange(.finished($1), of: $0, attempt: 2, token: 7, at: Date()) })
        try run.offer([offer("two")])
        try await eventually { try run.ends(acknowledging: []).count == 2 }
        worker.leave()
        try await working.value
        #expect(begun.values == ["made", "one", "made", "two"])
        #expect(try store.result(of: "one", in: Self.id) == Data("2".utf8))
        #expect(try store.result(of: "two", in: Self.id) == Data("6".utf8))
    }

    private struct Broken: Error {}

    @Test(arguments: [true, false])
    func `DR-41: a result that is made for other steps is tried as often as its task's policy allows`(
        endsWell: Bool
    ) async throws {
        let run = try open()
        let begun = begun
        let build: @Sendable (Data?) throws -> Workflow = { _ in
            let workflow = Workflow("waits")
            let list = try workflow.add("list") { 1 }
            let retry = RetryPolicy.constant(attempts: 3, delay: .milliseconds(1), when: { _ in true })
            let options = TaskOptions(retry: retry, isRecomputed: true)
            let made = try workflow.add("made", after: list, options: options) { number in
                begun.record("made")
                guard endsWell, begun.count == 3 else { throw Broken() }
                return number + 1
            }
            try workflow.add("one", after: made) { $0 }
            try workflow.add("two", after: made) { $0 }
            return workflow
        }
        let worker = StepWorker(
            of: "waits", in: store, WorkerSettings(slots: 2), build: build, tell: { _ in })
        let working = Task { try await worker.run() }
        try run.offer([offer("one"), offer("two")])
        try await eventually { try run.ends(acknowledging: []).count == 2 }
        worker.leave()
        try await working.value
        #expect(begun.values == ["made", "made", "made"])
        for end in try run.ends(acknowledging: []) {
            switch end.outcome {
            case .finished: #expect(endsWell)
            case .failed: #expect(!endsWell)
            default: Issue.record("\(end)")
            }
        }
    }
}
