import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineRuns

/// A starter whose workers are a number.
private final class Numbers: WorkerStarter {
    struct State {
        var tally = WorkerTally()
        var failure: (any Error)?
        var lasts = true
    }

    let state = Locked(State())
    let started = Recorder<Int>()

    func start(_ count: Int) async throws -> String {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            if state.lasts { state.tally.running += count }
        }
        started.record(count)
        return "started \(count)"
    }

    func tally() async throws -> WorkerTally { state.withLock { $0.tally } }

    func cancel() async throws { state.withLock { $0.tally = WorkerTally() } }
}

@Suite("Keeping workers", .timeLimit(.minutes(5)))
struct WorkerKeeperTests {
    private let starter = Numbers()
    private let reported = Recorder<String>()
    /// The clock jumps to the next look.
    private let clock = ManualClock(runsByItself: true)
    private let demand = Locked(WorkerDemand(ready: 50, running: 0, ended: 0, alive: 0))

    private func keep(_ bounds: ClosedRange<Int>) async throws {
        let reported = self.reported
        let keeper = WorkerKeeper(starter, bounds: bounds, slots: 1, clock: clock) { reported.record($0) }
        try await keeper.keep { demand.withLock { $0 } }
    }

    @Test("DR-53: the keeper starts missing workers until it is cancelled")
    func growing() async throws {
        let keeping = Task { try await keep(2...10) }
        await starter.started.waitForCount(4)
        starter.state.withLock { $0.tally.running = 7 }
        demand.withLock { $0.ended += 1 }
        await starter.started.waitForCount(5)
        keeping.cancel()
        await #expect(throws: CancellationError.self) { try await keeping.value }
        #expect(reported.values == ["started 2", "started 2", "started 4", "started 2", "started 3"])
    }

    @Test("DR-50: a first start that is refused ends it with the starter's words")
    func refused() async {
        starter.state.withLock { $0.failure = SlurmError(.refused, "no such partition") }
        let error = await #expect(throws: SlurmError.self) { try await keep(2...10) }
        #expect(error?.description == "no such partition")
    }

    @Test("DR-52: a starter that doesn't answer is told of once, and asked again until it does")
    func unreachable() async throws {
        starter.state.withLock { $0.failure = SlurmError(.unreachable, "away at https://u:hush@h/") }
        let keeping = Task { try await keep(2...2) }
        await reported.waitForCount(1)
        #expect(
            reported.values.first?.contains("away") == true
                && reported.values.first?.contains("hush") == false)
        starter.state.withLock { $0.failure = nil }
        await starter.started.waitForCount(1)
        keeping.cancel()
        _ = await keeping.result
        #expect(reported.count == 2 && reported.values.last == "started 2")
    }

    @Test("DR-52: a start that is refused later is reported, and the run continues with its workers")
    func refusedLater() async throws {
        let keeping = Task { try await keep(2...10) }
        await starter.started.waitForCount(4)
        starter.state.withLock {
            $0.failure = SlurmError(.refused, "too many jobs")
            $0.tally.running = 3
        }
        demand.withLock { $0.ended += 1 }
        await reported.waitForCount(5)
        #expect(reported.values.last == "too many jobs")
        keeping.cancel()
        _ = await keeping.result
    }

    @Test("DR-53: workers that all end as soon as they begin end it with an error")
    func hopeless() async {
        starter.state.withLock { $0.lasts = false }
        await #expect(throws: WorkerKeeperError.self) { try await keep(3...3) }
        #expect(starter.started.values == [3, 3, 3, 3, 3, 3])
    }

    @Test("DR-53: the keeper reports why workers wait")
    func waiting() async {
        starter.state.withLock { $0.tally = WorkerTally(running: 1, waiting: 2, reasons: ["Resources"]) }
        let keeping = Task { try await keep(3...9) }
        await reported.waitForCount(1)
        keeping.cancel()
        _ = await keeping.result
        #expect(reported.values == ["2 workers of 3 still wait for a machine: Resources"])
    }
}
