/// What bounds the length of a run, and what would be gained by lifting it.
struct RunBound: Sendable, Equatable {
    enum Cause: Sendable, Equatable {
        /// The longest chain of tasks, each of which waits for the one before.
        case path([String])
        /// A bound, or all that do so together.
        case places([RunModel.Bound])
        /// The waits for hosts, which allow so many connections or requests a second, or for the turns of steps.
        case waits(FlowWaits.Cause)
    }

    /// The most bounds that are looked at: each costs a run on paper.
    private static let mostBounds = 32

    let cause: Cause
    /// How long the run takes, and would without its bound; in seconds.
    let length: Double
    let without: Double

    /// Nil for a run of nothing.
    init?(_ model: RunModel) {
        let full = RunSimulation(model)
        guard full.length > 0 else { return nil }
        // Less than a twentieth is as much as times differ anyway.
        func gains(_ other: Int64) -> Bool { full.length - other > full.length / 20 }
        length = Double(full.length) / 1e9
        let groups = Self.groups(of: model.bounds).prefix(Self.mostBounds)
        var best: (cause: Cause, length: Int64)?
        for group in groups {
            let other = RunSimulation(model, lifting: group.numbers).length
            if gains(other), other < best?.length ?? .max { best = (.places([group.bound]), other) }
        }
        for wait in [FlowWaits.Cause.host, .turn] where model.jobs.contains(where: { $0.waits[wait] != nil })
        {
            let other = RunSimulation(model, withoutWaits: [wait]).length
            if gains(other), other < best?.length ?? .max { best = (.waits(wait), other) }
        }
        if best == nil {
            // Two that bound alike gain nothing alone.
            let numbers = groups.reduce(into: Set<Int>()) { $0.formUnion($1.numbers) }
            let all = RunSimulation(model, lifting: numbers)
            if gains(all.length) {
                let needed = groups.filter { group in
                    RunSimulation(model, lifting: numbers.subtracting(group.numbers)).length > all.length
                }
                best = (.places((needed.isEmpty ? groups[...] : needed[...]).map(\.bound)), all.length)
            }
        }
        guard let best else {
            cause = .path(full.path.map { model.jobs[$0].name })
            without = length
            return
        }
        cause = best.cause
        without = Double(best.length) / 1e9
    }

    /// The bounds that the flow sets in one place, though each run of a file has its own of them.
    private static func groups(of bounds: [RunModel.Bound]) -> [(bound: RunModel.Bound, numbers: Set<Int>)] {
        var groups: [(bound: RunModel.Bound, numbers: Set<Int>)] = []
        var known: [RunModel.Bound: Int] = [:]
        for (number, bound) in bounds.enumerated() {
            if let place = known[bound] {
                groups[place].numbers.insert(number)
            } else {
                known[bound] = groups.count
                groups.append((bound, [number]))
            }
        }
        return groups
    }

    /// Whether it is the longest chain of its tasks.
    var isPath: Bool { if case .path = cause { true } else { false } }

    /// How much shorter the run would be, in seconds.
    var gain: Double { length - without }

    /// In one line: `bound by jobs (2): without, about 20 s less`.
    var text: String {
        switch cause {
        case .path(let tasks):
            let shown = tasks.count > 6 ? tasks.prefix(3) + ["…"] + tasks.suffix(2) : tasks[...]
            return "bound by its longest chain: " + shown.joined(separator: " > ")
        case .places, .waits: return "bound by \(words): with no such bound about \(Amounts.time(gain)) less"
        }
    }

    /// What bounds it, in words.
    var words: String {
        switch cause {
        case .path: "its longest chain"
        case .places(let bounds): bounds.map { "\($0.name) (\($0.capacity))" }.joined(separator: " and ")
        case .waits(.host): "the waits for hosts"
        case .waits(.turn): "the waits of steps for their pools and rates"
        }
    }
}
