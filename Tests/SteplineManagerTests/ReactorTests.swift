import SteplineManager
import SteplineSupport
import SteplineTesting
import Synchronization
import TestSupport
import Testing

@Suite("Reactors", .timeLimit(.minutes(5)))
struct ReactorTests {
    let bodies = Recorder<Int>()

    /// A task that fails until it is told to succeed.
    struct Flaky: ManagedTask {
        let works: Gate
        /// Where each attempt waits, if anywhere.
        var begins: Gate?
        let attempts = Recorder<Int>()
        func execute() async throws -> Int {
            attempts.record(TaskManager.current?.attempt ?? 0)
            await begins?.wait()
            if !works.isOpen { throw Broken() }
            return attempts.count
        }
    }

    @Test("MG-37: every reactor is asked about every result, in order; none about a cancelled task")
    func asking() async throws {
        let asked = Recorder<String>(), gate = Gate()
        let reactors = ["a", "b"].map { name in
            Reacting(
                name: name,
                asks: { failed, context in
                    asked.record("\(name) \(failed) \(context.attempt)")
                    return true
                })
        }
        let manager = TaskManager(reactors: reactors)
        _ = try await manager.run(Count(bodies: bodies))
        _ = await manager.add(Count(fails: true, bodies: bodies)).outcome()
        let cancelled = manager.add(Count(gate: gate, bodies: bodies))
        await gate.waitForArrivals()
        cancelled.cancel()
        gate.open()
        try await manager.waitUntilIdle()
        #expect(asked.values == ["a false 1", "b false 1", "a true 1", "b true 1"])
    }

