import Dispatch
import Foundation
import Stepline

/// Trivial tasks through a manager, and held ones released at once.
enum ManagedTasks: Benchmark {
    static let name = "managers"
    static let summary =
        "trivial tasks through a manager: bare, intercepted and reacted to, held and released"

    struct Trivial: ManagedTask {
        let number: Int
        func execute() async throws -> Int { number }
    }

    struct Passing: Interceptor {
        func intercept<T: ManagedTask>(_ task: inout T, context: InterceptContext) async throws
            -> InterceptCommand
        {
            .execute
        }
    }

    struct Holding: Interceptor {
        func intercept<T: ManagedTask>(_ task: inout T, context: InterceptContext) async throws
            -> InterceptCommand
        {
            .hold
        }
    }

    struct Watching: Reactor {
        func shouldExecute<T: ManagedTask>(
            after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
        ) async -> Bool { false }
    }

    static func run() throws -> [Finding] {
        guard let waiting = try Child.numbers("managers-waiting").first else {
            throw ChildFailed(task: "managers-waiting")
        }
        return passes() + Kept.memory("memory of a waiting task, a million of them", waiting) + releases()
            + idleStarts(Sizes.of(2000, atLeast: 20))
    }

    private enum Pass: CaseIterable { case adapted, bare, million, detached }

    private static func passes() -> [Finding] {
        let (few, many) = (Sizes.of(100_000), million)
        let turns = Turns(rounds: 5, of: Pass.allCases) { kind in
            switch kind {
            case .adapted:
                [
                    pass(
                        few,
                        through: TaskManager(interceptors: [Passing(), Passing()], reactors: [Watching()]))
                ]
            case .bare: [pass(few, through: TaskManager())]
            case .million: [pass(many, through: TaskManager())]
            case .detached: [passByHand(few)]
            }
        }
        func reported(_ name: String, _ kind: Pass) -> Finding {
            Finding(
                name, turns.median(kind) ?? .nan, "ns", rival: "a detached Swift task, ns",
                rivalValue: turns.median(.detached))
        }
        return [
            reported("a task, two interceptors, one reactor", .adapted), reported("a task, bare", .bare),
            reported("a task, bare, a million of them", .million),
        ]
            + [
                Finding(
                    "two interceptors, one reactor, of a detached Swift task's time",
                    ratio: turns.ratio(.adapted, to: .detached), atMost: 2),
                Finding(
                    "bare, of a detached Swift task's time", ratio: turns.ratio(.bare, to: .detached),
                    atMost: 2),
                Finding(
                    "a task of a million, of the time of one of 100,000",
                    ratio: turns.ratio(.million, to: .bare), atMost: 1.5),
            ].compactMap { $0 }
    }

    private static func releases() -> [Finding] {
        let turns = Turns(rounds: 5, of: [1000, 10_000]) { [release(Sizes.of($0))] }
        return [
            Finding(
                "a held task, 10,000 released at once", turns.median(10_000) ?? .nan, "ns",
                rival: "1,000, ns", rivalValue: turns.median(1000))
        ]
            + [
                Finding(
                    "release, growth from 1,000 to 10,000 a task", ratio: turns.ratio(10_000, to: 1000),
                    atMost: 2)
            ].compactMap { $0 }
    }

    private struct Stamped: ManagedTask {
        let begin: Stamp
        func execute() async throws { begin.take() }
    }

    /// Each time all threads have gone to rest before a task is added that nothing holds back.
    private static func idleStarts(_ count: Int) -> [Finding] {
        let manager = TaskManager()
        return latencies(
            "from adding to the begin of the body, idle",
            (0..<count).map { _ in
                usleep(2000)
                let begin = Stamp()
                let added = DispatchTime.now().uptimeNanoseconds
                manager.add(Stamped(begin: begin))
                waitUntilIdle(manager)
                return Double(begin.time) - Double(added)
            })
    }

    private static let million = Sizes.of(1_000_000)

    /// In a fresh process: the bytes of a task that waits for its turn.
    static func measureWaiting() {
        let manager = TaskManager()
        manager.pause()
        let before = processStatus("VmRSS")
        for number in 0..<million { manager.add(Trivial(number: number)) }
        print(Double(processStatus("VmRSS") - before) / Double(million))
        manager.cancelAll()
    }

    /// Nanoseconds a task.
    private static func pass(_ count: Int, through manager: TaskManager) -> Double {
        nanoseconds {
            for number in 0..<count { manager.add(Trivial(number: number)) }
            waitUntilIdle(manager)
        } / Double(count)
    }

    private static func passByHand(_ count: Int) -> Double {
        let latch = Latch()
        return nanoseconds {
            for number in 0..<count {
                latch.enter()
                Task.detached {
                    _ = try await Trivial(number: number).execute()
                    latch.leave()
                }
            }
            latch.wait()
        } / Double(count)
    }

    /// Nanoseconds a task, from the release to the end of all.
    private static func release(_ count: Int) -> Double {
        let manager = TaskManager(interceptors: [Holding()])
        for number in 0..<count { manager.add(Trivial(number: number)) }
        waitUntilIdle(manager)
        return nanoseconds {
            manager.releaseHeld()
            waitUntilIdle(manager)
        } / Double(count)
    }

    private static func waitUntilIdle(_ manager: TaskManager) {
        let idle = DispatchSemaphore(value: 0)
        Task.detached {
            try? await manager.waitUntilIdle()
            idle.signal()
        }
        idle.wait()
    }
}
