import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine

struct FIFOTests {
    @Test func `a line gives what came first, whatever is put back and however long it gets`() {
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
                    let got = line.popFirst(), wanted = model.isEmpty ? nil : model.removeFirst()
                    guard got == wanted else {
                        return #expect(got == wanted, "seed \(first), round \(round)")
                    }
                }
                let agrees = line.count == model.count && line.first == model.first
                guard agrees, line.isEmpty == model.isEmpty else {
                    Issue.record("seed \(first), round \(round), step \(number)")
                    return
                }
            }
            #expect(Array(line) == model, "seed \(first), round \(round)")
        }
    }

    @Test func `what has been taken is let go at once, and a line that was long once gives back its memory`()
    {
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

    @Test func `what waits is moved about as often as it comes`() {
        // A steady line of 3,000: each of a million comings and goings would move all of it if that weren't put off.
        var line = FIFO<Int>()
        for number in 0..<3_000 { line.append(number) }
        var most = 0
        for number in 0..<20_000 {
            line.append(number)
            _ = line.popFirst()
            most = max(most, line.items.count)
        }
        #expect(line.count == 3_000 && most <= 2 * 3_000 + 1)
    }
}
