import Foundation
import SteplineRuns
import SteplineSupport

extension RunStoreRequirement {
    /// Returns the requirement that a store handles random changes as the store in memory does.
    ///
    /// The seed makes a failure reproducible.
    package static func randomChanges(seed: UInt64) -> RunStoreRequirement {
        RunStoreRequirement("DR-70: random changes tell the same story as in memory, seed \(seed)") { trial in
            let model = MemoryRunStore()
            var store = trial.store
            var random = RandomChanges(random: StableRandom(seed: seed))
            var token: UInt64 = 1
            var runs = (try model.openTest(token), try store.openTest(token))
            for _ in 0..<60 {
                if random.next(15) == 0 {
                    // The process ends, and another one takes over the run.
                    token += 1
                    if random.next(2) == 0 {
                        for run in [runs.0, runs.1] { try run.end(.failed, at: moment()) }
                    }
                    runs.0.close()
                    runs.1.close()
                    store = try trial.reopened()
                    runs = (try model.openTest(token), try store.openTest(token))
                }
                let changes = (0..<random.next(12)).map { _ in random.change(token: token) }
                let refused = (try runs.0.write(changes), try runs.1.write(changes))
                try trial.expect("the places of what is refused", refused.1, is: refused.0)
                try compare(model, store, trial)
                // Stop at the first difference: it usually causes the others.
                guard trial.findings.isEmpty else { break }
            }
            runs.1.close()
        }
    }

    private static func compare(
        _ model: any RunStore, _ store: any RunStore, _ trial: StoreTrial
    ) throws {
        let expected = try model.steps()
        try trial.expect("the steps", store.steps(), is: expected)
        try trial.expect("the history", store.history(of: .test), is: model.history(of: .test))
        try trial.expect("the run", store.run(.test), is: model.run(.test))
        for step in expected {
            let result = try model.result(of: step.name, in: .test)
            try trial.expect("a result", store.result(of: step.name, in: .test), is: result)
        }
    }
}

/// Generates random changes from a seed.
private struct RandomChanges {
    var random: StableRandom

    mutating func next(_ bound: Int) -> Int { random.below(bound) }

    mutating func change(token: UInt64) -> StepChange {
        let date = moment(Double(next(1_000)))
        let kind: StepChange.Kind =
            switch next(9) {
            case 0...2: .began
            case 3: .finished(nil)
            case 4: .finished(bytes(next(30) == 0 ? 70_000 : next(300), seed: UInt8(next(5))))
            case 5: .failed(.test)
            case 6: .waiting(.test, due: date + 10, wait: 10)
            case 7: .cancelled(StepFailure(code: "cancelled", message: "by hand"))
            default: .cleared
            }
        return StepChange(
            kind, of: "step \(next(4))", attempt: next(5), token: next(6) == 0 ? token + 1 : token, at: date,
            began: next(4) == 0 ? date - 1 : nil, version: next(3), links: UInt64(next(100)),
            failures: next(3),
            interruptions: next(3))
    }
}
