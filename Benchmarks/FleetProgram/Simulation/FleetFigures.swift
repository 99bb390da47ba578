/// The figures of a played plan.
package struct FleetFigures: Sendable {
    package let plan: FleetPlan
    /// Whether all runs have ended.
    package let hasEnded: Bool
    package let seconds: Double
    /// Steps whose result was never committed, and those that were twice: there must be none.
    package let lost: Int
    package let committedTwice: Int
    /// Steps whose bodies have begun more than once.
    package let repeated: Int
    package let bodies: Int
    /// Steps that have failed, since their workers have ended too often.
    package let failed: Int
    package let refusedEnds: Int
    package let lostMemberships: Int
    package let lostSteps: Int
    package let takenOver: Int
    /// Steps each second: in the middle half of the run, or in the minute before what goes wrong.
    package let rate: Double
    package let rows: Int
    /// The most of one server at once.
    package let connections: Int
    package let refusedConnections: Int
    package let longestWait: Double
    package let meanWait: Double
    /// The part of the processors' time in which they were busy, with the part of each kind.
    package let busy: Double
    let kinds: [(kind: Call.Kind, part: Double)]
    /// The part of the time in which somebody committed what tells others something.
    package let lockBusy: Double
    /// How often each second all that listen were woken.
    package let waves: Double
    /// Steps each second in the ten worst seconds after what went wrong, and how long after it all was normal again.
    package let worstRate: Double?
    package let recovery: Double?

    init(_ fleet: Fleet) {
        let (plan, tally, progress, now) = (fleet.plan, fleet.tally, fleet.progress, max(fleet.now, 1))
        self.plan = plan
        hasEnded = fleet.unfinishedRuns == 0
        seconds = fleet.now
        lost = plan.steps - progress.committedSteps
        committedTwice = progress.committedTwice
        repeated = progress.repeated
        bodies = progress.bodies
        failed = tally.failedSteps
        refusedEnds = tally.refusedEnds
        lostMemberships = tally.lostMemberships
        lostSteps = tally.lostSteps
        takenOver = tally.takenOver
        rows = tally.rows
        connections = fleet.servers.map(\.mostConnections).max() ?? 0
        refusedConnections = tally.refusedConnections
        longestWait = tally.longestWait
        meanWait = tally.waits / Double(max(tally.waited, 1))
        let times = Call.Kind.allCases.map { kind in fleet.servers.reduce(0) { $0 + $1.busy[kind.rawValue] } }
        let total = times.reduce(0, +)
        busy = total / (now * Double(plan.cores))
        kinds = zip(Call.Kind.allCases, times).map { ($0, $1 / max(total, 1e-9)) }.sorted {
            $0.part > $1.part
        }
        lockBusy = (fleet.servers.map(\.lockTime).max() ?? 0) / now
        waves = Double(fleet.servers.map(\.waves).max() ?? 0) / now

        let course = Course(tally.seconds)
        guard let moment = plan.incident.moment else {
            rate = course.middleRate(of: plan.steps)
            (worstRate, recovery) = (nil, nil)
            return
        }
        rate = course.rate(from: Int(FleetPlan.settled), to: Int(moment))
        var expected = rate
        if case .regionLost = plan.incident {
            let left = Double(plan.workers * (FleetPlan.regions - 1) / FleetPlan.regions * plan.slots)
            expected = min(rate, left / FleetPlan.meanBody)
        }
        worstRate = course.worst(after: Int(moment))
        recovery = course.recovery(to: expected, after: moment).map {
            max($0, tally.lastRepeated - moment, plan.incident.absence)
        }
    }
}

/// How many steps were committed after each second.
private struct Course {
    private let seconds: [Int]

    init(_ seconds: [Int]) { self.seconds = seconds }

    func rate(from begin: Int, to end: Int) -> Double {
        let (begin, end) = (max(0, min(begin, seconds.count - 1)), max(0, min(end, seconds.count - 1)))
        return Double(seconds[end] - seconds[begin]) / Double(max(end - begin, 1))
    }

    func middleRate(of steps: Int) -> Double {
        let begin = seconds.firstIndex { $0 >= steps / 4 } ?? 0
        return rate(from: begin, to: seconds.firstIndex { $0 >= steps * 3 / 4 } ?? seconds.count - 1)
    }

    func worst(after moment: Int) -> Double? {
        let places = moment..<max(moment, min(moment + 35, seconds.count - 10))
        return places.map { rate(from: $0, to: $0 + 10) }.min()
    }

    /// After how many seconds ten seconds begin in which as much is done as is to be expected, and ten more behind them.
    func recovery(to expected: Double, after moment: Double) -> Double? {
        let first = Int(moment) + 1
        let place = (first..<max(first, seconds.count - 20)).first { place in
            rate(from: place, to: place + 10) >= 0.95 * expected
                && rate(from: place + 10, to: place + 20) >= 0.95 * expected
        }
        return place.map { Double($0) - moment }
    }
}

extension FleetPlan {
    /// Plays it.
    package func played() -> FleetFigures {
        var fleet = Fleet(self)
        return fleet.play()
    }
}
