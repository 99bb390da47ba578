import Foundation
import Stepline
import SteplineTesting
import Synchronization

/// Compares a simulated workflow with the workflow itself.
enum Simulations: Benchmark {
    static let name = "simulations"
    static let summary =
        "plays of ten tasks, each in an order of its own (20,000 a second are wanted), and a day with a retry a minute (100 ms)"

    private struct NotYet: Error {}

    private enum Contender: CaseIterable { case played, run, day, clockedDay }

    private static let plays = Sizes.of(20_000)
    private static let minutes = Sizes.of(1440)

    static func run() throws -> [Finding] {
        let turns = try Turns(rounds: 5, of: Contender.allCases) { contender in
            let count = contender == .day || contender == .clockedDay ? 1 : Double(plays)
            return try [
                nanoseconds {
                    switch contender {
                    case .played:
                        try wait { try await explore(seeds: 1...UInt64(plays)) { _ in try await tenTasks() } }
                    case .run: try wait { for _ in 1...plays { try await tenTasks() } }
                    case .day: try wait { try await Simulation(seed: 1).run { _ in try await day() } }
                    case .clockedDay: try wait { try await day(by: ManualClock(runsByItself: true)) }
                    }
                } / count
            ]
        }
        let played = turns.median(.played) ?? .nan
        return [
            Finding("a play", played, "ns", rival: "the workflow itself, ns", rivalValue: turns.median(.run)),
            Finding("plays a second", 1e9 / played, "plays"),
            Finding("a play, of the workflow itself", ratio: turns.ratio(.played, to: .run), atMost: 2),
            Finding(
                "a simulated day", (turns.median(.day) ?? .nan) / 1e6, "ms",
                rival: "the workflow itself by a clock that jumps, ms",
                rivalValue: turns.median(.clockedDay).map { $0 / 1e6 }),
            Finding(
                "a simulated day, of the workflow itself by a clock that jumps",
                ratio: turns.ratio(.day, to: .clockedDay), atMost: 2),
        ].compactMap(\.self)
    }

    /// A root, eight tasks behind it, and one behind all.
    @Sendable private static func tenTasks() async throws {
        let workflow = Workflow("ten")
        let root = try workflow.add("root") { 1 }
        let middle = try (1...8).map { number in
            try workflow.add("m\(number)", after: root) { $0 + number }
        }
        try workflow.add("end", afterAll: middle) { $0.reduce(0, +) }
        try await workflow.run()
    }

    /// A task that fails once a minute, and in the end does not.
    @Sendable private static func day(by clock: any StepClock = .system) async throws {
        let workflow = Workflow("day", options: WorkflowOptions(clock: clock))
        let attempts = Counter()
        var options = TaskOptions()
        options.retry = .constant(attempts: minutes + 1, delay: .seconds(60), when: { _ in true })
        try workflow.add("poll", options: options) {
            if attempts.next() <= minutes { throw NotYet() }
        }
        try await workflow.run()
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Waits on this thread for what is async.
    private static func wait<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) throws {
        let (isDone, failure) = (DispatchSemaphore(value: 0), Failure())
        Task {
            do { _ = try await body() } catch { failure.error = error }
            isDone.signal()
        }
        isDone.wait()
        if let error = failure.error { throw error }
    }

    /// Set before the semaphore is signalled, and read behind it.
    private final class Failure: @unchecked Sendable { var error: (any Error)? }
}
