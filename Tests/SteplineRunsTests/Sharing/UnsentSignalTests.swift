import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// A store that can't keep the first signals.
private final class DeafStore: ForwardingSharedStore {
    let shared: any SharedRunStore = SharedMemoryStore()
    private let refusals: Locked<Int>

    init(refusing count: Int) { refusals = Locked(count) }

    func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        let isRefused = refusals.withLock { left in
            left -= 1
            return left >= 0
        }
        if isRefused { throw RunStoreError(.unavailable, store: name, "the server is away") }
        return try shared.send(signal, to: id, at: now)
    }
}

/// Conditions that bodies fulfil while the store is away.
@Suite(.timeLimit(.minutes(5)))
struct UnsentSignalTests {
    @Sendable private static func build() throws -> Workflow {
        let workflow = Workflow("deaf", options: WorkflowOptions(onFailure: .cancelOthers))
        let go = try workflow.addCondition("go", of: Int.self)
        try workflow.add("sends") { go.fulfill(with: 7) }
        try workflow.add("waits", after: go) { $0 }
        return workflow
    }

    @Test func `DR-20: a condition that a worker's body fulfils while the store is away is kept at its end`()
        async throws
    {
        let store = DeafStore(refusing: 1)
        let owner = try Self.build()
        try await WorkersBeside.run(owner, in: { store }, workers: 1, build: Self.build)
        #expect(owner.allTasks.last?.result as? Int == 7)
    }

    @Test func `DR-20: a condition that a worker's thread fulfils while the store is away is sent later`()
        async throws
    {
        @Sendable func build(_ fulfils: Bool) throws -> Workflow {
            let workflow = Workflow("deaf")
            let go = try workflow.addCondition("go", of: Int.self)
            try workflow.add("starts") {
                let thread = Thread { go.fulfill(with: 7) }
                if fulfils { thread.start() }
            }
            try workflow.add("waits", after: go) { $0 }
            return workflow
        }
        let store = DeafStore(refusing: 1)
        let owner = try build(false)
        try await WorkersBeside.run(owner, in: { store }, workers: 1) { try build(true) }
        #expect(owner.allTasks.last?.result as? Int == 7)
    }

    @Test func `DR-20: a body whose condition can't be kept fails, and the run doesn't wait for ever`()
        async throws
    {
        let store = DeafStore(refusing: 100)
        let owner = try Self.build()
        await #expect(throws: WorkflowError.self) {
            try await WorkersBeside.run(owner, in: { store }, workers: 1, build: Self.build)
        }
        let sends = try store.stepsByName(of: RunID("deaf", key: "k"))["sends"]
        #expect(sends?.failure?.message.contains("a condition that it fulfilled can't be kept") == true)
    }

    @Test func `DR-20: a condition isn't sent with a value that can't be stored, and its body fails`()
        async throws
    {
        @Sendable func build() throws -> Workflow {
            let workflow = Workflow("deaf", options: WorkflowOptions(onFailure: .cancelOthers))
            let go = try workflow.addCondition("go", of: Int.self)
            try workflow.add("sends") {
                _ = (go.task as? ExternalConditionTask)?.fulfill(with: "no number")
            }
            try workflow.add("waits", after: go) { $0 }
            return workflow
        }
        let store = DeafStore(refusing: 0)
        await #expect(throws: WorkflowError.self) {
            try await WorkersBeside.run(build(), in: { store }, workers: 1, build: build)
        }
        let id = RunID("deaf", key: "k")
        #expect(try store.signals(of: id).isEmpty)
        let sends = try store.stepsByName(of: id)["sends"]
        #expect(sends?.failure?.message.contains("a condition that it fulfilled can't be kept") == true)
    }
}
