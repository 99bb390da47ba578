import Foundation
import SteplineRuns
package import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow

extension RunStoreRequirement {
    /// Returns the requirement that a random workflow, interrupted at each write, resumes and ends as if uninterrupted.
    ///
    /// The write is cut off before or after it is stored. The seed makes a failure reproducible.
    package static func interruptions(seed: UInt64) -> RunStoreRequirement {
        RunStoreRequirement(
            "DR-13, DR-71: cut off at any write, a run goes on and ends as an undisturbed one, seed \(seed)"
        ) { trial in
            let random = RandomRun(seed: seed, count: 24)
            let plain = try random.make()
            _ = await plain.outcome()
            let expected = RandomRun.states(plain)
            for number in 1..<1000 {
                var wasCut = false
                for cut in [CuttingStore.Cut.before(number), .after(number)] {
                    wasCut = try await resume(random, cut, expected, trial) || wasCut
                }
                // Stop at the first difference: it usually causes the others.
                guard wasCut, trial.findings.isEmpty else { break }
            }
        }
    }

    /// Runs the workflow until the cut, then resumes it; returns whether the cut was reached.
    private static func resume(
        _ random: RandomRun, _ cut: CuttingStore.Cut, _ expected: [String: String], _ trial: StoreTrial
    ) async throws -> Bool {
        let id = RunID("random", key: "\(cut)")
        let cutting = CuttingStore(trial.store, cut)
        _ = try? await random.make().run(in: cutting, key: id.key)
        let store = try trial.reopened()
        let committed = try store.stepsByName(of: id).filter { $0.value.state == .finished }
        let wasOver = try store.run(id)?.ending != nil
        let bodies = Locked<[String]>([])
        let second = try random.make { name in bodies.withLock { $0.append(name) } }
        do {
            try await second.run(in: store, key: id.key)
        } catch let error as WorkflowError where error.code == .tasksFailed {
        } catch {
            trial.find("the run goes on when it was cut off \(cut)", "\(error)")
        }
        let states = RandomRun.states(second)
        let run = bodies.withLock { $0 }
        // If a map is finished, a resumed run doesn't create its elements.
        for (name, state) in expected where !name.contains("[k") {
            try trial.expect("\(name), cut off \(cut)", states[name], is: state)
        }
        let again = run.filter { committed[$0] != nil }
        try trial.expect("committed steps that run again, cut off \(cut)", again, is: [])
        if wasOver { try trial.expect("steps of an ended run that run again", run, is: []) }
        let running = try store.stepsByName(of: id).values.filter { $0.state == .running }.map(\.name)
        try trial.expect("steps that still run, cut off \(cut)", running, is: [])
        return cutting.isCut
    }
}
