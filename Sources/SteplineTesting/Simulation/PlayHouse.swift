import Foundation
import SteplineSupport
import Synchronization

/// A thread for plays, which is looked at from outside: a body that blocks it would hold everything up for ever.
final class PlayHouse: Sendable {
    /// How long a play may stand still.
    static let patience = Duration.seconds(10)

    private let current = Locked<Simulation?>(nil)

    /// Does `work`, which plays, on a thread of its own; throws if a play blocks that, which is then left to itself.
    static func perform<Result: Sendable>(
        _ patience: Duration = patience, _ work: @escaping @Sendable (PlayHouse) -> Result
    ) async throws(SimulationError) -> Result {
        let house = PlayHouse()
        let outcome = OneShot<Swift.Result<Result, SimulationError>>()
        let thread = Thread { outcome.fulfill(.success(work(house))) }
        thread.name = "stepline.simulation"
        thread.stackSize = 8 << 20
        thread.start()
        let watch = Task.detached {
            var looks = 0
            var last: (played: Simulation?, turn: Int) = (nil, -1)
            while !Task.isCancelled {
                try? await Task.sleep(for: patience / 10)
                let played = house.current.withLock { $0 }
                let turn = played?.play.turns.load(ordering: .relaxed) ?? -1
                let stands = played != nil && played === last.played && turn == last.turn
                looks =
                    stands && played?.play.outside.isAwaited.load(ordering: .relaxed) == false ? looks + 1 : 0
                last = (played, turn)
                guard looks >= 10, let played else { continue }
                outcome.fulfill(.failure(SimulationError(blocked: played, for: patience)))
                return
            }
        }
        defer { watch.cancel() }
        return try await outcome.value.get()
    }

    /// Plays, on this thread.
    func play(_ simulation: Simulation, _ scenario: @escaping @Sendable () async -> Void) -> PlayEnd {
        current.withLock { $0 = simulation }
        defer { current.withLock { $0 = nil } }
        return simulation.play.perform(scenario)
    }
}
