import Dispatch
import Foundation
import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Collections and waiting", .timeLimit(.minutes(5)))
struct CollectionTests {
    let bodies = Recorder<Int>()

    @Test("MG-58: results in order of input; a failed element fails nothing else")
    func results() async throws {
        let manager = TaskManager()
        let tasks = (0..<20).map { Count(number: $0, fails: $0 == 7, bodies: bodies) }
        let results = try await manager.outcomes(of: tasks, limit: 4)
        #expect(results.map { try? $0.get() } == (0..<20).map { $0 == 7 ? nil : $0 })
        #expect(await manager.successes(of: tasks) == (0..<20).filter { $0 != 7 })
        await #expect(throws: Broken(number: 7)) { try await manager.values(of: tasks) }
        var indexes: Set<Int> = []
        for await (index, _) in manager.stream(of: tasks) { indexes.insert(index) }
        #expect(indexes.count == 20)
    }

    @Test("MG-59: at most limit at once, begun in order of input; below 1 counts as 1")
    func limit() async throws {
        let manager = TaskManager()
        let tasks = (0..<10).map { Count(number: $0, bodies: bodies) }
        #expect(try await manager.values(of: tasks, limit: 0) == Array(0..<10))
        #expect(bodies.values == Array(0..<10))
    }

    @Test("MG-60: no elements give an empty result; interceptors see the elements alone")
    func elements() async throws {
        let seen = Recorder<String>()
        let manager = TaskManager(interceptors: [
            Asking { context in
                seen.record(context.handle.name)
                return .execute
            }
        ])
        #expect(try await manager.values(of: [Count]()).isEmpty)
        let handle = manager.addAll([Count(number: 1, bodies: bodies), Count(number: 2, bodies: bodies)])
        #expect(try await handle.value.map { try? $0.get() } == [1, 2])
        #expect(seen.values == ["count", "count"])
    }

    @Test(
        "MG-61 MG-93: a collection's deadline, by the manager's clock, ends its elements and is the one error",
        arguments: [false, true])
    func deadline(hasHandle: Bool) async throws {
        let clock = ManualClock(), gate = Gate(), manager = TaskManager(options: .init(clock: clock))
        let tasks = (0..<3).map { Count(number: $0, gate: gate, bodies: bodies) }
        let options = TaskManager.AddOptions(deadline: .seconds(3600))
        let whole = Task { () async throws -> [Outcome<Int>] in
            if hasHandle { return try await manager.addAll(tasks, options: options).value }
            return try await manager.outcomes(of: tasks, options: options)
        }
        await gate.waitForArrivals(3)
        clock.advance(by: .seconds(3600))
        do {
            _ = try await whole.value
            Issue.record("it had no deadline")
        } catch let error as TaskManagerError {
            #expect(error.code == .timedOut && error.limit == .total)
        }
        for task in tasks { await task.ended.waitForCount(1) }
        gate.open()
    }

    @Test("MG-61: a collection that is added not to start runs as a whole once it is started")
    func startedByHand() async throws {
        let manager = TaskManager()
        let tasks = (0..<3).map { Count(number: $0, bodies: bodies) }
        let whole = manager.addAll(tasks, options: .init(startsImmediately: false))
        #expect(whole.state == .pending(.start) && manager.tasks.isEmpty)
        whole.start()
        #expect(try await whole.value.map { try? $0.get() } == [0, 1, 2])
        let options = TaskManager.AddOptions(startsImmediately: false, deadline: .seconds(3600))
        #expect(try await manager.values(of: tasks, options: options) == [0, 1, 2])
    }

    @Test("MG-63 MG-64: wait blocks its thread alone; bounded it leaves the task alone")
    func blockingWait() async throws {
        let manager = TaskManager(), gate = Gate(), reported = Recorder<String>()
        let handle = manager.add(Count(number: 5, gate: gate, bodies: bodies))
        Thread.detachNewThread {
            do { _ = try handle.wait(atMost: .milliseconds(1)) } catch TaskManagerError.Code.stillRunning {
                reported.record("still running")
            } catch { reported.record("\(error)") }
            gate.open()
            reported.record("\((try? handle.wait()) ?? 0)")
        }
        await reported.waitForCount(2)
        #expect(reported.values == ["still running", "5"])
    }

