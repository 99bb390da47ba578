import SteplineTesting
import TestSupport
import Testing

@Suite("The transfer's machine", .timeLimit(.minutes(5)))
struct TransferMachineTests {
    @Test(
        "PL-73, PL-76, PL-79, PL-81, PL-82: random messages lead where the model says, to every kind of end")
    func model() throws {
        var seen = try play(from: Chance.seed, rounds: Chance.rounds(1000))
        // The rarest kind is missing in one of some hundred seeds, so more rounds may be needed.
        for more in 1...5 where !Self.missing(in: seen).isEmpty {
            seen.formUnion(try play(from: Chance.seed &+ UInt64(more) << 32, rounds: 1000))
        }
        #expect(Self.missing(in: seen) == [])
    }

    /// Returns the kinds of ends that were never reached.
    private static func missing(in seen: Set<String>) -> [String] {
        let failures = [
            "timedOut", "tooLarge", "truncated", "connection", "redirectRefused", "tooManyRedirects",
        ].filter { code in !seen.contains { $0.contains("fail") && $0.contains(code) } }
        return failures
            + ["store(isRefused: true)", "store(isRefused: false)"].filter { deed in
                !seen.contains { $0.contains(deed) }
            }
    }

    /// Returns what was done in all rounds.
    private func play(from first: UInt64, rounds: Int) throws -> Set<String> {
        var seen: Set<String> = []
        for round in 0..<rounds {
            let seed = first &+ UInt64(round)
            var duet = try TransferDuet(seed: seed)
            for _ in 0..<60 {
                duet.step()
                guard duet.faults.isEmpty else {
                    Issue.record("seed \(seed): \(duet.faults) after \(duet.reporter)")
                    return seen
                }
            }
            #expect(duet.deeds.filter { $0 == .ended }.count <= 1, "seed \(seed)")
            for deed in duet.deeds { seen.insert("\(deed)".prefix { $0 != "," && $0 != "A" }.description) }
        }
        return seen
    }
}
