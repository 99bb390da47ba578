import Foundation
import Stepline
import SteplineRequests
import SteplineRuns
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Cancels calls while their bodies run, and counts the objects of these bodies that are left.
///
/// MemoryTests counts bytes instead, for calls that wait for something which lives on.
@Suite("Objects after cancelled calls", .timeLimit(.minutes(10)))
struct CancelledCallTests {
    private final class Token: Sendable {
        let hasBegun = OneShot<Void>()
        private let alive: Locked<Int>

        init(_ alive: Locked<Int>) {
            self.alive = alive
            alive.withLock { $0 += 1 }
        }

        deinit { alive.withLock { $0 -= 1 } }

        /// A body that only a cancel ends.
        @Sendable func run() async -> Int {
            hasBegun.fulfill(())
            await untilCancelled()
            return 1
        }
    }

    private let repetitions = Chance.isSoak ? 100_000 : 100

    /// Cancels calls whose bodies hold a token each, and expects that no token is left.
    private func expectNothingLeft(_ call: @escaping @Sendable (Token) async throws -> Void) async {
        let alive = Locked(0)
        for _ in 0..<repetitions {
            let token = Token(alive)
            let task = Task { try await call(token) }
            await token.hasBegun.value
            task.cancel()
            _ = await task.result
        }
        await eventually("\(alive.withLock { $0 }) of \(repetitions) are left") { alive.withLock { $0 } == 0 }
    }

    @Test(arguments: [true, false])
    func `runs of a pipeline`(waitsByOutcome: Bool) async {
        await expectNothingLeft { token in
            let pipeline = Pipeline { BlockStep<Void, Int>(to: .bodyObject) { await token.run() } }
            guard waitsByOutcome else {
                try await pipeline.run()
                return
            }
            try pipeline.start()
            await withTaskCancellationHandler {
                _ = await pipeline.outcome()
            } onCancel: {
                pipeline.cancel()
            }
        }
    }

    @Test(arguments: [true, false])
    func `runs of a workflow`(waitsByOutcome: Bool) async {
        await expectNothingLeft { token in
            let workflow = Workflow(), inner = Workflow()
            try inner.add("held") { await token.run() }
            try workflow.add(SubworkflowTask(subworkflow: inner))
            if waitsByOutcome { _ = await workflow.outcome() } else { try await workflow.run() }
        }
    }

    @Test func `waits for the value of a task and of a condition`() async {
        await expectNothingLeft { token in
            let workflow = Workflow()
            let condition = try workflow.addCondition("go", of: Int.self)
            let task = try workflow.add("held") { await token.run() }
            try workflow.start()
            async let first = task.value
            async let second = condition.value
            _ = try? await (first, second)
            workflow.cancel()
        }
    }

    @Test func `tasks of a manager`() async {
        let manager = TaskManager()
        await expectNothingLeft { token in _ = try await manager.run { await token.run() } }
    }

    @Test func `waits for a handle and for an idle manager`() async {
        let manager = TaskManager()
        await expectNothingLeft { token in
            let handle = manager.add("held") { await token.run() }
            async let idle: Void = manager.waitUntilIdle()
            _ = try? await handle.value
            _ = try? await idle
            handle.cancel()
        }
    }

    @Test func `durable runs`() async {
        await expectNothingLeft { token in
            let workflow = Workflow("w")
            try workflow.add("held") { await token.run() }
            try await workflow.run(in: MemoryRunStore(), key: "k")
        }
    }

    @Test func `requests of a manager`() async throws {
        let url = try #require(URL(string: "https://example.com/a"))
        await expectNothingLeft { token in
            let transport = TransportDouble()
            transport.on({ _ in true }) { _, _ in
                token.hasBegun.fulfill(())
                return .silence
            }
            _ = try await URLTaskManager(transport: transport).data(from: url)
        }
    }
}
