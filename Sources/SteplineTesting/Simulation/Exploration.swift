/// What an exploration has seen.
public struct Exploration: Sendable {
    /// How many plays there were.
    public internal(set) var plays = 0
    /// How many of them differed in what came after what.
    package internal(set) var schedules = 0
    /// What went on beside the plays, which no seed rules; empty if nothing did.
    public internal(set) var foreign: [String] = []
    /// Faults, as they are written, that nothing was there for in any play: misspelt names, attempts that never came.
    public internal(set) var idleFaults: [String] = []

    private var seen: Set<[Int]> = []

    /// Explores on a thread for plays; what blocks that is found once more in a play that is told.
    fileprivate static func perform(
        _ scenario: @escaping @Sendable (Simulation) async throws -> Void, _ patience: Duration,
        _ explore: @escaping @Sendable (PlayHouse) -> Result<Exploration, any Error>
    ) async throws -> Exploration {
        do {
            return try await PlayHouse.perform(patience, explore).get()
        } catch let error as SimulationError {
            guard let twin = error.standing?.twin else { throw error }
            do { try await twin.run(scenario) } catch let told as SimulationError
                where told.code == error.code
            {
                throw told
            } catch {}
            throw error
        }
    }

    /// Plays once; throws a play that fails, made as short as can be.
    fileprivate mutating func play(
        _ simulation: Simulation, _ scenario: @escaping @Sendable (Simulation) async throws -> Void,
        in house: PlayHouse
    ) throws {
        let result = simulation.perform(scenario, in: house)
        plays += 1
        if seen.insert(simulation.play.choices.made).inserted { schedules += 1 }
        for what in simulation.foreign where !foreign.contains(what) { foreign.append(what) }
        let idle = plays == 1 || !idleFaults.isEmpty ? simulation.idleFaults.map(\.description) : []
        idleFaults = plays == 1 ? idle : idleFaults.filter(idle.contains)
        guard case .failure(let error) = result else { return }
        throw Shortening(scenario, house).shorten(simulation, error, plays: plays)
    }
}

/// A play that failed, made as short as could be.
public struct ExplorationFailure: Error, Sendable, CustomStringConvertible {
    /// What failed.
    public let cause: any Error
    /// The seed of the play that failed first.
    public let seed: UInt64
    /// How many plays there were until then.
    package let plays: Int
    /// The shortened play, for ``Simulation/init(replaying:)``.
    package let replay: String
    /// What happened in it.
    public let story: String
    /// What went on beside it, and may make it end otherwise another time.
    public let foreign: [String]

    /// All of it, with the line for a test.
    public var description: String {
        var text =
            "\(cause)\n\nseed \(seed), after \(plays) plays; the shortest that was found:\n\n\(story)\n\n"
        if !foreign.isEmpty { text += "not ruled by the seed: \(foreign.joined(separator: "; "))\n\n" }
        return text + "to see it again: Simulation(replaying: \"\(replay)\")"
    }
}

/// Plays a scenario with one seed after the other, until one fails.
///
///     try await explore(seeds: 1...1000) { simulation in
///         let workflow = Workflow("import")
///         …
///         try await workflow.run()
///         simulation.expect(cache.fills == 1, "the cache is filled once")
///     }
///
/// Each play is a ``Simulation`` of its own, so the scenario makes anew whatever it plays with. A scenario fails by
/// throwing, by an ``Simulation/expect(_:_:file:line:)`` that doesn't hold, and by getting stuck; then it is played with
/// fewer tasks at once and fewer switches for as long as it still fails in the same way, and the ``ExplorationFailure``
/// tells the story of the shortest.
@discardableResult
public func explore(
    seeds: ClosedRange<UInt64> = 1...1000, width: Int = .max, patience: Duration = .seconds(10),
    _ scenario: @escaping @Sendable (Simulation) async throws -> Void
) async throws -> Exploration {
    try await Exploration.perform(scenario, patience) { house in
        Result {
            var exploration = Exploration()
            for seed in seeds {
                let simulation = Simulation(
                    seed: seed, width: width, choices: nil, isTold: false, patience: patience)
                try exploration.play(simulation, scenario, in: house)
            }
            return exploration
        }
    }
}

/// Plays a scenario in every order there is, for graphs so small that it can be done.
///
/// Ends as ``explore(seeds:width:patience:_:)`` does at the first that fails, and throws a ``SimulationError`` after `limit`
/// plays: so many orders are too many.
@discardableResult
public func exploreAll(
    limit: Int = 100_000, width: Int = .max, patience: Duration = .seconds(10),
    _ scenario: @escaping @Sendable (Simulation) async throws -> Void
) async throws -> Exploration {
    try await Exploration.perform(scenario, patience) { house in
        Result {
            var exploration = Exploration()
            var next: [Int]? = []
            while let choices = next {
                guard exploration.plays < limit else { throw SimulationError.tooManyOrders(limit) }
                let simulation = Simulation(
                    seed: 0, width: width, choices: choices, isTold: false, patience: patience)
                try exploration.play(simulation, scenario, in: house)
                next = simulation.play.choices.nextOrder
            }
            return exploration
        }
    }
}

extension Choices {
    /// The choices that lead to the next order; nil after the last.
    fileprivate var nextOrder: [Int]? {
        var next = made
        while let last = next.popLast() {
            if last + 1 < options[next.count] { return next + [last + 1] }
        }
        return nil
    }
}
