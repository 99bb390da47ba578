import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Runs whose workers or owner are lost, stop, or don't know a step.
@Suite(.timeLimit(.minutes(5)))
struct LostWorkerTests {
    typealias Kind = LeaseTrial.Kind

    private static let id = RunID("lost", key: "k")

    private func worker(
        in store: any SharedRunStore, slots: Int = 2, grace: Duration = .seconds(5),
        clock: any StepClock = .lease,
        tell: @escaping @Sendable (WorkerNews) -> Void = { _ in },
        build: @escaping @Sendable () throws -> Workflow
    ) -> StepWorker {
        StepWorker(
            of: "lost", in: store, WorkerSettings(slots: slots, grace: grace, clock: clock),
            build: { _ in try build() },
            tell: tell)
    }

    private func own(_ workflow: Workflow, in store: any SharedRunStore) -> Task<Void, any Error> {
        Task {
            _ = try await workflow.run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
    }

    /// Claims the next step as a worker that sends no heartbeat afterwards.
    private func claimAndDie(_ store: any SharedRunStore) async throws -> (
        membership: any WorkerMembership, claim: ClaimedStep
    ) {
        let profile = WorkerProfile(workflow: "lost", host: "gone", process: 1, slots: 1)
        var membership = try store.join(profile)
        var claims: [ClaimedStep] = []
        try await eventually {
            if try membership.beat(for: membership.lease) == nil { membership = try store.join(profile) }
            claims = try membership.claim(1, risky: false) + membership.claim(1, risky: true)
            return !claims.isEmpty
        }
        return (membership, try #require(claims.first))
    }

    private static func two(clock: any StepClock = .system) throws -> Workflow {
        let workflow = Workflow("lost", options: WorkflowOptions(clock: clock))
        try workflow.add("b", after: workflow.add("a") { 1 }) { $0 + 1 }
        return workflow
    }

    @Test(arguments: Kind.present)
    func
        `DR-11, DR-42: a lost worker's step runs elsewhere and counts as interrupted, and a late result is refused`(
            kind: Kind
        ) async throws
    {
        let trial = try await LeaseTrial(kind)
        let store = trial.store
        let owner = own(try Self.two(clock: trial.clock), in: store)
        let (membership, claim) = try await claimAndDie(trial.short)
        #expect(claim.offer.step == "a")
        try await trial.expire()
        let worker = worker(in: store, clock: trial.clock) { try Self.two() }
        let working = Task { try await worker.run() }
        try await owner.value
        let late = WorkedStep(
            claim: claim, outcome: .finished, result: Data("7".utf8), began: Date(), ended: Date())
        #expect(try membership.end([late]) == [0])
        #expect(try membership.beat(for: membership.lease) == nil)
        worker.leave()
        try await working.value
        #expect(try store.result(of: "a", in: Self.id) == Data("1".utf8))
        let steps = try store.stepsByName(of: Self.id)
        #expect(steps["a"]?.state == .finished && steps["a"]?.attempt == 1)
        #expect(steps["a"]?.interruptions == 1 && steps["b"]?.state == .finished)
    }

    @Test(arguments: Kind.present)
    func `DR-42, DR-46: a pool gets a slot back when the worker that held it is lost`(kind: Kind)
        async throws
    {
        let trial = try await LeaseTrial(kind)
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost", options: WorkflowOptions(clock: trial.clock))
            let pool = ConcurrencyPool("one", capacity: 1)
            for name in ["a", "b"] {
                try workflow.add(name, options: TaskOptions(pools: [pool: 1])) { 1 }
            }
            return workflow
        }
        let store = trial.store
        let owner = own(try make(), in: store)
        let (membership, claim) = try await claimAndDie(trial.short)
        // The other step is not offered while the lease lasts.
        #expect(claim.offer.step == "a")
        #expect(try store.offers(of: Self.id).map(\.offer.step) == ["a"])
        try await trial.expire()
        let worker = worker(in: store, clock: trial.clock) { try make() }
        let working = Task { try await worker.run() }
        try await owner.value
        worker.leave()
        try await working.value
        withExtendedLifetime(membership) {}
        #expect(try store.stepsByName(of: Self.id).values.map(\.state) == [.finished, .finished])
    }

    @Test(arguments: Kind.present)
    func `DR-14: a step fails when its third worker is lost`(kind: Kind) async throws {
        let trial = try await LeaseTrial(kind)
        let owner = own(try Self.two(clock: trial.clock), in: trial.store)
        for _ in 0..<3 {
            let (_, claim) = try await claimAndDie(trial.short)
            #expect(claim.offer.step == "a")
            try await trial.expire()
        }
        await #expect(throws: WorkflowError.self) { try await owner.value }
        #expect(try trial.store.stepsByName(of: Self.id)["a"]?.failure?.code == "interruptedTooOften")
    }

    @Test(arguments: Kind.present)
    func `DR-43: a worker takes over a run whose owner is gone`(kind: Kind) async throws {
        let store = try await kind.make()
        let now = Date()
        // An owner that has said that workers go on with the run, and has gone then.
        let run = try store.open(Self.id, input: nil, as: RunOwner(since: now), at: now)
        try #require(run as? any SharedRun).leave(toWorkers: true)
        run.close()
        let owned = OneShot<Void>()
        let worker = worker(in: store) { news in
            if case .owned = news { owned.fulfill(()) }
        } build: {
            try Self.two()
        }
        let working = Task { try await worker.run() }
        await owned.value
        worker.leave()
        try await working.value
        #expect(try store.run(Self.id)?.ending == .finished)
        #expect(try store.result(of: "b", in: Self.id) == Data("2".utf8))
    }

    @Test(arguments: Kind.present)
    func
        `DR-45: a worker leaves what its program doesn't know to others, and runs show says if nobody knows it`(
            kind: Kind
        ) async throws
    {
        let store = try await kind.make()
        @Sendable func make(version: Int) throws -> Workflow {
            let workflow = Workflow("lost")
            try workflow.add("a", options: TaskOptions(version: version)) { version }
            return workflow
        }
        let owner = own(try make(version: 2), in: store)
        let refused = OneShot<Void>()
        let old = worker(in: store) { news in
            if case .unknown = news { refused.fulfill(()) }
        } build: {
            try make(version: 1)
        }
        let working = Task { try await old.run() }
        await refused.value
        let shown = try StoredRuns(store, of: "lost", isJSON: false, guide: .silent).show("k").output
        #expect(shown.contains("no live worker can run task a version 2"), "\(shown)")
        let new = worker(in: store) { try make(version: 2) }
        let newWorking = Task { try await new.run() }
        try await owner.value
        for worker in [old, new] { worker.leave() }
        try await working.value
        try await newWorking.value
        #expect(try store.result(of: "a", in: Self.id) == Data("2".utf8))
    }

    @Test(arguments: Kind.present)
    func `DR-19, DR-41: cancelling a run stops bodies on workers, and waits until they are over`(kind: Kind)
        async throws
    {
        let store = try await kind.make()
        let began = OneShot<Void>()
        let stopped = OneShot<Void>()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost")
            try workflow.add("endless") {
                began.fulfill(())
                let stop = OneShot<Void>()
                await withTaskCancellationHandler {
                    await stop.value
                } onCancel: {
                    stop.fulfill(())
                }
                stopped.fulfill(())
                throw CancellationError()
            }
            return workflow
        }
        let owner = own(try make(), in: store)
        let worker = worker(in: store) { try make() }
        let working = Task { try await worker.run() }
        await began.value
        _ = try store.send(.cancel("enough"), to: Self.id, at: Date())
        await stopped.value
        await #expect(throws: CancellationError.self) { try await owner.value }
        #expect(try store.run(Self.id)?.ending == .cancelled("enough"))
        worker.leave()
        try await working.value
        #expect(try store.offers(of: Self.id).isEmpty)
    }

