import Foundation
import SteplineSupport
import Synchronization

/// A thread for simulations with a watch: a body that blocks the thread would block the whole run forever.
final class PlayThread: Sendable {
    private let current = Locked<Simulation?>(nil)

    /// Performs `work` on a new thread; throws if a run blocks the thread, which is then abandoned.
    static func perform<Result: Sendable>(
        _ patience: Duration, _ work: @escaping @Sendable (PlayThread) -> Result
    ) async throws(SimulationError) -> Result {
        let playThread = PlayThread()
        let outcome = OneShot<Swift.Result<Result, SimulationError>>()
        let thread = Thread { outcome.fulfill(.success(work(playThread))) }
        thread.name = "stepline.simulation"
        thread.stackSize = 8 << 20
        thread.start()
        let watch = Task.detached {
            var looks = 0
            var last: (played: Simulation?, turn: Int) = (nil, -1)
            while !Task.isCancelled {
                try? await Task.sleep(for: patience / 10)
                let played = playThread.current.withLock { $0 }
                let turn = played?.play.turns.load(ordering: .relaxed) ?? -1
                // The counter of events stands still only if the thread is inside one event.
                let stands = played != nil && played === last.played && turn == last.turn
                looks =
                    stands && played?.play.outside.isAwaited.load(ordering: .relaxed) == false ? looks + 1 : 0
                last = (played, turn)
                // Ten looks at a tenth of the patience each, without a wait for outside work.
                guard looks >= 10, let played else { continue }
                outcome.fulfill(
                    .failure(
                        SimulationError(blocked: played.settings, log: played.log, for: patience)))
                return
            }
        }
        defer { watch.cancel() }
        return try await outcome.value.get()
    }

    /// Performs a run on this thread.
    func play(_ simulation: Simulation, _ scenario: @escaping @Sendable () async -> Void) -> PlayEnd {
        current.withLock { $0 = simulation }
        defer { current.withLock { $0 = nil } }
        return simulation.play.perform(scenario)
    }
}
