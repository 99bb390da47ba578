import SteplineRuns
package import SteplineRunsTesting
import SteplineWorkflow

extension RunStoreRequirement {
    /// Returns the requirement that a random workflow behaves in a durable run as in a plain run.
    ///
    /// Outcomes must be equal, and the events must have a valid order. The seed makes a failure reproducible.
    package static func trace(seed: UInt64) -> RunStoreRequirement {
        RunStoreRequirement("DR-70: a run that is kept is told as one that isn't, seed \(seed)") { trial in
            let random = RandomRun(seed: seed, count: 24, .full)
            let (plain, kept) = (try random.make(), try random.make())
            let expected = try await RunTrace.of(plain) { _ = await plain.outcome() }
            let found = try await RunTrace.of(kept) { _ = try? await kept.run(in: trial.store, key: "story") }
            let id = RunID("random", key: "story")
            for words in try found.differences(from: expected) + found.disorders
                + found.differences(in: trial.store, id)
            {
                trial.find("seed \(seed): as the plain run", words)
            }
        }
    }
}
