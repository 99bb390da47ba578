import SteplineSupport
import TestSupport
import Testing

@testable import SteplineWorkflow

/// The keys of a growing map by number.
@Suite(.timeLimit(.minutes(5)))
struct KeyIndexTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random additions and removals find the same numbers as a dictionary`(seed: UInt64) {
        var random = StableRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        var index = KeyIndex()
        var model: [String: Int32] = [:]
        var next: Int32 = 0
        for _ in 0..<2_000 {
            let key = below(40) == 0 ? "" : "\(below(300))"
            if let number = model[key] {
                if below(3) == 0 {
                    index.remove(number)
                    model[key] = nil
                }
            } else {
                // Tasks without a key lie between.
                next += Int32(below(3))
                index.add(key, next)
                model[key] = next
                next += 1
            }
            #expect(index.number(of: key) == model[key])
        }
        #expect(index.count == model.count && index.numbers == model.values.sorted())
        for (key, number) in model {
            #expect(index.key(of: number) == key && index.number(of: key) == number)
        }
        let known = Set(model.values)
        for number in 0..<(next + 2) where !known.contains(number) { #expect(index.key(of: number) == nil) }
    }
}
