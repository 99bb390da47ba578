/// How far the steps of all runs are, a byte for each, and when they became ready.
///
/// Runs are of chains, in which each step stands on the one before it.
struct Progress {
    private static let committed: UInt8 = 0x80

    let plan: FleetPlan
    /// The places that each chain takes up, of which the last one may be empty.
    private let longest: Int
    private let long: Int
    /// How often each step's body has begun, and whether its result is committed.
    private var steps: [UInt8]
    /// Since when the step of each chain is ready that comes next.
    private var readySince: [Double]
    private(set) var committedSteps = 0
    private(set) var committedTwice = 0
    private(set) var bodies = 0
    /// Steps whose body has begun a second time.
    private(set) var repeated = 0

    init(_ plan: FleetPlan) {
        self.plan = plan
        longest = (plan.stepsOfRun + plan.chainsOfRun - 1) / plan.chainsOfRun
        let rest = plan.stepsOfRun % plan.chainsOfRun
        long = rest == 0 ? plan.chainsOfRun : rest
        steps = [UInt8](repeating: 0, count: plan.runs * plan.chainsOfRun * longest)
        readySince = [Double](repeating: 0, count: plan.runs * plan.chainsOfRun)
    }

    // MARK: Where a step is

    func step(_ place: Int, of chain: Int) -> Int { chain * longest + place }
    func chain(of step: Int) -> Int { step / longest }
    func place(of step: Int) -> Int { step % longest }
    func run(of step: Int) -> Int { chain(of: step) / plan.chainsOfRun }
    func length(of chain: Int) -> Int { chain % plan.chainsOfRun < long ? longest : longest - 1 }
    func chains(of run: Int) -> Range<Int> { run * plan.chainsOfRun..<(run + 1) * plan.chainsOfRun }

    // MARK: What becomes of it

    /// The step's result is committed; the step that stands on it is ready.
    mutating func commit(_ step: Int, at now: Double) {
        if steps[step] & Self.committed != 0 { committedTwice += 1 } else { committedSteps += 1 }
        steps[step] |= Self.committed
        readySince[chain(of: step)] = now
    }

    /// A body begins; how long the step was ready for, if it is the step's first one.
    mutating func begin(_ step: Int, at now: Double) -> Double? {
        let count = steps[step] & ~Self.committed
        bodies += 1
        if count == 1 { repeated += 1 }
        if count < ~Self.committed { steps[step] += 1 }
        return count == 0 ? now - readySince[chain(of: step)] : nil
    }

    /// How many steps of a run are committed.
    func committed(of run: Int) -> Int {
        let chains = chains(of: run)
        return steps[chains.lowerBound * longest..<chains.upperBound * longest].reduce(0) {
            $0 + Int($1 >> 7)
        }
    }
}
