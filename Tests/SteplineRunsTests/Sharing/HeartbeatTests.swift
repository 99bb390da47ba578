import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

/// The heartbeats of a worker whose own thread runs a user's code.
@Suite(.timeLimit(.minutes(5)))
struct HeartbeatTests {
    @Test func `DR-42: a worker whose workflow takes four leases to build keeps its steps`() async throws {
        let clock = ManualClock(), lease = Duration.seconds(60)
        let store = SharedMemoryStore(lease: lease, clock: clock)
        let isBuilding = OneShot<Void>(), isLost = Locked(false)
        let continues = DispatchSemaphore(value: 0)
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("slow", options: WorkflowOptions(clock: clock))
            try workflow.add("a") { 1 }
            return workflow
        }
        let worker = StepWorker(of: "slow", in: store, WorkerSettings(slots: 1, clock: clock)) { _ in
            isBuilding.fulfill(())
            continues.wait()
            return try make()
        } tell: { news in
            if case .lost = news { isLost.withLock { $0 = true } }
        }
        let working = Task { try await worker.run() }
        let owner = Task {
            _ = try await make().run(in: store, key: "k", retryingFailures: false, input: nil, on: .workers) {
                _ in
            }
        }
        await isBuilding.value
        // The owner looks for lost workers each time that the clock moves.
        for _ in 0..<8 {
            clock.advance(by: lease / 2)
            await eventually {
                guard let end = store.board.withLock({ $0.nextLeaseEnd }) else { return false }
                return end - store.now > lease / .seconds(2)
            }
        }
        continues.signal()
        try await owner.value
        worker.leave()
        try await working.value
        let step = try store.step("a", of: RunID("slow", key: "k"))
        #expect(step?.state == .finished && step?.interruptions == 0 && step?.attempt == 1)
        #expect(isLost.withLock { $0 } == false)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a lease is renewed three times in its length though time passes between readings`() {
        let clock = PassingClock(), length = Duration.seconds(60)
        let beats = Recorder<Duration>()
        let kept = Locked<WorkerLease?>(nil)
        let membership = CountedMembership(lease: length) {
            beats.record(clock.time)
            if beats.count == 20 { kept.withLock { $0 }?.close() }
        }
        let lease = WorkerLease(of: membership, since: .zero, clock: clock)
        kept.withLock { $0 = lease }
        lease.keep()
        let pauses = zip(beats.values.dropFirst(), beats.values).map { $0 - $1 }
        #expect(beats.count == 20 && pauses.allSatisfy { $0 < length / 3 + .seconds(1) }, "\(pauses)")
    }

    @Test
    func `DR-42: a lease that was renewed too late is over until the worker knows which steps are withdrawn`()
        throws
    {
        let clock = ManualClock(), length = Duration.seconds(60)
        let kept = Locked<WorkerLease?>(nil)
        let membership = CountedMembership(lease: length) { kept.withLock { $0 }?.close() }
        let lease = WorkerLease(of: membership, since: clock.uptime, clock: clock)
        kept.withLock { $0 = lease }
        clock.advance(by: length)
        lease.keep()
        #expect(lease.isOver)
        _ = try lease.beat(asIdle: false)
        #expect(!lease.isOver)
    }

    @Test(arguments: LeaseTrial.Kind.present)
    func `DR-43: a heartbeat says whether runs are left to workers`(kind: LeaseTrial.Kind) async throws {
        let store = try await kind.make()
        let membership = try store.join(WorkerProfile(workflow: "left", slots: 1))
        defer { membership.leave() }
        #expect(try membership.beat(for: membership.lease)?.areRunsLeft == false)
        let run = try store.openTest(id: RunID("left", key: "k"))
        try #require(run as? any SharedRun).leave(toWorkers: true)
        #expect(try membership.beat(for: membership.lease)?.areRunsLeft == true)
        let other = try store.join(WorkerProfile(workflow: "other", slots: 1))
        #expect(try other.beat(for: other.lease)?.areRunsLeft == false)
        other.leave()
        try run.end(.finished, at: moment(1))
        #expect(try membership.beat(for: membership.lease)?.areRunsLeft == false)
    }
}

/// A clock that moves a millisecond with each reading.
///
/// The first reading after a timer is the timer's deadline.
private struct PassingClock: StepClock {
    private let passed = Locked(Duration.zero)

    var now: Date { Date(timeIntervalSinceReferenceDate: time.inSeconds) }
    /// The uptime, without moving it.
    var time: Duration { passed.withLock { $0 } }

    var uptime: Duration {
        passed.withLock { passed in
            passed += .milliseconds(1)
            return passed
        }
    }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        passed.withLock { $0 += delay - .milliseconds(1) }
        body()
        return Subscription {}
    }
}

/// A worker's membership that counts heartbeats and has no steps.
private final class CountedMembership: WorkerMembership {
    let number = 1
    let lease: Duration
    private let onBeat: @Sendable () -> Void

    init(lease: Duration, onBeat: @escaping @Sendable () -> Void) {
        (self.lease, self.onBeat) = (lease, onBeat)
    }

    func beat(for lease: Duration) -> WorkerBeat? {
        onBeat()
        return WorkerBeat(held: [], stops: [], areRiskyWaiting: false)
    }

    func claim(_ count: Int, risky: Bool) -> [ClaimedStep] { [] }
    func end(_ steps: [WorkedStep]) -> [Int] { [] }
    func handBack(_ claims: [Int]) {}
    func refuse(_ claim: ClaimedStep) {}
    func accept(_ claim: ClaimedStep) {}
    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription { Subscription {} }
    func leave() {}
}