    @Test("MG-38: an answer that isn't given in time counts as no")
    func noAnswer() async throws {
        let clock = ManualClock(), gate = Gate(), asked = Recorder<Int>(), stopped = Recorder<Int>()
        let stuck = Reacting(
            name: "stuck", configuration: .init(requeuesTask: true),
            asks: { _, _ in
                await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    stopped.record(1)
                }
                return true
            })
        let next = Reacting(
            name: "next",
            asks: { _, _ in
                asked.record(1)
                return false
            })
        let manager = TaskManager(reactors: [stuck, next], options: .init(clock: clock))
        let handle = manager.add(Count(number: 1, bodies: bodies))
        await gate.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(try await handle.value == 1)
        #expect(asked.count == 1 && handle.attempt == 1)
        // Its stop handler is called: the answer is no longer awaited.
        await stopped.waitForCount(1)
        #expect(stopped.count == 1)
        gate.open()
    }

    /// Says yes late about the first attempt, and no about later ones; records the results that its waits are asked
    /// about.
    private struct Late: WaitingReactor {
        let gate: Gate
        let waits: Recorder<String>
        let configuration = ReactorConfiguration(requeuesTask: true)

        func shouldExecute<T: ManagedTask>(
            after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
        ) async -> Bool {
            guard context.attempt == 1 else { return false }
            await gate.wait()
            return true
        }

        func wait<T: ManagedTask>(
            after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
        ) -> Duration? {
            waits.record("\(context.attempt) \(result)")
            return nil
        }

        func execute(_ run: ReactorRun) async throws {}
    }

    @Test("MG-38: a reactor that says yes too late is asked about the result that it was asked about before")
    func lateAnswer() async throws {
        let clock = ManualClock(), late = Gate(), second = Gate(), waits = Recorder<String>()
        let retrying = Reacting(name: "retrying", configuration: .init(requeuesTask: true))
        let slow = Reacting(
            name: "slow",
            asks: { _, context in
                if context.attempt == 2 { await second.wait() }
                return false
            })
        let manager = TaskManager(
            reactors: [Late(gate: late, waits: waits), retrying, slow], options: .init(clock: clock))
        let works = Gate(), begins = Gate()
        let handle = manager.add(Flaky(works: works, begins: begins))
        await begins.waitForArrivals()
        begins.open()
        await late.waitForArrivals()
        works.open()
        await clock.waitForScheduled(after: .seconds(30))
        clock.advance(by: .seconds(30))
        // The task has run again, and its result is the subject of a question while the late answer comes.
        await second.waitForArrivals()
        late.open()
        await waits.waitForCount(1)
        #expect(waits.values == ["1 failure(SteplineManagerTests.Broken(number: 0))"])
        second.open()
        #expect(try await handle.value == 2)
    }

    @Test("MG-38: a hanging reactor is abandoned though its task was cancelled, and others are asked")
    func noAnswerForCancelled() async throws {
        let clock = ManualClock(), gate = Gate()
        let stuck = Reacting(
            name: "stuck",
            asks: { _, _ in
                if !gate.isOpen { await gate.wait() }
                return false
            })
        let manager = TaskManager(reactors: [stuck], options: .init(clock: clock))
        let first = manager.add(Count(number: 1, bodies: bodies))
        await gate.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(30))
        first.cancel()
        let second = manager.add(Count(number: 2, bodies: bodies))
        clock.advance(by: .seconds(30))
        await gate.waitForArrivals(2)
        gate.open()
        #expect(try await second.value == 2)
    }

    @Test("MG-39 MG-42 MG-46: a hundred failures, one run, all run again and succeed")
    func singleFlight() async throws {
        let works = Gate(), begins = Gate(), release = Gate(), runs = Recorder<Int>(),
            joined = Recorder<Int>()
        let refresh = Reacting(
            name: "refresh", configuration: .init(requeuesTask: true, suspendsTaskQueue: true),
            asks: { failed, _ in
                if failed { joined.record(1) }
                return failed
            },
            runs: { run in
                runs.record(run.number)
                await release.wait()
                // The last answer may be given and not yet counted.
                await eventually { run.triggers.count >= 100 }
                #expect(run.triggers.count == 100)
                works.open()
            })
        let manager = TaskManager(reactors: [refresh])
        let handles = (0..<100).map { _ in manager.add(Flaky(works: works, begins: begins)) }
        // All have begun before the first failure suspends the queue.
        await begins.waitForArrivals(100)
        begins.open()
        await joined.waitForCount(100)
        await release.waitForArrivals()
        let late = manager.add(Count(bodies: bodies))
        #expect(late.state.isPending)
        release.open()
        for handle in handles { #expect(try await handle.value == 2) }
        _ = try await late.value
        #expect(runs.values == [1])
    }

    @Test("MG-41: a failed run doesn't touch a task that isn't to be requeued; delaysCompletion waits for it")
    func notRequeued() async throws {
        let release = Gate()
        let reactor = Reacting(
            configuration: .init(delaysCompletion: true), asks: { _, _ in true },
            runs: { _ in
                await release.wait()
                throw Broken(number: 1)
            })
        let handle = TaskManager(reactors: [reactor]).add(Count(number: 5, bodies: bodies))
        await release.waitForArrivals()
        #expect(handle.state == .executing(.reaction))
        release.open()
        #expect(try await handle.value == 5)
    }

    @Test("MG-43: a yes of an attempt that began before the last good run ended begins no run")
    func lateRefusal() async throws {
        let works = Gate(), slow = Gate(), runs = Recorder<Int>()
        let refresh = Reacting(
            configuration: .init(requeuesTask: true),
            runs: { run in
                runs.record(run.number)
                works.open()
            })
        let manager = TaskManager(reactors: [refresh])
        let late = manager.add { [attempts = Recorder<Int>()] in
            attempts.record(1)
            if attempts.count == 1 {
                await slow.wait()
                throw Broken()
            }
            return attempts.count
        }
        await slow.waitForArrivals()
        #expect(try await manager.run(Flaky(works: works)) == 2)
        slow.open()
        #expect(try await late.value == 2)
        #expect(runs.values == [1])
    }

    @Test("MG-43: a yes of an attempt that waited until a run had ended begins another run")
    func refusalAfterWait() async throws {
        let works = Gate(), worksAgain = Gate(), run = Gate(), runs = Recorder<Int>()
        let refresh = Reacting(
            configuration: .init(requeuesTask: true, suspendsTaskQueue: true, maximumRequeues: 1),
            runs: { context in
                runs.record(context.number)
                await run.wait()
                (works.isOpen ? worksAgain : works).open()
            })
        let manager = TaskManager(reactors: [refresh])
        let first = manager.add(Flaky(works: works))
        await run.waitForArrivals()
        // Ready before the end of the run, which keeps it from beginning.
        let second = manager.add(Flaky(works: worksAgain))
        run.open()
        #expect(try await first.value == 2)
        #expect(try await second.value == 2)
        #expect(runs.values == [1, 2])
    }

    @Test(
        "MG-44: a requeued attempt is intercepted again only on request, from the task as added",
        arguments: [false, true])
    func reinterception(_ wished: Bool) async throws {
        let works = Gate(), asked = Recorder<Int>()
        let manager = TaskManager(
            interceptors: [
                .only(Count.self) { task, context in
                    task.number += 1
                    task.fails = !works.isOpen
                    asked.record(context.attempt)
                    return .execute
                }
            ],
            reactors: [
                Reacting(
                    configuration: .init(
                        requeuesTask: true, reinterceptsOnRequeue: wished, maximumRequeues: 1),
                    runs: { _ in works.open() })
            ])
        let handle = manager.add(Count(number: 1, bodies: bodies))
        let result = await handle.outcome()
        #expect(asked.values == (wished ? [1, 2] : [1]) && bodies.values == [2, 2])
        #expect((try? result.get()) == (wished ? 2 : nil))
    }

    @Test("MG-45 MG-93: requeues are capped and backed off, on the manual clock")
    func backoff() async throws {
        let clock = ManualClock()
        let reactor = Reacting(
            configuration: .init(
                requeuesTask: true, maximumRequeues: 5,
                backoff: .exponential(base: .seconds(60), factor: 2, cap: .seconds(600), jitter: .none)))
        let manager = TaskManager(reactors: [reactor], options: .init(watchdog: nil, clock: clock))
        let handle = manager.add(
            Count(fails: true, bodies: bodies), options: .init(startsImmediately: false))
        let states = handle.states
        handle.start()
        var waits: [Duration] = [60, 120, 240, 480, 600].map { .seconds($0) }
        for await state in states where state == .executing(.backoff) {
            let wait = waits.removeFirst()
            await clock.waitForScheduled(after: wait)
            clock.advance(by: wait - .seconds(1))
            #expect(handle.state == .executing(.backoff))
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: Broken(number: 0)) { try await handle.value }
        #expect(handle.attempt == 6 && bodies.count == 6)
        #expect(clock.uptime >= .seconds(60 + 120 + 240 + 480 + 600))
    }

    @Test("MG-48: when a run throws, all that wait for it end with that error; later ones are untouched")
    func failedRun() async throws {
        let release = Gate(), joined = Recorder<Int>()
        let reactor = Reacting(
            name: "refresh", configuration: .init(requeuesTask: true),
            asks: { failed, _ in
                joined.record(1)
                return failed
            },
            runs: { _ in
                await release.wait()
                throw Broken(number: 7)
            })
        let manager = TaskManager(reactors: [reactor])
        let handles = (0..<20).map { _ in manager.add(Count(fails: true, bodies: bodies)) }
        await joined.waitForCount(20)
        release.open()
        for handle in handles {
            guard case .failure(let error as TaskManagerError) = await handle.outcome() else {
                return #expect(Bool(false), "no error of the manager's")
            }
            #expect(error.code == .reactorFailed && error.actor == "refresh")
            #expect(error.underlying as? Broken == Broken(number: 7))
        }
        #expect(try await manager.run(Count(number: 1, bodies: bodies)) == 1)
    }

    @Test(
        "MG-49: a run that exceeds its time fails the waiting tasks on time; the next run waits for the old body"
    )
    func runTimeout() async throws {
        let clock = ManualClock(), stuck = Gate(), runs = Recorder<Int>()
        let reactor = Reacting(
            configuration: .init(timeout: .seconds(5), requeuesTask: true),
            runs: { run in
                runs.record(run.number)
                if run.number == 1 { await stuck.wait() }
            })
        let manager = TaskManager(reactors: [reactor], options: .init(clock: clock))
        let first = manager.add(Count(fails: true, bodies: bodies))
        await stuck.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(first.state == .finished(.failed))
        #expect(await first.endCode == .reactorTimedOut)
        let second = manager.add(Flaky(works: stuck))
        stuck.open()
        _ = try await second.value
        #expect(runs.values.first == 1)
    }
}
