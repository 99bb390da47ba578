import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Flags, and tasks that run themselves", .timeLimit(.minutes(5)))
struct BridgeAndFlagTests {
    let bodies = Recorder<Int>()

    @Test("MG-40: the flags of all that said yes are OR-ed, re-interception of one that doesn't requeue too")
    func flags() async throws {
        let asked = Recorder<Int>()
        let manager = TaskManager(
            interceptors: [
                Asking { context in
                    asked.record(context.attempt)
                    return .execute
                }
            ],
            reactors: [
                Reacting(
                    name: "requeues", configuration: .init(requeuesTask: true, maximumRequeues: nil),
                    asks: { _, context in context.attempt < 3 }),
                Reacting(
                    name: "reintercepts", configuration: .init(reinterceptsOnRequeue: true),
                    asks: { _, context in context.attempt == 1 }),
            ])
        let handle = manager.add(Count(number: 1, bodies: bodies))
        _ = try await handle.value
        // After the second attempt only the first said yes, so nobody was asked again.
        #expect(handle.attempt == 3 && asked.values == [1, 2])
    }

    /// A reactor whose configuration is computed.
    final class Changing: Reactor {
        let reads = Recorder<Int>(), gate = Gate()
        var configuration: ReactorConfiguration {
            reads.record(1)
            return ReactorConfiguration(
                timeout: .seconds(reads.count * 10), requeuesTask: reads.count < 3)
        }
        func shouldExecute<T: ManagedTask>(
            after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
        ) async -> Bool { true }
        func execute(_ run: ReactorRun) async throws {
            if run.number == 2 { await gate.wait() }
        }
    }

    @Test("MG-40: a computed configuration is read at each yes, its time-out when a run begins")
    func computed() async throws {
        let clock = ManualClock(), reactor = Changing()
        let manager = TaskManager(reactors: [reactor], options: .init(watchdog: nil, clock: clock))
        let handle = manager.add(Count(number: 1, bodies: bodies))
        await reactor.gate.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(20))
        #expect(reactor.reads.count == 2)
        clock.advance(by: .seconds(19))
        #expect(handle.state == .executing(.reaction))
        clock.advance(by: .seconds(1))
        guard case .failure(let error as TaskManagerError) = await handle.outcome() else {
            Issue.record("no error of the manager's")
            return
        }
        #expect(error.code == .reactorTimedOut && error.duration == .seconds(20))
        reactor.gate.open()
    }

    @Test(
        "MG-62: every task runs and adds itself, also on the shared manager; all that is begun can be cancelled"
    )
    func themselves() async throws {
        let manager = TaskManager(), gate = Gate(), reported = Recorder<Int>()
        let task = Count(number: 4, bodies: bodies)
        #expect(try await task.run() == 4)
        #expect(try await task.run(on: manager, options: .init(deadline: .seconds(60))) == 4)
        let shared: TaskHandle<Int> = task.add { result in reported.record((try? result.get()) ?? -1) }
        #expect(try await shared.value == 4)
        await reported.waitForCount(1)
        let waiting = Count(gate: gate, bodies: bodies).add(to: manager, options: .init(tags: ["mine"]))
        await gate.waitForArrivals()
        #expect(manager.tasks.map(\.identifier) == [waiting.identifier])
        waiting.cancel()
        #expect(await waiting.endCode == .cancelled)
        let running = Task { try await Count(gate: gate, bodies: bodies).run(on: manager) }
        await gate.waitForArrivals(2)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        gate.open()
    }
}
