import SteplineSupport
import TestSupport
import Testing

@testable import SteplineReports

@Suite(.timeLimit(.minutes(5)))
struct LanePackingTests {
    @Test("each bar gets the lowest lane that is free when it begins")
    func lowest() {
        var generator = StableRandom(seed: Chance.seed)
        for longest in [1, 5, 50, 500] as [Int64] {
            var packing = LanePacking()
            var begin: Int64 = 0
            // When each lane is free again, looked through from the lowest on.
            var lanes: [Int64] = []
            for _ in 0..<2000 {
                begin += Int64.random(in: 0...3, using: &generator)
                let end = begin + Int64.random(in: 0...longest, using: &generator)
                let lane = lanes.firstIndex { $0 <= begin } ?? lanes.count
                if lane == lanes.count { lanes.append(0) }
                lanes[lane] = max(end, begin + 1)
                let given = packing.place(from: begin, to: end)
                #expect(given == lane + 1)
            }
            #expect(packing.count == lanes.count)
        }
    }

    @Test("bars that end in their order, or in the opposite one, are given their lanes, too")
    func crowds() {
        for isReversed in [false, true] {
            var packing = LanePacking()
            let count: Int64 = 1000
            for number in 1...count {
                let lane = packing.place(from: 0, to: isReversed ? 2 * count - number : count + number)
                #expect(lane == Int(number))
            }
            let last = packing.place(from: 3 * count, to: 3 * count)
            #expect(last == 1 && packing.count == Int(count))
        }
    }
}
