import Foundation
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// Signals for conditions inside tasks that run workflows.
@Suite(.timeLimit(.minutes(5)))
struct SignalInsideTests {
    private struct Refusal: Error {}

    private let store = MemoryRunStore()
    private let bodies = Recorder<String>()

    private func workflow(isRefused: Bool) throws -> Workflow {
        let inner = Workflow("inner"), workflow = Workflow("outer")
        let gate = try inner.addCondition("gate", of: Int.self)
        try inner.add("behind", after: gate) { [bodies] value in
            bodies.record("behind \(value)")
            return value
        }
        let source = try workflow.add("source") { () throws -> Int in
            if isRefused { throw Refusal() }
            return 1
        }
        try workflow.add(SubworkflowTask(name: "sub", subworkflow: inner), prerequisites: [source.task])
        return workflow
    }

    @Test func `DR-63: a signal for a condition inside a task that doesn't run begins nothing`() async throws
    {
        let id = RunID("outer", key: "k")
        try store.openTest(id: id).close()
        _ = try store.send(.fulfil(condition: "sub/gate", Data("5".utf8)), to: id, at: moment())
        for _ in 0..<2 {
            await #expect(throws: (any Error).self) {
                try await workflow(isRefused: true).run(in: store, key: "k")
            }
        }
        #expect(bodies.values == [])
        try await workflow(isRefused: false).run(in: store, key: "k", retryingFailures: true)
        #expect(bodies.values == ["behind 5"])
    }

    @Test(
        "DR-63: a retry upstream keeps a signal for a condition inside a task that began in an earlier process only",
        .timeLimit(.minutes(1)))
    func retriedUpstream() async throws {
        let isRefused = Locked(true)
        func make(version: Int) throws -> (
            workflow: Workflow, source: TaskRef<Int>, hold: ExternalConditionTask
        ) {
            let inner = Workflow("inner"), workflow = Workflow("outer")
            let gate = try inner.addCondition("gate", of: Int.self)
            try inner.add("behind", after: gate) { [bodies] value in
                bodies.record("behind \(value)")
                return value
            }
            let source = try workflow.add("source", options: TaskOptions(version: version)) {
                () throws -> Int in
                if version > 1, isRefused.withLock({ $0 }) { throw Refusal() }
                return 1
            }
            try workflow.add(SubworkflowTask(name: "sub", subworkflow: inner), prerequisites: [source.task])
            // Keeps the run open.
            let hold = ExternalConditionTask(name: "hold \(version)")
            try workflow.add(hold)
            return (workflow, source, hold)
        }
        let id = RunID("outer", key: "k")
        try store.openTest(id: id).close()
        let signal = RunSignal.fulfil(condition: "sub/gate", Data("5".utf8))
        _ = try store.send(signal, to: id, at: moment())
        let first = try make(version: 1)
        first.hold.fulfill()
        try await first.workflow.run(in: store, key: "k")
        _ = try store.send(signal, to: id, at: moment())
        // In the second the prerequisite fails at first.
        let second = try make(version: 2)
        let failed = OneShot<Void>()
        let subscription = second.source.task.onFailure { _ in failed.fulfill(()) }
        async let report = second.workflow.run(in: store, key: "k")
        await failed.value
        subscription.cancel()
        isRefused.withLock { $0 = false }
        second.source.task.retry()
        second.hold.fulfill()
        _ = try await report
        #expect(bodies.values == ["behind 5", "behind 5"])
    }

    @Test(
        "DR-63: a retry of a recomputed prerequisite runs everything inside again, kept results included",
        .timeLimit(.minutes(1)))
    func retriedRecomputed() async throws {
        let life = Locked(1), isRefused = Locked(false)
        func make() throws -> (workflow: Workflow, source: TaskRef<Int>, hold: ExternalConditionTask) {
            let inner = Workflow("inner"), workflow = Workflow("outer")
            let process = life.withLock { $0 }
            let first = try inner.add("first") { [bodies] in
                bodies.record("first")
                return 1
            }
            try inner.add("last", after: first) { [bodies] (_: Int) throws -> Int in
                bodies.record("last")
                if process == 1 { throw Refusal() }
                return 2
            }
            let source = try workflow.add("source", options: TaskOptions(isRecomputed: true)) {
                () throws -> Int in
                if isRefused.withLock({ $0 }) { throw Refusal() }
                return process
            }
            try workflow.add(SubworkflowTask(name: "sub", subworkflow: inner), prerequisites: [source.task])
            let hold = ExternalConditionTask(name: "hold \(process)")
            try workflow.add(hold)
            return (workflow, source, hold)
        }
        let first = try make()
        first.hold.fulfill()
        await #expect(throws: (any Error).self) { try await first.workflow.run(in: store, key: "k") }
        #expect(bodies.values == ["first", "last"])
        life.withLock { $0 = 2 }
        isRefused.withLock { $0 = true }
        let second = try make()
        let failed = OneShot<Void>()
        let subscription = second.source.task.onFailure { _ in failed.fulfill(()) }
        async let report = second.workflow.run(in: store, key: "k", retryingFailures: true)
        await failed.value
        subscription.cancel()
        isRefused.withLock { $0 = false }
        second.source.task.retry()
        second.hold.fulfill()
        _ = try await report
        #expect(bodies.values == ["first", "last", "first", "last"])
    }
}