    @Test(arguments: Kind.present)
    func `DR-13, DR-62: steps that a worker finishes while the owner is interrupted are kept`(kind: Kind)
        async throws
    {
        let store = try await kind.make()
        let interrupted = own(try Self.two(), in: store)
        let (membership, claim) = try await claimAndDie(store)
        let (news, source) = AsyncStream.makeStream(of: Void.self)
        let listening = membership.onNews { source.yield() }
        defer { listening.cancel() }
        interrupted.cancel()
        for await _ in news where try membership.beat(for: membership.lease)?.stops == [claim.id] { break }
        let last = WorkedStep(
            claim: claim, outcome: .finished, result: Data("7".utf8), began: Date(), ended: Date())
        #expect(try membership.end([last]) == [])
        await #expect(throws: CancellationError.self) { try await interrupted.value }
        let owner = own(try Self.two(), in: store)
        let worker = worker(in: store) { try Self.two() }
        let working = Task { try await worker.run() }
        try await owner.value
        worker.leave()
        try await working.value
        #expect(try store.result(of: "b", in: Self.id) == Data("8".utf8))
        #expect(try store.stepsByName(of: Self.id)["a"]?.attempt == 1)
    }

    @Test(arguments: Kind.present)
    func `DR-51: a worker that is asked to leave gives back what isn't over, and no interruption is counted`(
        kind: Kind
    ) async throws {
        let store = try await kind.make()
        let began = OneShot<Void>()
        let isFirst = Locked(true)
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost")
            try workflow.add("slow") {
                let hangs = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                guard hangs else { return 1 }
                began.fulfill(())
                let stop = OneShot<Void>()
                await withTaskCancellationHandler {
                    await stop.value
                } onCancel: {
                    stop.fulfill(())
                }
                return 2
            }
            return workflow
        }
        let owner = own(try make(), in: store)
        let first = worker(in: store, grace: .milliseconds(10)) { try make() }
        let working = Task { try await first.run() }
        await began.value
        first.leave()
        try await working.value
        let second = worker(in: store) { try make() }
        let others = Task { try await second.run() }
        try await owner.value
        second.leave()
        try await others.value
        let step = try store.stepsByName(of: Self.id)["slow"]
        #expect(step?.state == .finished && step?.interruptions == 0)
        #expect(try store.result(of: "slow", in: Self.id) == Data("1".utf8))
    }

    /// A body that ignores cancellation and blocks its thread until shortly after its timeout.
    private final class DeafBody: Sendable {
        let clock = ManualClock()
        private let began = OneShot<Void>()
        private let isOver = DispatchSemaphore(value: 0)

        func block() {
            began.fulfill(())
            isOver.wait()
        }

        /// Lets the timeout pass once the body has begun, and ends the body some yields later.
        ///
        /// More yields only widen the window in which a worker could wrongly begin the next attempt.
        func runOut(of time: Duration) async {
            await began.value
            clock.advance(by: time)
            for _ in 0..<1000 { await Task.yield() }
            isOver.signal()
        }
    }

    @Test(arguments: Kind.present)
    func
        `DR-11, DR-41: an attempt that ran out of time is tried again when its body is over, on no worker before`(
            kind: Kind
        ) async throws
    {
        let store = try await kind.make()
        let deaf = DeafBody()
        let bodies = Locked((live: 0, most: 0, begun: 0))
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost", options: WorkflowOptions(clock: deaf.clock))
            try workflow.add(
                "deaf",
                options: TaskOptions(
                    retry: .constant(attempts: 2, delay: .zero, when: { _ in true }),
                    timeout: .seconds(1))
            ) {
                let isFirst = bodies.withLock { bodies in
                    bodies.live += 1
                    bodies.begun += 1
                    bodies.most = max(bodies.most, bodies.live)
                    return bodies.begun == 1
                }
                if isFirst { deaf.block() }
                bodies.withLock { $0.live -= 1 }
                return 1
            }
            return workflow
        }
        let owner = own(try make(), in: store)
        let workers = (0..<2).map { _ in worker(in: store) { try make() } }
        let working = workers.map { worker in Task { try await worker.run() } }
        await deaf.runOut(of: .seconds(1))
        // The wait for the next attempt uses this clock, with a delay of zero.
        await eventually {
            deaf.clock.advance(by: .zero)
            return bodies.withLock { $0.begun } == 2
        }
        try await owner.value
        for worker in workers { worker.leave() }
        for task in working { try await task.value }
        #expect(bodies.withLock { $0.most } == 1 && bodies.withLock { $0.begun } == 2)
        #expect(try store.stepsByName(of: Self.id)["deaf"]?.attempt == 2)
    }

    @Test(arguments: Kind.present)
    func
        `DR-41: a step whose last body isn't over waits for it on its worker, which asks for nothing meanwhile`(
            kind: Kind
        ) async throws
    {
        let store = try await kind.make()
        let deaf = DeafBody()
        let isFirst = Locked(true)
        let news = Locked((began: 0, returned: 0))
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost", options: WorkflowOptions(clock: deaf.clock))
            try workflow.add("deaf", options: TaskOptions(timeout: .seconds(1))) {
                let blocks = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                if blocks { deaf.block() }
                return 1
            }
            return workflow
        }
        let worker = worker(in: store, slots: 1) { reported in
            news.withLock { news in
                if case .began = reported { news.began += 1 }
                if case .returned = reported { news.returned += 1 }
            }
        } build: {
            try make()
        }
        let working = Task { try await worker.run() }
        let owner = own(try make(), in: store)
        await deaf.runOut(of: .seconds(1))
        await #expect(throws: WorkflowError.self) { try await owner.value }
        _ = try await make().run(
            in: store, key: "k", retryingFailures: true, input: nil, on: .workers
        ) { _ in }
        worker.leave()
        try await working.value
        #expect(news.withLock { $0.began } == 2 && news.withLock { $0.returned } == 0)
    }

    @Test(arguments: Kind.present)
    func
        `DR-14, DR-42: a worker whose lease expires before it begins a risky step joins again without running it`(
            kind: Kind
        ) async throws
    {
        let trial = try await LeaseTrial(kind)
        let store = trial.store
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost", options: WorkflowOptions(clock: trial.clock))
            let fatal = try workflow.add("fatal") { 1 }
            try workflow.addCleanup("harmless", after: [fatal.task]) {}
            return workflow
        }
        let owner = own(try make(), in: store)
        for _ in 0..<2 {
            let (_, claim) = try await claimAndDie(trial.short)
            #expect(claim.offer.step == "fatal")
            try await trial.expire()
        }
        // The next worker must run the step alone. Its process is stopped until the lease has expired.
        let isOver = DispatchSemaphore(value: 0)
        let isStopped = OneShot<Void>()
        let isFirst = Locked(true)
        let lost = OneShot<Void>()
        let stopped = StoppedStore(trial.short)
        let worker = worker(in: stopped, clock: trial.clock) { news in
            if case .lost = news { lost.fulfill(()) }
        } build: {
            if isFirst.withLock({ first in
                defer { first = false }
                return first
            }) {
                stopped.stop()
                isStopped.fulfill(())
                isOver.wait()
            }
            return try make()
        }
        try await eventually {
            try store.offers(of: Self.id).contains { $0.offer.isRisky && $0.worker == nil }
        }
        let working = Task { try await worker.run() }
        // Until then, a heartbeat after the expiry may still renew the lease.
        await isStopped.value
        #expect(try store.offers(of: Self.id).contains { $0.offer.isRisky && $0.worker != nil })
        try await trial.expire()
        try await eventually {
            try store.stepsByName(of: Self.id)["fatal"]?.state == .failed
        }
        stopped.proceed()
        isOver.signal()
        await lost.value
        await #expect(throws: WorkflowError.self) { try await owner.value }
        worker.leave()
        try await working.value
        let steps = try store.stepsByName(of: Self.id)
        #expect(steps["fatal"]?.failure?.code == "interruptedTooOften")
        #expect(steps["harmless"]?.state == .finished)
    }

    @Test(arguments: Kind.present)
    func `DR-41, WF-13: the body of an attempt that runs out of time on a worker is reported to stop`(
        kind: Kind
    )
        async throws
    {
        let store = try await kind.make()
        let clock = ManualClock()
        let began = OneShot<Void>()
        let stopped = OneShot<Void>()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost", options: WorkflowOptions(clock: clock))
            let options = TaskOptions(timeout: .milliseconds(50), grace: .seconds(3600))
            try workflow.add("patient", options: options) { () async throws -> Int in
                began.fulfill(())
                await withTaskCancellationHandler {
                    await stopped.value
                } onCancel: {
                    stopped.fulfill(())
                }
                throw CancellationError()
            }
            return workflow
        }
        let worker = worker(in: store) { try make() }
        let working = Task { try await worker.run() }
        let owner = own(try make(), in: store)
        await began.value
        clock.advance(by: .milliseconds(50))
        await #expect(throws: WorkflowError.self) { try await owner.value }
        await stopped.value
        worker.leave()
        try await working.value
    }

    @Test(arguments: Kind.present)
    func `DR-41: a task that a body adds on a worker is refused, and not lost`(kind: Kind) async throws {
        let store = try await kind.make()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("lost")
            try workflow.add("adds") { [weak workflow] in
                _ = try workflow?.add("more") { 2 }
                return 1
            }
            return workflow
        }
        let worker = worker(in: store) { try make() }
        let working = Task { try await worker.run() }
        await #expect(throws: WorkflowError.self) { try await own(try make(), in: store).value }
        worker.leave()
        try await working.value
        let failure = try store.stepsByName(of: Self.id)["adds"]?.failure
        #expect(failure?.message.contains("can't add tasks") == true, "\(String(describing: failure))")
    }

    @Test(arguments: ["queue", "body"])
    func `DR-41: a task that is cancelled on a worker has failed for its run`(by canceller: String)
        async throws
    {
        let store = SharedMemoryStore()
        let queue = OperationQueue()
        queue.isSuspended = canceller == "queue"
        @Sendable func make(_ queue: OperationQueue? = nil) throws -> Workflow {
            let workflow = Workflow("lost")
            let task = try workflow.add("cancelled", options: TaskOptions(grace: .zero)) { [weak workflow] in
                workflow?.tasks(named: "cancelled").first?.cancel()
            }
            task.task.queue = queue
            return workflow
        }
        let worker = worker(in: store) { news in
            guard case .began = news, canceller == "queue" else { return }
            Task {
                await eventually { !queue.operations.isEmpty }
                queue.cancelAllOperations()
            }
        } build: {
            try make(queue)
        }
        let working = Task { try await worker.run() }
        await #expect(throws: WorkflowError.self) { try await own(try make(), in: store).value }
        worker.leave()
        try await working.value
        let step = try store.stepsByName(of: Self.id)["cancelled"]
        #expect(step?.state == .failed && step?.failure?.code != nil)
    }

    @Test(.enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
    func `DR-42, DR-45: a worker that knows a step is notified of it beside idle workers that don't`()
        async throws
    {
        let trial = try await LeaseTrial(.server)
        let store = trial.store
        @Sendable func make(version: Int) throws -> Workflow {
            let workflow = Workflow("lost")
            var last = try workflow.add("0", options: TaskOptions(version: version)) { 0 }
            for step in 1..<5 {
                last = try workflow.add("\(step)", after: last, options: TaskOptions(version: version)) {
                    $0 + 1
                }
            }
            return workflow
        }
        let refused = OneShot<Void>()
        let old = worker(in: store, clock: trial.clock) { news in
            if case .unknown = news { refused.fulfill(()) }
        } build: {
            try make(version: 1)
        }
        let oldWorking = Task { try await old.run() }
        let owner = own(try make(version: 2), in: store)
        await refused.value
        // Each step is offered while both workers are idle. Their clock stands still, so neither looks without a
        // notice.
        let new = worker(in: store, clock: trial.clock) { try make(version: 2) }
        let newWorking = Task { try await new.run() }
        try await owner.value
        for worker in [old, new] { worker.leave() }
        try await oldWorking.value
        try await newWorking.value
    }
}
