import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// A store that counts how the results of steps are read.
private final class CountingStore: ForwardingSharedStore {
    let shared: any SharedRunStore = SharedMemoryStore()
    let reads = Locked(0)

    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        CountingRun(try shared.open(id, input: input, as: owner, at: now), reads)
    }

    func result(of step: String, in id: RunID) throws -> Data? {
        reads.withLock { $0 += 1 }
        return try shared.result(of: step, in: id)
    }

    func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
        reads.withLock { $0 += 1 }
        return try shared.steps(names, of: id)
    }
}

private final class CountingRun: ForwardingOpenRun {
    let run: any OpenRun
    private let reads: Locked<Int>

    init(_ run: any OpenRun, _ reads: Locked<Int>) {
        self.run = run
        self.reads = reads
    }

    func result(of step: String) throws -> Data? {
        reads.withLock { $0 += 1 }
        return try run.result(of: step)
    }
}

/// A store that can't read the results of elements for a while.
private final class UnreadableStore: ForwardingRunStore {
    let store: any RunStore = MemoryRunStore()
    let isUnreadable = Locked(false)

    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        try store.open(id, input: input, as: owner, at: now)
    }

    func result(of step: String, in id: RunID) throws -> Data? {
        if step.hasSuffix("]"), isUnreadable.withLock({ $0 }) {
            throw RunStoreError(.unavailable, store: name, "too many open files")
        }
        return try store.result(of: step, in: id)
    }
}

/// Elements of a map whose results are kept when its run is opened again.
@Suite(.timeLimit(.minutes(5)))
struct KeptElementsTests {
    private static let id = RunID("elements", key: "k")

    private func make(failing last: Bool) throws -> Workflow {
        let workflow = Workflow("elements")
        let list = try workflow.add("list") { Array(0..<300) }
        let pages = try workflow.map("page", over: list, key: { "\($0)" }) { number in
            if last, number == 299 { throw URLError(.timedOut) }
            return number * 2
        }
        try workflow.add("sum", after: pages) { $0.reduce(0, +) }
        return workflow
    }

    @Test func `DR-4, DR-43: a resumed run reads the results of a map's elements in batches`() async throws {
        let store = CountingStore()
        await #expect(throws: WorkflowError.self) { try await make(failing: true).run(in: store, key: "k") }
        store.reads.withLock { $0 = 0 }
        let report = try await make(failing: false).run(in: store, key: "k", retryingFailures: true)
        #expect(report.executed == ["page[299]", "page", "sum"])
        #expect(try store.result(of: "sum", in: Self.id, as: Int.self) == 89700)
        #expect(store.reads.withLock { $0 } < 20)
    }

    @Test func `DR-13: finished elements aren't run again if the store can't read their results for a while`()
        async throws
    {
        let store = UnreadableStore()
        await #expect(throws: WorkflowError.self) { try await make(failing: true).run(in: store, key: "k") }
        store.isUnreadable.withLock { $0 = true }
        let error = await #expect(throws: RunStoreError.self) {
            try await make(failing: false).run(in: store, key: "k", retryingFailures: true)
        }
        #expect(error?.code == .unavailable)
        store.isUnreadable.withLock { $0 = false }
        let report = try await make(failing: false).run(in: store, key: "k", retryingFailures: true)
        #expect(report.executed == ["page[299]", "page", "sum"])
        #expect(try (store as any RunStore).stepsByName(of: Self.id)["page[0]"]?.attempt == 1)
    }
}
