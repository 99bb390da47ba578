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
        let count = 100_000
        let duel = Duel(
            rounds: 5, units: [count, count, count],
            [
                {
                    pass(
                        count,
                        through: TaskManager(interceptors: [Passing(), Passing()], reactors: [Watching()]))
                },
                { pass(count, through: TaskManager()) },
                { passByHand(count) },
            ])
        let small = median((0..<5).map { _ in release(1_000) }),
            large = median((0..<5).map { _ in release(10_000) })
        return [
            Finding(
                "a task, two interceptors, one reactor", duel.medians[0], "ns", bound: 2_000,
                rival: "a detached Swift task, ns", rivalValue: duel.medians[2]),
            Finding("a task, bare", duel.medians[1], "ns", bound: 5_000),
            Finding(
                "a task, bare, a million of them",
                nanoseconds { pass(million, through: TaskManager()) } / Double(million), "ns", bound: 5_000),
            Finding("memory of a waiting task, a million of them", waiting, "bytes", bound: 1_024),
            Finding(
                "a held task, 10,000 released at once", large, "ns", rival: "1,000, ns", rivalValue: small),
            Finding("release, growth from 1,000 to 10,000 a task", large / small, "times", bound: 2),
        ] + latencies("from adding to the begin of the body, idle", idleSamples(2000))
    }

    private struct Stamped: ManagedTask {
        let begin: Stamp
        func execute() async throws { begin.take() }
    }

    /// Each time all threads have gone to rest before a task is added that nothing holds back.
    private static func idleSamples(_ count: Int) -> [Double] {
        let manager = TaskManager()
        return (0..<count).map { _ in
            usleep(2000)
            let begin = Stamp()
            let added = DispatchTime.now().uptimeNanoseconds
            manager.add(Stamped(begin: begin))
            waitUntilIdle(manager)
            return Double(begin.time) - Double(added)
        }
    }

    private static let million = 1_000_000

    /// In a fresh process: the bytes of a task that waits for its turn.
    static func measureWaiting() {
        let manager = TaskManager()
        manager.pause()
        let before = processStatus("VmRSS")
        for number in 0..<million { manager.add(Trivial(number: number)) }
        print(Double(processStatus("VmRSS") - before) / Double(million))
        manager.cancelAll()
    }

    private static func pass(_ count: Int, through manager: TaskManager) {
        for number in 0..<count { manager.add(Trivial(number: number)) }
        waitUntilIdle(manager)
    }

    private static func passByHand(_ count: Int) {
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Task.detached {
                _ = try await Trivial(number: number).execute()
                group.leave()
            }
        }
        group.wait()
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
