import SteplineSupport
import SteplineTesting

extension TermsModel {
    enum Need { case result, anyEnd, cleanUp }

    enum Kind: Equatable { case plain, cleanup, condition(fails: Bool) }

    struct Edge {
        let prerequisite: Int
        let need: Need
    }

    struct Plan {
        var kind = Kind.plain
        var edges: [Edge] = []
        /// How many places of the pool it takes.
        var weight = 0
        var isWatched = false
        var isExternal = false
        var hasTimeout = false
        var hasDeadline = false
        var hasWatchdog = false
        var isAsync = false
    }
}

extension TermsModel.Plan {
    /// A graph by chance.
    ///
    /// Where a condition that fails would cancel others, nobody could tell in which order those have begun.
    static func some(capacity: Int, failsConditions: Bool, _ random: inout StableRandom) -> [TermsModel.Plan]
    {
        var plans: [TermsModel.Plan] = []
        // All that queues, listeners and pools have to do with is rare in some rounds, and not in others.
        let often = Int.random(in: 1...4, using: &random)
        for number in 0..<Int.random(in: 1...10, using: &random) {
            var plan = TermsModel.Plan()
            let before = (0..<number).filter { plans[$0].kind != .cleanup }
            let chosen = before.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
            let isCleanup = random.chance(1, in: 5) && !chosen.isEmpty
            if isCleanup {
                plan.kind = .cleanup
            } else if random.chance(1, in: 6) {
                plan.kind = .condition(fails: failsConditions && random.chance(1, in: 4))
            }
            plan.edges = chosen.map {
                .init(
                    prerequisite: $0,
                    need: isCleanup ? .cleanUp : random.chance(1, in: 3) ? .anyEnd : .result)
            }
            if random.chance(1, in: often) { plan.weight = Int.random(in: 1...capacity, using: &random) }
            plan.isWatched = random.chance(1, in: often + 1)
            plan.isExternal = !(plan.kind != .plain && !isCleanup) && random.chance(1, in: often + 1)
            plan.hasTimeout = random.chance(1, in: 3)
            plan.hasDeadline = random.chance(1, in: 3)
            plan.hasWatchdog = random.chance(1, in: 3)
            plan.isAsync = plan.kind == .plain && random.chance(1, in: 2)
            plans.append(plan)
        }
        return plans
    }
}
