import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// Random runs with all kinds of tasks, which come to the same and are told alike wherever they are kept, and whoever
/// runs their steps.
@Suite(.timeLimit(.minutes(5)))
struct ConformanceTests {
    private static let id = RunID("random", key: "k")

    @Test(arguments: ConformancePlace.present, Chaos.seeds())
    func `DR-3, DR-70: a random run is the plain one: its states, results, errors, attempts and order`(
        place: ConformancePlace, seed: UInt64
    ) async throws {
        let random = RandomRun(seed: seed, count: 24, .full)
        let (expected, _) = try await eventLog(of: random, in: .plain)
        let (found, kept) = try await eventLog(of: random, in: place)
        Conformance.expect(found, as: expected, kept, "seed \(seed), \(place)")
    }

    /// Runs it; what the store has of it that isn't what was told is left to the store of that place.
    private func eventLog(of random: RandomRun, in place: ConformancePlace) async throws -> (
        RunTrace, [String]
    ) {
        try await place.withStore { store in
            let workflow = try random.make()
            let eventLog = try await RunTrace.of(workflow) {
                try await place.run(workflow, as: random, in: store)
            }
            return (eventLog, try store.map { try eventLog.differences(in: $0, Self.id) } ?? [])
        }
    }

    @Test(arguments: ConformancePlace.ofOwners, Chaos.seeds())
    func `DR-13, DR-70: a random run that is stopped in the middle and goes on ends as the plain one`(
        place: ConformancePlace, seed: UInt64
    ) async throws {
        let random = RandomRun(seed: seed, count: 24, .lasting)
        let plain = try random.make()
        _ = await plain.outcome()
        var numbers = StableRandom(seed: seed)
        let write = 1 + numbers.below(20)
        let cut = numbers.below(2) == 0 ? CuttingStore.Cut.before(write) : .after(write)
        let workflow = try await place.withStore { store in
            let store = try #require(store)
            _ = try? await random.make().run(in: CuttingStore(store, cut), key: "k")
            let workflow = try random.make()
            try await place.run(workflow, as: random, in: store)
            return workflow
        }
        // Elements of a map that stands are not made again.
        Chaos.expect(
            RandomRun.states(workflow), as: RandomRun.states(plain).filter { !$0.key.contains("[k") },
            "seed \(seed), \(place), cut \(cut)")
    }
}
