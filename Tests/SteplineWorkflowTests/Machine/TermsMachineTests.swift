import SteplineTesting
import TestSupport
import Testing

/// Tasks with terms: pools, limits of time, cleanups, conditions, operation queues, listeners, in every order.
@Suite("The workflow's machine with rare task state", .timeLimit(.minutes(5)))
struct TermsMachineTests {
    @Test("WF-27, WF-46, WF-57, WF-58, WF-85: random messages in every order lead where the model says")
    func model() {
        let first = Chance.seed
        for round in 0..<Chance.rounds(100) {
            let seed = first &+ UInt64(round)
            var duet = TermsDuet(seed: seed)
            for _ in 0..<80 where duet.faults.isEmpty { duet.step() }
            if duet.faults.isEmpty { duet.drain() }
            guard duet.faults.isEmpty else {
                Issue.record("seed \(seed): \(duet.faults) after \(duet.eventLog) in \(duet.model.plans)")
                return
            }
        }
    }
}
