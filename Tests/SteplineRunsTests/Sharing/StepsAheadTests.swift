import Testing

@testable import SteplineRuns

/// How many steps a worker takes before it can run them.
struct StepsAheadTests {
    private func claims(_ count: Int) -> [ClaimedStep] {
        (0..<count).map { number in
            ClaimedStep(
                id: number, run: RunID("pages", key: "k"), runNumber: 1,
                offer: StepOffer(
                    step: "step \(number)", task: "step \(number)", version: 1, attempt: 1, token: 1,
                    links: 0,
                    failures: 0, interruptions: 0, priority: 0, cacheKey: nil))
        }
    }

    @Test func `DR-41: none is taken ahead before it is known that steps are short, nor where they are long`()
    {
        var ahead = StepsAhead(slots: 4)
        #expect(ahead.room == 0)
        ahead.note(1)
        #expect(ahead.room == 0)
        // That they are short by now is believed after some.
        ahead.note(0.0001)
        #expect(ahead.room == 0)
        for _ in 0..<100 { ahead.note(0.0001) }
        #expect(ahead.room == 4 * 32)
        ahead.note(0.1)
        #expect(ahead.room == 0)
    }

    @Test func `DR-41: of steps of 5 ms as many are taken ahead as last for 20 ms`() {
        var ahead = StepsAhead(slots: 2)
        ahead.note(0.005)
        #expect(ahead.room == 2 * 4)
    }

    @Test func `DR-41: what waits for 100 ms is for others, and then none is taken ahead`() {
        let start = ContinuousClock.now
        var ahead = StepsAhead(slots: 1)
        ahead.note(0.001)
        ahead.add(claims(3), at: start)
        #expect(ahead.take(1, at: start + .milliseconds(60)).map(\.id) == [0])
        #expect(!ahead.areLate(at: start + .milliseconds(150)))
        #expect(ahead.areLate(at: start + .milliseconds(160)))
        ahead.areLong()
        #expect(ahead.room == 0)
        #expect(ahead.take { $0 > 1 }.map(\.id) == [2])
        #expect(ahead.ids == [1])
        #expect(ahead.take(ahead.count).map(\.id) == [1])
        #expect(!ahead.areLate(at: start + .seconds(1)))
    }
}
