import Foundation
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// Signals and retries, and what they do to tasks inside tasks that run workflows.
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

    /// A workflow with a task `source` in front of one that runs another workflow, and with a condition that keeps the
    /// run open.
    private struct Outer {
        let workflow = Workflow("outer")
        let source: TaskRef<Int>
        let hold: ExternalConditionTask

        init(
            _ inner: Workflow, process: Int, options: TaskOptions,
            source body: @escaping @Sendable () throws -> Int
        ) throws {
            source = try workflow.add("source", options: options, body: body)
            try workflow.add(SubworkflowTask(name: "sub", subworkflow: inner), prerequisites: [source.task])
            hold = ExternalConditionTask(name: "hold \(process)")
            try workflow.add(hold)
        }

        /// Runs until `source` fails, then retries it.
        func run(in store: any RunStore, retryingFailures: Bool, mended: Locked<Bool>) async throws {
            let failed = OneShot<Void>()
            let subscription = source.task.onFailure { _ in failed.fulfill(()) }
            async let report = workflow.run(in: store, key: "k", retryingFailures: retryingFailures)
            await failed.value
            subscription.cancel()
            mended.withLock { $0 = true }
            source.task.retry()
            hold.fulfill()
            _ = try await report
        }
    }

    @Test(
        "DR-63: a retry upstream keeps a signal for a condition inside a task that began in an earlier process only",
        .timeLimit(.minutes(1)))
    func retriedUpstream() async throws {
        let isMended = Locked(false)
        func make(process: Int) throws -> Outer {
            let inner = Workflow("inner")
            let gate = try inner.addCondition("gate", of: Int.self)
            try inner.add("behind", after: gate) { [bodies] value in
                bodies.record("behind \(value)")
                return value
            }
            return try Outer(inner, process: process, options: TaskOptions(version: process)) {
                if process > 1, !isMended.withLock({ $0 }) { throw Refusal() }
                return 1
            }
        }
        let id = RunID("outer", key: "k")
        try store.openTest(id: id).close()
        let signal = RunSignal.fulfil(condition: "sub/gate", Data("5".utf8))
        _ = try store.send(signal, to: id, at: moment())
        let first = try make(process: 1)
        first.hold.fulfill()
        try await first.workflow.run(in: store, key: "k")
        _ = try store.send(signal, to: id, at: moment())
        try await make(process: 2).run(in: store, retryingFailures: false, mended: isMended)
        #expect(bodies.values == ["behind 5", "behind 5"])
    }

    @Test(
        "DR-63: a retry of a recomputed prerequisite runs everything inside again, kept results included",
        .timeLimit(.minutes(1)))
    func retriedRecomputed() async throws {
        let isMended = Locked(false)
        func make(process: Int) throws -> Outer {
            let inner = Workflow("inner")
            let first = try inner.add("first") { [bodies] in
                bodies.record("first")
                return 1
            }
            try inner.add("last", after: first) { [bodies] (_: Int) throws -> Int in
                bodies.record("last")
                if process == 1 { throw Refusal() }
                return 2
            }
            return try Outer(inner, process: process, options: TaskOptions(isRecomputed: true)) {
                if process > 1, !isMended.withLock({ $0 }) { throw Refusal() }
                return process
            }
        }
        let first = try make(process: 1)
        first.hold.fulfill()
        await #expect(throws: (any Error).self) { try await first.workflow.run(in: store, key: "k") }
        #expect(bodies.values == ["first", "last"])
        try await make(process: 2).run(in: store, retryingFailures: true, mended: isMended)
        #expect(bodies.values == ["first", "last", "first", "last"])
    }
}