    @Test("MG-64: many threads wait at once without holding up any task")
    func manyWaits() async {
        let manager = TaskManager(), reported = Recorder<Int>(), gate = Gate()
        for number in 0..<200 {
            let handle = manager.add(Count(number: number, gate: gate, bodies: bodies))
            Thread.detachNewThread { reported.record((try? handle.wait()) ?? -1) }
        }
        await gate.waitForArrivals(200)
        gate.open()
        await reported.waitForCount(200)
        #expect(Set(reported.values) == Set(0..<200))
    }

    @Test("MG-63: wait in a callback throws wouldBlock")
    func waitInCallback() async {
        let manager = TaskManager(), reported = Recorder<Bool>()
        let other = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false))
        let handle = manager.add(Count(bodies: bodies), options: .init(startsImmediately: false)) { _ in
            do { _ = try other.wait() } catch {
                reported.record((error as? TaskManagerError)?.code == .wouldBlock)
            }
        }
        handle.cancel()
        await reported.waitForCount(1)
        #expect(reported.values == [true])
        other.cancel()
    }

    /// Tasks one by one, and the collections that go on in another Swift task than the one that asks.
    enum Form: CaseIterable, Sendable {
        case single, stream, handle, deadline

        /// Runs it, and returns how many outcomes there are.
        func run(_ tasks: [Count], on manager: TaskManager) async throws -> Int {
            switch self {
            case .single:
                for task in tasks { _ = try await manager.run(task) }
                return tasks.count
            case .stream:
                var count = 0
                for await _ in manager.stream(of: tasks) { count += 1 }
                return count
            case .handle:
                return try await manager.addAll(tasks).value.count
            case .deadline:
                return try await manager.outcomes(of: tasks, options: .init(deadline: .seconds(3600))).count
            }
        }
    }

    @Test("MG-52 MG-60: with a limit of 1 a body's task or collection ends", arguments: Form.allCases)
    func inBody(_ form: Form) async throws {
        let manager = TaskManager(options: .init(maximumConcurrency: 1))
        let tasks = (0..<3).map { Count(number: $0, bodies: bodies) }
        #expect(try await manager.run { try await form.run(tasks, on: manager) } == 3)
        #expect(Set(bodies.values) == [0, 1, 2])
    }

    @Test("MG-30 MG-60: an interceptor's task or collection passes it by", arguments: Form.allCases)
    func inInterceptor(_ form: Form) async throws {
        let bodies = bodies, box = Recorder<TaskManager>()
        let asking = Asking { _ in
            _ = try await form.run([Count(number: 5, bodies: bodies)], on: box.values[0])
            return .execute
        }
        let manager = TaskManager(interceptors: [asking])
        box.record(manager)
        #expect(try await manager.run(Count(number: 6, bodies: bodies)) == 6)
        #expect(bodies.values == [5, 6])
    }

    @Test(
        "MG-47 MG-60: a run's task or collection begins in spite of the suspension, and its reactor isn't asked",
        arguments: Form.allCases)
    func inRun(_ form: Form) async throws {
        let bodies = bodies, box = Recorder<TaskManager>(), works = Gate(), asked = Recorder<Int>()
        let refresh = Reacting(
            configuration: .init(requeuesTask: true, suspendsTaskQueue: true),
            asks: { failed, _ in
                asked.record(1)
                return failed
            },
            runs: { _ in
                _ = try await form.run([Count(number: 9, bodies: bodies)], on: box.values[0])
                works.open()
            })
        let manager = TaskManager(reactors: [refresh])
        box.record(manager)
        #expect(try await manager.run(ReactorTests.Flaky(works: works)) == 2)
        #expect(bodies.values == [9] && asked.count == 2)
    }
}
