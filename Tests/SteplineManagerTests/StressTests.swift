import Dispatch
import SteplineManager
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Managers under stress", .timeLimit(.minutes(5)))
struct ManagerStressTests {
    @Test("MG-17 MG-91: end against cancel, time-out, start, release, requeue, pause and setCompletion")
    func races() async throws {
        let reported = Recorder<ManagedTaskID>(), bodies = Recorder<Int>()
        let manager = TaskManager(
            interceptors: [
                Asking(name: "holder", holdLimits: .init(count: 5)) { context in
                    context.handle.identifier.number % 3 == 0 ? .hold : .execute
                }
            ],
            reactors: [
                Reacting(
                    configuration: .init(
                        requeuesTask: true, suspendsTaskQueue: true, maximumRequeues: 2))
            ], options: .init(maximumConcurrency: 8))
        let count = 600
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            var random = StableRandom(seed: Chance.seed &+ UInt64(worker))
            for number in 0..<(count / 4) {
                let dice = Int.random(in: 0..<8, using: &random)
                var options = TaskManager.AddOptions(startsImmediately: dice != 1)
                if dice == 2 { options.timeout = .microseconds(50) }
                let handle = manager.add(
                    Count(number: number, fails: dice == 3, bodies: bodies), options: options)
                handle.onEnd { [identifier = handle.identifier] _ in reported.record(identifier) }
                switch dice {
                case 1: handle.start()
                case 4: handle.cancel()
                case 5:
                    manager.pause()
                    manager.resume()
                case 6: manager.releaseHeld()
                case 7: handle.onFailure { _ in }.cancel()
                default: break
                }
            }
        }
        try await manager.shutdown()
        await reported.waitForCount(count)
        #expect(Set(reported.values).count == count && reported.count == count)
        #expect(manager.tasks.isEmpty)
    }

    @Test("MG-92: a manager is freed completely when all its tasks have ended")
    func leaks() async throws {
        final class Witness: Sendable {}
        struct Kept: ManagedTask {
            let witness: Witness
            let fails: Bool
            func execute() async throws { if fails { throw Broken() } }
        }
        weak var gone: Witness?
        weak var manager: TaskManager?
        do {
            let witness = Witness()
            let own = TaskManager(
                interceptors: [
                    Asking { [witness] _ in
                        _ = witness
                        return .execute
                    }
                ],
                reactors: [
                    Reacting(
                        configuration: .init(requeuesTask: true, maximumRequeues: 1),
                        runs: { [witness] _ in
                            _ = witness
                        })
                ])
            gone = witness
            manager = own
            for number in 0..<20 {
                own.add(Kept(witness: witness, fails: number % 2 == 0)) { [witness] _ in _ = witness }
            }
            try await own.shutdown()
        }
        // The last step of the manager's loops holds it until the step returns.
        await eventually { manager == nil && gone == nil }
    }
}
