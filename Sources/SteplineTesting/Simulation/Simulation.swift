import Foundation
import SteplineEngine
public import SteplineSupport
import Synchronization

/// A simulation on one thread with virtual time, in which a seed decides the order of events.
///
///     let simulation = Simulation(seed: 42)
///     try await simulation.run { simulation in
///         let workflow = Workflow("import")
///         …
///         try await workflow.run()
///         simulation.expect(cache.fills == 1)
///     }
///     print(simulation.log)
///
/// Pipelines, workflows and managers run in it unchanged. Their synchronous and async bodies, timers and callbacks are
/// performed one at a time on one thread. The seed decides the order. Simulated time passes only when nothing else is
/// possible, and takes no real time. The same seed gives the same log on every machine, in debug and release builds.
///
/// The simulation doesn't control the main actor, actors with their own executors, Dispatch and operation queues, and
/// waits for real time. ``foreign`` lists their use. A body that blocks its thread stops the run, which then throws.
public final class Simulation: Sendable {
    /// The seed of the order and of all random numbers.
    ///
    /// A scenario that generates its own program from the seed repeats the same program in a replay.
    public var seed: UInt64 { settings.seed }
    /// The number of simulated threads for bodies; a suspended async body occupies none.
    public var width: Int { settings.width }

    let settings: PlaySettings
    let play: Play
    private let hasPlayed = Atomic(false)

    /// Creates a simulation.
    ///
    /// - Parameters:
    ///   - seed: The seed, which decides the order and all random numbers.
    ///   - width: The number of simulated threads for bodies; with 1, each synchronous body ends before the next one
    ///     begins.
    ///   - patience: The real time after which a body counts as blocked.
    public convenience init(seed: UInt64 = 1, width: Int = .max, patience: Duration = .seconds(10)) {
        self.init(PlaySettings(seed: seed, width: width, patience: patience), isLogged: true)
    }

    init(_ settings: PlaySettings, isLogged: Bool) {
        self.settings = settings
        let choices = Choices(seed: settings.order ?? settings.seed, following: settings.choices)
        play = Play(choices, seed: settings.seed, width: settings.width, isLogged: isLogged)
    }

    /// The simulated clock; everything that would use the system clock uses this one.
    public var clock: any StepClock { play.clock }

    /// The faults to inject; set them before the run or in the scenario.
    public var faults: [Fault] {
        get { play.faults.list }
        set {
            let plan = FaultPlan(newValue, seed: seed)
            play.plan.withLock { $0 = plan }
        }
    }

    /// The faults without an effect: misspelled names, or attempts that never happened.
    ///
    /// Random faults aren't included.
    public var idleFaults: [Fault] { play.faults.idle }

    /// The log of the run, one event per line with its time.
    public var log: String { play.log }

    /// The work outside the simulation's control, which may make two runs of one seed differ; empty if there was none.
    public var foreign: [String] { play.foreign }

    /// Runs a scenario, until it has ended and nothing more is possible.
    ///
    /// - Parameter scenario: The scenario.
    /// - Returns: The result of the scenario.
    /// - Throws: The scenario's error, the first unmet ``expect(_:_:file:line:)``, or a ``SimulationError`` if the run
    ///   can't end. A simulation runs once.
    public func run<Result: Sendable>(
        _ scenario: @escaping @Sendable (Simulation) async throws -> Result
    ) async throws -> Result {
        try await PlayThread.perform(settings.patience) { [self] playThread in
            perform(scenario, in: playThread)
        }
        .get()
    }

    /// Runs a scenario on this thread.
    func perform<Result: Sendable>(
        _ scenario: @escaping @Sendable (Simulation) async throws -> Result, in playThread: PlayThread
    ) -> Swift.Result<Result, any Error> {
        guard !hasPlayed.exchange(true, ordering: .relaxed) else {
            return .failure(SimulationError.usedTwice)
        }
        let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
        let end = playThread.play(self) { [self] in
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await scenario(self))
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
        // An unmet expectation explains the failure better than its consequences.
        if let broken = play.broken.withLock({ $0.first }) { return .failure(broken) }
        switch end {
        case .stuck(let error): return .failure(error)
        case .over: return outcome.withLock { $0 } ?? .failure(SimulationError.usedTwice)
        }
    }

    /// Records an expectation; ``run(_:)`` throws the first one that isn't met.
    ///
    /// - Parameters:
    ///   - holds: Whether the expectation is met.
    ///   - what: The description of the expectation.
    ///   - file: The file of the caller.
    ///   - line: The line of the caller.
    public func expect(
        _ holds: Bool, _ what: @autoclosure () -> String = "", file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard !holds else { return }
        let unmet = UnmetExpectation(what: what(), place: "\(file):\(line)")
        play.broken.withLock { $0.append(unmet) }
    }

    /// Performs a closure at a moment that the seed decides: a cancellation, a retry, an outside message.
    ///
    /// - Parameters:
    ///   - what: The description for the log.
    ///   - body: The closure.
    public func atSomeMoment(_ what: String = "something happens", _ body: @escaping @Sendable () -> Void) {
        play.addMessage(what, body)
    }
}
