import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine

@Suite(.timeLimit(.minutes(5)))
struct FIFOTests {
    @Test func `a queue returns its oldest element, after any insertion and at any length`() {
        let first = Chance.seed
        for round in 0..<Chance.rounds(20) {
            var random = StableRandom(seed: first &+ UInt64(round))
            var line = FIFO<Int>(), model: [Int] = []
            // Some rounds let it grow long, so that what was taken is thrown away in one go.
            let growth = Int.random(in: 4...9, using: &random)
            for number in 0..<6_000 {
                switch Int.random(in: 0..<(growth + 5), using: &random) {
                case 0..<growth:
                    line.append(number)
                    model.append(number)
                case growth:
                    line.putBack(number)
                    model.insert(number, at: 0)
                default:
                    let got = line.popFirst(), missing = model.isEmpty ? nil : model.removeFirst()
                    guard got == missing else {
                        return #expect(got == missing, "seed \(first), round \(round)")
                    }
                }
                let agrees = line.count == model.count && line.first == model.first
                let ahead = number % 5
                guard agrees, line.isEmpty == model.isEmpty,
                    line.element(ahead) == (ahead < model.count ? model[ahead] : nil)
                else {
                    Issue.record("seed \(first), round \(round), step \(number)")
                    return
                }
            }
            #expect(Array(line) == model, "seed \(first), round \(round)")
        }
    }

    @Test func `dequeued elements are released at once, and a queue that was long returns its memory`() {
        final class Thing: Sendable {}
        var line = FIFO<Thing>()
        weak var taken: Thing?
        for _ in 0..<10_000 { line.append(Thing()) }
        taken = line.first
        _ = line.popFirst()
        #expect(taken == nil && line.count == 9_999)
        while line.popFirst() != nil {}
        #expect(line.items.capacity == 0)
    }

    @Test func `a line of steady length moves each element about once, and stores at most twice its length`()
    {
        var line = FIFO<Int>()
        for number in 0..<3_000 { line.append(number) }
        var (most, moved) = (0, 0)
        for number in 0..<20_000 {
            line.append(number)
            most = max(most, line.items.count)
            let before = line.items.count
            _ = line.popFirst()
            // The front was cut off: all that is left was moved.
            if line.items.count < before { moved += line.items.count }
        }
        #expect(line.count == 3_000 && most <= 2 * 3_000 + 1 && moved <= 20_000)
    }
}
