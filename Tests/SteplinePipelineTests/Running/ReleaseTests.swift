import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

/// Users' objects may do anything when they are freed, so nothing of theirs may be freed under a lock.
///
/// A fault here shows as a deadlock: the objects below call back into what holds them.
@Suite("Releases", .timeLimit(.minutes(5)))
struct ReleaseTests {
    /// Calls back when it is freed.
    private final class Caller: Sendable {
        let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
        deinit { call() }
    }

    private static let key = ContentKey<Caller>("caller")

    @Test("PL-44: replacing a step's content frees the old bag outside the step's lock")
    func replacedContent() {
        let freed = Recorder<Bool>()
        let step = plain()
        step.content[Self.key] = Caller { [weak step] in freed.record(step?.isFinished ?? true) }
        step.content = Content()
        #expect(freed.values == [false])
    }

    @Test("PL-44: a value that a body drops is released outside the step's lock")
    func replacedAtTheEnd() async throws {
        let freed = Recorder<Bool>()
        let pipeline = try makePipeline([Dropping(freed)])
        try pipeline.start()
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(freed.values == [false])
    }

    /// A step that drops something of its own, which cancels it.
    private final class Dropping: StepOperation, Step, @unchecked Sendable {
        let freed: Recorder<Bool>
        init(_ freed: Recorder<Bool>) { self.freed = freed }

        override func main() {
            let freed = freed
            content[ReleaseTests.key] = Caller { [weak self] in
                freed.record(self?.isCancelled ?? true)
                self?.cancel()
                self?.pipeline?.cancel()
            }
            let context = context
            content = Content()
            context.finish()
        }
    }

    @Test("PL-44: replacing a step's options frees the old ones outside the step's lock")
    func replacedOptions() {
        let freed = Recorder<Bool>()
        let step = plain()
        step.options.retry = policy(holding: Caller { [weak step] in freed.record(step?.isFinished ?? true) })
        step.options.retry = .constant()
        #expect(freed.values == [false])
    }

    private func policy(holding caller: Caller) -> RetryPolicy {
        .constant { _ in withExtendedLifetime(caller) { true } }
    }

    @Test("PL-44: a handler for cancellation is freed outside the step's lock")
    func handlers() async throws {
        let freed = Recorder<Bool>()
        let step = WithHandler(freed)
        let pipeline = try makePipeline([step])
        try await pipeline.run()
        await freed.waitForCount(1)
        #expect(freed.values.count == 1)
    }

    private final class WithHandler: StepOperation, Step, @unchecked Sendable {
        let freed: Recorder<Bool>
        init(_ freed: Recorder<Bool>) { self.freed = freed }

        override func main() {
            let caller = Caller { [weak self, freed] in freed.record(self?.isFinished ?? true) }
            context.onCancel { withExtendedLifetime(caller) {} }
            finish()
        }
    }

    @Test("PL-44: the bag of a failed attempt is freed outside the step's lock when the next one begins")
    func failedAttempt() async throws {
        let freed = Recorder<Bool>()
        let pipeline = try makePipeline(
            [Untidy(freed).retrying(.constant(attempts: 2, delay: .zero, when: { _ in true }))],
            options: PipelineOptions(clock: ManualClock(runsByItself: true))
        )
        try await pipeline.run()
        await freed.waitForCount(1)
        #expect(freed.values.count == 1)
    }

    /// Fails once, with something of its own in the bag.
    private final class Untidy: StepOperation, Step, @unchecked Sendable {
        let freed: Recorder<Bool>
        init(_ freed: Recorder<Bool>) { self.freed = freed }

        override func main() {
            guard context.attempt == 1 else { return finish() }
            content[ReleaseTests.key] = Caller { [weak self, freed] in
                freed.record(self?.isFinished ?? true)
            }
            finish(throwing: Broken())
        }
    }

    @Test("PL-44, PL-57: an owner that goes while others' callbacks are removed isn't freed under the lock")
    func ownersThatGo() async throws {
        for _ in 0..<100 {
            let pipeline = Pipeline()
            let owners = Locked((0..<40).map { _ in Caller { _ = pipeline.state } })
            for owner in owners.withLock({ $0 }) { pipeline.onFailure(for: owner) { _ in } }
            let stranger = Caller {}
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == 0 {
                    for _ in 0..<60 { pipeline.removeFailureCallbacks(of: stranger) }
                } else {
                    while let owner = owners.withLock({ $0.popLast() }) { withExtendedLifetime(owner) {} }
                }
            }
            #expect(pipeline.stateWord == "ready")
        }
    }
}
