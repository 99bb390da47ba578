import Dispatch
import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Managers under stress", .timeLimit(.minutes(5)))
struct ManagerStressTests {
    @Test("MG-17 MG-91: end against cancel, time-out, start, release, requeue, pause and setCompletion")
    func races() async throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        print("seed \(seed)")
        let told = Recorder<ManagedTaskID>(), bodies = Recorder<Int>()
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
            var random = seed &+ UInt64(worker)
            for number in 0..<(count / 4) {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let dice = Int(random >> 33) % 8
                var options = TaskManager.AddOptions(startsImmediately: dice != 1)
                if dice == 2 { options.timeout = .microseconds(50) }
                let handle = manager.add(
                    Count(number: number, fails: dice == 3, bodies: bodies), options: options)
                handle.onEnd { [identifier = handle.identifier] _ in told.record(identifier) }
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
        await told.waitForCount(count)
        #expect(Set(told.values).count == count && told.count == count)
        #expect(manager.tasks.isEmpty)
    }

    @Test("MG-92: when all has ended nothing of a manager is left")
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
        // The loops' last steps may still be on their way.
        while manager != nil || gone != nil { await Task.yield() }
    }
}
