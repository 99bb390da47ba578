import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineRuns

/// The rules of sharing runs, without threads: against a model that looks at everything each time.
@Suite(.timeLimit(.minutes(5))) struct OfferBoardTests {
    private func offer(_ step: String, priority: Int = 0, attempt: Int = 1) -> StepOffer {
        StepOffer(
            step: step, task: step, version: 1, attempt: attempt, token: 1, links: 0, failures: 0,
            interruptions: 0, priority: priority, cacheKey: nil)
    }

    @Test func `DR-47: the most urgent step comes first, and runs that are equally urgent take turns`() {
        var board = OfferBoard(lease: 10)
        let worker = board.join(WorkerProfile(workflow: "w", slots: 1), at: 0)
        let large = RunID("w", key: "large")
        let small = RunID("w", key: "small")
        board.offer((0..<100).map { offer("l\($0)") }, of: large, number: 1)
        var order: [String] = []
        func claim() {
            order += board.claim(1, risky: false, by: worker, at: 1, began: Date()).map(\.offer.step)
        }
        for _ in 0..<10 { claim() }
        board.offer((0..<3).map { offer("s\($0)") }, of: small, number: 2)
        board.offer([offer("urgent", priority: 1)], of: large, number: 1)
        for _ in 0..<7 { claim() }
        #expect(Array(order.prefix(11)) == (0..<10).map { "l\($0)" } + ["urgent"])
        #expect(Set(order[11...16]) == ["s0", "s1", "s2", "l10", "l11", "l12"])
    }

    @Test(arguments: 1...UInt64(Chance.rounds(40)))
    func `DR-11, DR-42: whatever comes in whatever order, each offer ends once, and only by who holds it`(
        seed: UInt64
    ) {
        var numbers = StableRandom(seed: seed)
        var board = OfferBoard(lease: 5)
        let run = RunID("w", key: "k")
        var now = 0.0
        var workers: [Int] = []
        /// The model: who holds what, and until when each worker is alive.
        var holders: [Int: Int] = [:]
        var alive: [Int: Double] = [:]
        var claims: [ClaimedStep] = []
        var open: Set<String> = []
        var ended: [String: Int] = [:]
        var made = 0
        for _ in 0..<300 {
            now += Double(numbers.below(100)) / 100
            switch numbers.below(8) {
            case 0:
                let steps = (0..<numbers.below(4)).map { _ -> StepOffer in
                    made += 1
                    open.insert("\(made)")
                    return offer("\(made)", priority: numbers.below(3))
                }
                board.offer(steps, of: run, number: 1)
            case 1:
                let worker = board.join(WorkerProfile(workflow: "w", slots: 4), at: now)
                workers.append(worker)
                alive[worker] = now + 5
            case 2, 3:
                guard !workers.isEmpty else { continue }
                let worker = workers[numbers.below(workers.count)]
                let isRisky = numbers.below(4) == 0
                let taken = board.claim(
                    1 + numbers.below(3), risky: isRisky, by: worker, at: now, began: Date())
                if !taken.isEmpty { #expect(alive[worker].map { now < $0 } == true, "seed \(seed)") }
                for claim in taken {
                    #expect(holders[claim.id] == nil, "seed \(seed): \(claim.offer.step) is held by two")
                    #expect(claim.offer.isRisky == isRisky && open.contains(claim.offer.step), "seed \(seed)")
                    holders[claim.id] = worker
                    claims.append(claim)
                }
            case 4:
                guard !claims.isEmpty, !workers.isEmpty else { continue }
                let claim = claims[numbers.below(claims.count)]
                let worker = workers[numbers.below(workers.count)]
                let isTaken = board.end(claim.id, .finished, by: worker)
                #expect(isTaken == (holders[claim.id] == worker), "seed \(seed): \(claim.offer.step)")
                if isTaken { holders[claim.id] = nil }
            case 5:
                guard !workers.isEmpty else { continue }
                let worker = workers[numbers.below(workers.count)]
                let leaseEnd = now + Double(5 + numbers.below(6))
                let beat = board.beat(worker, until: leaseEnd)
                #expect((beat != nil) == (alive[worker] != nil), "seed \(seed)")
                if let beat {
                    alive[worker] = leaseEnd
                    #expect(beat.held == Set(holders.filter { $0.value == worker }.keys), "seed \(seed)")
                }
            case 6:
                board.sweep(at: now)
                for (worker, end) in alive where end <= now {
                    alive[worker] = nil
                    holders = holders.filter { $0.value != worker }
                }
            default:
                let ends = board.ends(of: run, acknowledging: [])
                for end in ends {
                    ended[end.step, default: 0] += 1
                    open.remove(end.step)
                }
                let again = board.ends(
                    of: run, acknowledging: ends.map { AcknowledgedEnd(id: $0.id, attempt: $0.attempt) })
                #expect(again.isEmpty, "seed \(seed)")
            }
        }
        #expect(ended.values.allSatisfy { $0 == 1 }, "seed \(seed): \(ended)")
        let left = board.records(of: run).filter { !$0.hasEnded }
        #expect(left.count { $0.worker != nil } == holders.count, "seed \(seed)")
    }
}
