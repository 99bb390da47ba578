import SteplineEngine
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WaitersTests {
    private final class Someone: Waiter {
        func wake() {}
    }

    @Test func `waiters are woken in order of arrival, whichever others have left`() {
        let seed = Chance.seed
        for round in 0..<Chance.rounds(20) {
            var random = StableRandom(seed: seed &+ UInt64(round))
            var waiters = Waiters(), model: [Someone] = []
            // In some rounds there are many, in some only a few.
            let growth = Int.random(in: 3...8, using: &random)
            for step in 0..<2_000 {
                if random.chance(growth, in: 10) {
                    let waiter = Someone()
                    waiters.add(waiter)
                    model.append(waiter)
                } else if let index = model.indices.randomElement(using: &random) {
                    waiters.remove(model.remove(at: index))
                } else {
                    waiters.remove(Someone())
                }
                guard waiters.isEmpty == model.isEmpty else {
                    Issue.record("seed \(seed), round \(round), step \(step)")
                    return
                }
                if random.chance(1, in: 300) || step == 1_999 {
                    let woken = waiters.takeAll().map { ObjectIdentifier($0) }
                    #expect(woken == model.map { ObjectIdentifier($0) }, "seed \(seed), round \(round)")
                    model = []
                }
            }
        }
    }

    /// By a search for each of them the time limit would be over long before the last one has left.
    @Test(.timeLimit(.minutes(5)))
    func `a hundred thousand waiters leave in any order within the time limit`() {
        var random = StableRandom(seed: Chance.seed)
        var waiters = Waiters()
        let all = (0..<100_000).map { _ in Someone() }
        for waiter in all { waiters.add(waiter) }
        for waiter in all.shuffled(using: &random) { waiters.remove(waiter) }
        #expect(waiters.isEmpty)
    }
}
