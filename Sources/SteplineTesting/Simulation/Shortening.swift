import Dispatch

/// Makes a play that fails shorter, for as long as it still fails in the same way.
struct Shortening {
    /// How often it is tried.
    private static let mostTries = 2_000
    /// For how long it is tried: what waits for something outside in vain takes its time.
    private static let mostTime = Duration.seconds(10)

    private let scenario: @Sendable (Simulation) async throws -> Void
    private let house: PlayHouse

    init(_ scenario: @escaping @Sendable (Simulation) async throws -> Void, _ house: PlayHouse) {
        self.scenario = scenario
        self.house = house
    }

    func shorten(_ first: Simulation, _ error: any Error, plays: Int) -> ExplorationFailure {
        let kind = FailureKind(error)
        var (width, choices) = (first.width, first.play.choices.made)
        var tries = 0
        let deadline = ContinuousClock.now + Self.mostTime
        var goesOn: Bool { tries < Self.mostTries && .now < deadline }
        /// The choices of a play that fails alike; nil if that doesn't.
        func attempt(_ width: Int, _ tried: [Int]?, order: UInt64? = nil) -> [Int]? {
            tries += 1
            let simulation = Simulation(
                seed: first.seed, order: order, width: width, choices: tried, isTold: false)
            // What has waited in vain without anything from outside does so again.
            if first.foreign.isEmpty { simulation.play.patience = .milliseconds(20) }
            guard case .failure(let error) = simulation.perform(scenario, in: house),
                FailureKind(error) == kind
            else { return nil }
            return simulation.play.choices.made
        }
        // Fewer at once, first in the order of the same seed, then in a few others.
        narrowing: for narrow in 1...3 where narrow < width {
            for number in UInt64(0)...20 where goesOn {
                guard let made = attempt(narrow, nil, order: first.seed &+ number) else { continue }
                (width, choices) = (narrow, made)
                break narrowing
            }
        }
        // Fewer switches: the first of all that can go on, wherever that fails as well.
        var size = max(1, choices.count / 2)
        while goesOn {
            var start = 0
            var hasShortened = false
            while start < choices.count, goesOn {
                let end = min(start + size, choices.count)
                defer { start = end }
                guard choices[start..<end].contains(where: { $0 != 0 }) else { continue }
                var tried = choices
                for index in start..<end { tried[index] = 0 }
                if let made = attempt(width, tried) {
                    choices = made
                    hasShortened = true
                }
            }
            if size == 1, !hasShortened { break }
            size = max(1, size / 2)
        }
        return tell(first.seed, width, choices, error, plays)
    }

    /// Plays it once more, and listens.
    private func tell(
        _ seed: UInt64, _ width: Int, _ choices: [Int], _ error: any Error, _ plays: Int
    ) -> ExplorationFailure {
        let replay = Replay(seed: seed, width: width, choices: choices)
        let simulation = Simulation(replay)
        simulation.play.patience = .milliseconds(200)
        let result = simulation.perform(scenario, in: house)
        var cause = error
        if case .failure(let error) = result { cause = error }
        return ExplorationFailure(
            cause: cause, seed: seed, plays: plays, replay: replay.text, story: simulation.story,
            foreign: simulation.foreign)
    }
}

/// What two failures have in common that are the same one.
private struct FailureKind: Equatable {
    private let text: String

    init(_ error: any Error) {
        text =
            switch error {
            case let unmet as UnmetExpectation: unmet.place
            case let error as SimulationError: error.code.rawValue
            default: String(reflecting: type(of: error))
            }
    }
}

/// A play as a short text: its seed, how many at once, and what was chosen wherever there was a choice.
struct Replay {
    var seed: UInt64
    var width: Int
    var choices: [Int]

    init(seed: UInt64, width: Int, choices: [Int]) {
        self.seed = seed
        self.width = width
        // What isn't said is the first.
        self.choices = Array(choices.prefix(choices.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0))
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let seed = UInt64(parts[0]),
            let width = parts[1] == "*" ? .max : Int(parts[1]), width > 0
        else { return nil }
        let choices = parts[2].split(separator: ".").map { Int($0) }
        guard choices.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else { return nil }
        self.init(seed: seed, width: width, choices: choices.compactMap(\.self))
    }

    var text: String {
        "\(seed):\(width == .max ? "*" : String(width)):\(choices.map(String.init).joined(separator: "."))"
    }
}

extension Simulation {
    convenience init(_ replay: Replay) {
        self.init(seed: replay.seed, width: replay.width, choices: replay.choices, isTold: true)
    }

    /// Makes a play that an exploration has found, by the text that it gave; nil if that isn't such a text.
    public convenience init?(replaying text: String) {
        guard let replay = Replay(text) else { return nil }
        self.init(replay)
    }
}
