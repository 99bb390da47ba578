import Stepline
import SteplineSupport
import SteplineTesting
import Testing

/// Cancels between the begin of an attempt and that of the Swift task that runs its body.
@Suite(.timeLimit(.minutes(5))) struct LateBodyTests {
    /// Cancels at some point of a play, and expects that no body begins from there on.
    private func cancel(
        _ begin:
            @escaping @Sendable (_ body: @escaping @Sendable () -> Void) throws -> (
                cancel: @Sendable () -> Void, end: @Sendable () async -> Void
            )
    ) async throws {
        try await explore(seeds: 1...240) { simulation in
            let isCancelled = Locked(false)
            let late = Locked(false)
            let play = try begin { if isCancelled.withLock({ $0 }) { late.withLock { $0 = true } } }
            for _ in 0..<(simulation.seed % 12) { await Task.yield() }
            play.cancel()
            isCancelled.withLock { $0 = true }
            await play.end()
            // A body without a grace isn't awaited.
            for _ in 0..<20 { await Task.yield() }
            simulation.expect(!late.withLock { $0 }, "a body has begun that was cancelled before")
        }
    }

    private func makeWorkflow(_ workflow: Workflow) throws -> (
        cancel: @Sendable () -> Void, end: @Sendable () async -> Void
    ) {
        try workflow.start()
        return ({ workflow.cancel() }, { _ = await workflow.outcome() })
    }

    @Test("WF-19: an async closure that is cancelled before its Swift task has begun never begins")
    func closure() async throws {
        try await cancel { body in
            let workflow = Workflow(options: WorkflowOptions(grace: .zero))
            try workflow.add("closure") {
                body()
                await Task.yield()
            }
            return try makeWorkflow(workflow)
        }
    }

    private final class OwnTask: WorkflowTask, @unchecked Sendable {  // the closure is constant
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
            super.init()
        }

        override func run() async throws -> (any Sendable)? {
            body()
            return nil
        }
    }

    @Test("WF-19: an async task of one's own that is cancelled before its Swift task has begun never begins")
    func object() async throws {
        try await cancel { body in
            let workflow = Workflow(options: WorkflowOptions(grace: .zero))
            try workflow.add(OwnTask(body))
            return try makeWorkflow(workflow)
        }
    }

    private final class OwnStep: AsyncStep<Void, Int>, @unchecked Sendable {  // the closure is constant
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
            super.init()
        }

        override func process(_ input: Void) async throws -> Int {
            body()
            return 1
        }
    }

    @Test("PL-18: an async step that is cancelled before its Swift task has begun never begins")
    func step() async throws {
        try await cancel { body in
            let pipeline = Pipeline("own") { OwnStep(body) }
            try pipeline.start()
            return ({ pipeline.cancel() }, { _ = await pipeline.outcome() })
        }
    }

    @Test("MG-22: a managed task that is cancelled before its Swift task has begun never begins")
    func managed() async throws {
        try await cancel { body in
            let manager = TaskManager()
            let handle = manager.add { body() }
            return ({ handle.cancel() }, { _ = try? await handle.value })
        }
    }
}
