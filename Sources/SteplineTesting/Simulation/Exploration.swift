public import protocol Foundation.LocalizedError

/// The result of an exploration.
public struct Exploration: Sendable {
    /// The number of runs.
    public internal(set) var plays = 0
    /// The number of different orders among the runs.
    package internal(set) var schedules = 0
    /// The work outside the plays, which no seed controls; empty if there was none.
    public internal(set) var foreign: [String] = []
    /// The faults without an effect in any run, as source text: misspelled names, or attempts that never happened.
    public internal(set) var idleFaults: [String] = []

    private var seen: Set<[Int]> = []

    /// Explores on a simulation thread; a blocked run is repeated with a log.
    fileprivate static func perform(
        _ scenario: @escaping @Sendable (Simulation) async throws -> Void, _ patience: Duration,
        _ explore: @escaping @Sendable (PlayThread) -> Result<Exploration, any Error>
    ) async throws -> Exploration {
        do {
            return try await PlayThread.perform(patience, explore).get()
        } catch let error as SimulationError {
            guard let settings = error.blocked else { throw error }
            // The same run with a log.
            do { try await Simulation(settings, isLogged: true).run(scenario) } catch let repeated
                as SimulationError
                where repeated.code == error.code
            {
                throw repeated
            } catch {}
            throw error
        }
    }

    /// Performs one run; throws the shortened run if it fails.
    fileprivate mutating func play(
        _ simulation: Simulation, _ scenario: @escaping @Sendable (Simulation) async throws -> Void,
        in playThread: PlayThread
    ) throws {
        let result = simulation.perform(scenario, in: playThread)
        plays += 1
        // Different seeds may lead to the same order.
        if seen.insert(simulation.play.choices.made).inserted { schedules += 1 }
        for what in simulation.foreign where !foreign.contains(what) { foreign.append(what) }
        let idle = plays == 1 || !idleFaults.isEmpty ? simulation.idleFaults.map(\.description) : []
        idleFaults = plays == 1 ? idle : idleFaults.filter(idle.contains)
        guard case .failure(let error) = result else { return }
        throw Shortening(scenario, playThread).shorten(simulation, error, plays: plays)
    }
}

/// A failed run, shortened as far as possible.
public struct ExplorationFailure: LocalizedError, Sendable, CustomStringConvertible {
    /// The failure.
    public let cause: any Error
    /// The seed of the run that failed first.
    public let seed: UInt64
    /// How many plays there were until then.
    package let plays: Int
    /// The shortened play, for ``Simulation/init(replaying:)``.
    package let replay: String
    /// The events of the play, in order.
    public let log: String
    /// The work outside the simulation's control, which may change the result of a repetition.
    public let foreign: [String]

    /// The failure with its log and the source line that repeats it.
    public var description: String {
        var text =
            "\(cause)\n\nseed \(seed), after \(plays) plays; the shortest that was found:\n\n\(log)\n\n"
        if !foreign.isEmpty { text += "not ruled by the seed: \(foreign.joined(separator: "; "))\n\n" }
        return text + "to see it again: Simulation(replaying: \"\(replay)\")"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

/// Runs a scenario with one seed after another, until a run fails.
///
///     try await explore(seeds: 1...1000) { simulation in
///         let workflow = Workflow("import")
///         …
///         try await workflow.run()
///         simulation.expect(cache.fills == 1, "the cache is filled once")
///     }
///
/// Each run is a separate ``Simulation``, so the scenario must create its objects itself. A scenario fails if it
/// throws, if an ``Simulation/expect(_:_:file:line:)`` isn't met, or if it is blocked forever. A failed run is repeated
/// with less concurrency and fewer switches, as long as it fails in the same way. The ``ExplorationFailure`` contains
/// the log of the shortest run.
///
/// - Parameters:
///   - seeds: The seeds.
///   - width: The number of simulated threads for bodies.
///   - patience: The real time after which a body counts as blocked.
///   - scenario: The scenario.
/// - Returns: The result if no run failed.
/// - Throws: An ``ExplorationFailure`` or a ``SimulationError``.
@discardableResult
public func explore(
    seeds: ClosedRange<UInt64> = 1...1000, width: Int = .max, patience: Duration = .seconds(10),
    _ scenario: @escaping @Sendable (Simulation) async throws -> Void
) async throws -> Exploration {
    try await Exploration.perform(scenario, patience) { playThread in
        Result {
            var exploration = Exploration()
            for seed in seeds {
                let simulation = Simulation(
                    PlaySettings(seed: seed, width: width, patience: patience), isLogged: false)
                try exploration.play(simulation, scenario, in: playThread)
            }
            return exploration
        }
    }
}

/// Runs a scenario in all possible orders; for small graphs only.
///
/// Ends as ``explore(seeds:width:patience:_:)`` does at the first that fails, and throws a ``SimulationError`` after
/// `limit` plays: so many orders are too many.
@discardableResult
public func exploreAll(
    limit: Int = 100_000, width: Int = .max, patience: Duration = .seconds(10),
    _ scenario: @escaping @Sendable (Simulation) async throws -> Void
) async throws -> Exploration {
    try await Exploration.perform(scenario, patience) { playThread in
        Result {
            var exploration = Exploration()
            var next: [Int]? = []
            while let choices = next {
                guard exploration.plays < limit else { throw SimulationError.tooManyOrders(limit) }
                let simulation = Simulation(
                    PlaySettings(seed: 0, width: width, choices: choices, patience: patience), isLogged: false
                )
                try exploration.play(simulation, scenario, in: playThread)
                next = simulation.play.choices.nextOrder
            }
            return exploration
        }
    }
}

extension Choices {
    /// The choices that lead to the next order; nil after the last one.
    fileprivate var nextOrder: [Int]? {
        var next = made
        while let last = next.popLast() {
            // Depth first: advance the last choice that has another option.
            if last + 1 < options[next.count] { return next + [last + 1] }
        }
        return nil
    }
}
