import Foundation
import SteplineEngine
public import SteplineSupport
import Synchronization

/// A play in virtual time on one thread, in which a seed decides what comes next.
///
///     let simulation = Simulation(seed: 42)
///     try await simulation.run { simulation in
///         let workflow = Workflow("import")
///         …
///         try await workflow.run()
///         simulation.expect(cache.fills == 1)
///     }
///     print(simulation.story)
///
/// Pipelines, workflows and managers run in it as they are: their bodies, sync or async, their timers and callbacks are
/// played one after the other on one thread, in an order that the seed decides; what waits for a time comes when nothing
/// else can go on, and takes no time. The same seed gives the same story, on every machine, in debug and release.
///
/// Not ruled, and named in ``foreign``: the main actor, actors with executors of their own, queues of
/// Dispatch's and operation queues, and all that waits for a real time. A body that blocks its thread stops the play: the run throws.
public final class Simulation: Sendable {
    /// What the order is made of, and all that is left to chance.
    ///
    /// A scenario that makes its own program from it plays the same one again when it is replayed.
    public let seed: UInt64
    /// How many threads bodies have; where an async one awaits, it has none.
    public let width: Int

    let play: Play
    private let hasPlayed = Atomic(false)

    private let patience: Duration
    private let order: UInt64?
    private let followed: [Int]?

    /// Makes a play; with a `width` of 1 each sync body ends before the next begins.
    ///
    /// A body that takes longer than `patience`, by the clock on the wall, counts as one that blocks.
    public convenience init(seed: UInt64, width: Int = .max, patience: Duration = .seconds(10)) {
        self.init(seed: seed, width: width, choices: nil, isTold: true, patience: patience)
    }

    /// Makes a play whose order may be of another seed than all that is left to chance, or of choices made before.
    init(
        seed: UInt64, order: UInt64? = nil, width: Int, choices: [Int]?, isTold: Bool,
        patience: Duration = PlayHouse.patience
    ) {
        self.seed = seed
        self.order = order
        self.patience = patience
        followed = choices
        self.width = max(1, width)
        let choices = Choices(seed: order ?? seed, following: choices)
        play = Play(choices, seed: seed, width: self.width, isTold: isTold)
    }

    /// The time of the play, for what takes a clock; all that would use the system's uses this one.
    public var clock: any StepClock { play.clock }

    /// What goes wrong on purpose in the play; to be set before the play or by the scenario.
    public var faults: [Fault] {
        get { play.faults.list }
        set {
            let plan = FaultPlan(newValue, seed: seed)
            play.plan.withLock { $0 = plan }
        }
    }

    /// Those of ``faults`` that nothing was there for: a misspelt name, an attempt that never came.
    ///
    /// What is left to chance isn't among them.
    public var idleFaults: [Fault] { play.faults.idle }

    /// What has happened, a line each, with the time.
    public var story: String { play.story }

    /// What went on beside the play, and may make two plays of one seed differ; empty if nothing did.
    public var foreign: [String] { play.foreign }

    /// Plays a scenario, until it has ended and nothing more can go on.
    ///
    /// Throws what the scenario throws, or else what it didn't ``expect(_:_:file:line:)``, and ``SimulationError``
    /// where the play gets stuck. A simulation plays once.
    public func run<Result: Sendable>(
        _ scenario: @escaping @Sendable (Simulation) async throws -> Result
    ) async throws -> Result {
        try await PlayHouse.perform(patience) { [self] house in perform(scenario, in: house) }.get()
    }

    /// The same play again, which is told.
    var twin: Simulation {
        Simulation(
            seed: seed, order: order, width: width, choices: followed, isTold: true, patience: patience)
    }

    /// The same, on this thread.
    func perform<Result: Sendable>(
        _ scenario: @escaping @Sendable (Simulation) async throws -> Result, in house: PlayHouse
    ) -> Swift.Result<Result, any Error> {
        guard !hasPlayed.exchange(true, ordering: .relaxed) else {
            return .failure(SimulationError.usedTwice)
        }
        let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
        let end = house.play(self) { [self] in
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await scenario(self))
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
        if let broken = play.broken.withLock({ $0.first }) { return .failure(broken) }
        switch end {
        case .stuck(let error): return .failure(error)
        case .over: return outcome.withLock { $0 } ?? .failure(SimulationError.usedTwice)
        }
    }

    /// Says what must hold; the first that doesn't is what ``run(_:)`` throws.
    public func expect(
        _ holds: Bool, _ what: @autoclosure () -> String = "", file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard !holds else { return }
        let unmet = UnmetExpectation(what: what(), place: "\(file):\(line)")
        play.broken.withLock { $0.append(unmet) }
    }

    /// Does something at a moment of the play that the seed decides: a cancel, a retry, a message from outside.
    public func atSomeMoment(_ what: String = "something happens", _ body: @escaping @Sendable () -> Void) {
        play.addMessage(what, body)
    }
}
