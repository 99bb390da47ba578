import Dispatch

/// The reduction of a failed run to a shorter one with the same failure.
struct Shortening {
    /// The maximum number of tries.
    private static let mostTries = 2_000
    /// The time limit, because waits for outside work take real time.
    private static let mostTime = Duration.seconds(10)

    private let scenario: @Sendable (Simulation) async throws -> Void
    private let playThread: PlayThread

    init(_ scenario: @escaping @Sendable (Simulation) async throws -> Void, _ playThread: PlayThread) {
        self.scenario = scenario
        self.playThread = playThread
    }

    func shorten(_ first: Simulation, _ error: any Error, plays: Int) -> ExplorationFailure {
        let kind = FailureKind(error)
        var (width, choices) = (first.width, first.play.choices.made)
        var tries = 0
        let deadline = ContinuousClock.now + Self.mostTime
        var continues: Bool { tries < Self.mostTries && .now < deadline }
        /// Returns the choices of a run with the same failure; nil if the run fails differently or succeeds.
        func attempt(_ width: Int, _ tried: [Int]?, order: UInt64? = nil) -> [Int]? {
            tries += 1
            let simulation = Simulation(
                PlaySettings(seed: first.seed, order: order, width: width, choices: tried), isLogged: false)
            // Without outside work, a repeated wait has no event either, so don't wait long.
            if first.foreign.isEmpty { simulation.play.patience = .milliseconds(20) }
            guard case .failure(let error) = simulation.perform(scenario, in: playThread),
                FailureKind(error) == kind
            else { return nil }
            return simulation.play.choices.made
        }
        // Less concurrency: first with the same seed's order, then with a few others.
        narrowing: for narrow in 1...3 where narrow < width {
            // A narrow run may need another order to fail.
            for number in UInt64(0)...20 where continues {
                guard let made = attempt(narrow, nil, order: first.seed &+ number) else { continue }
                (width, choices) = (narrow, made)
                break narrowing
            }
        }
        // Fewer switches: replace choices by the first option, as long as the failure stays.
        var size = max(1, choices.count / 2)
        while continues {
            var start = 0
            var hasShortened = false
            while start < choices.count, continues {
                let end = min(start + size, choices.count)
                defer { start = end }
                // The part consists of first options already.
                guard choices[start..<end].contains(where: { $0 != 0 }) else { continue }
                var tried = choices
                for index in start..<end { tried[index] = 0 }
                if let made = attempt(width, tried) {
                    choices = made
                    hasShortened = true
                }
            }
            // No single choice can be replaced any more: the run is minimal.
            if size == 1, !hasShortened { break }
            size = max(1, size / 2)
        }
        return tell(first.seed, width, choices, error, plays)
    }

    /// Repeats the run once more with a log.
    private func tell(
        _ seed: UInt64, _ width: Int, _ choices: [Int], _ error: any Error, _ plays: Int
    ) -> ExplorationFailure {
        let replay = Replay(seed: seed, width: width, choices: choices)
        let simulation = Simulation(replay)
        simulation.play.patience = .milliseconds(200)
        let result = simulation.perform(scenario, in: playThread)
        var cause = error
        if case .failure(let error) = result { cause = error }
        return ExplorationFailure(
            cause: cause, seed: seed, plays: plays, replay: replay.text, log: simulation.log,
            foreign: simulation.foreign)
    }
}

/// The identity of a failure: equal for two failures with the same cause.
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

/// A run as a short text: its seed, its width, and its choices.
struct Replay {
    var seed: UInt64
    var width: Int
    var choices: [Int]

    init(seed: UInt64, width: Int, choices: [Int]) {
        self.seed = seed
        self.width = width
        // Trailing first options are implied.
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
        self.init(
            PlaySettings(seed: replay.seed, width: replay.width, choices: replay.choices), isLogged: true)
    }

    /// Creates a repetition of a run from the text in an ``ExplorationFailure``; nil for an invalid text.
    public convenience init?(replaying text: String) {
        guard let replay = Replay(text) else { return nil }
        self.init(replay)
    }
}
