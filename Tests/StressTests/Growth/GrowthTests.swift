import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

/// Compares the time that many tasks take with the time of few: linear cost grows 20-fold here, quadratic cost
/// 400-fold.
///
/// Nothing in the engines counts such work, so the tests measure time and run in soak only.
@Suite("Growth", .serialized, .soakOnly, .timeLimit(.minutes(5)))
struct GrowthTests {
    private let few = 200, many = 4_000

    /// How many times as long `measure` takes with many than with few; the quickest of some rounds counts.
    private func growth(_ measure: (Int) throws -> Duration) rethrows -> Double {
        let small = try (0..<4).map { _ in try measure(few) }.min() ?? .zero
        let large = try (0..<2).map { _ in try measure(many) }.min() ?? .zero
        return large / small
    }

    /// Linear is 20, with room for caches; quadratic is 400.
    private let most = 150.0

    /// The time for which this thread was at work, so that it doesn't matter who else is.
    private func time(_ body: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        try body()
        return now() - start
    }

    private func ladder(_ count: Int) throws -> (Workflow, TaskRef<Void>) {
        let workflow = Workflow()
        let first = try workflow.add("") {}
        var (left, right) = (first, first)
        for _ in 0..<count / 2 {
            (left, right) = (
                try workflow.add("", following: [left, right]) {},
                try workflow.add("", following: [left, right]) {}
            )
        }
        return (workflow, first)
    }

    @Test(
        "WF-108: check, cancel, reset and retry take time by the number of tasks and relations",
        arguments: ["build", "check", "cancel", "reset", "retry", "cancel from one task"])
    func workflow(message: String) throws {
        let growth = try growth { count in
            if message == "build" { return try time { _ = try ladder(count) } }
            let (workflow, first) = try ladder(count)
            switch message {
            case "check": return time { _ = workflow.check() }
            case "cancel": return time { workflow.cancel() }
            case "cancel from one task": return time { first.task.cancel() }
            default:
                workflow.cancel()
                return time { message == "reset" ? workflow.reset() : workflow.retry() }
            }
        }
        #expect(growth < most)
    }

    @Test("the status of a settled workflow with kept attempts doesn't take time by the number of tasks")
    func status() async throws {
        var times: [Duration] = []
        for count in [few, 100 * many] {
            let workflow = Workflow(options: WorkflowOptions(keptAttempts: 1))
            for _ in 0..<count { try workflow.add("") {} }
            try await workflow.run()
            let rounds = (0..<5).map { _ in
                time { for _ in 0..<1_000 { _ = workflow.status } }
            }
            #expect(workflow.status == .settled(.finished))
            times.append(rounds.min() ?? .zero)
        }
        #expect(times[1] < times[0] * 10, "\(times)")
    }

    /// As many workflows as given, each inside the one before it, and the outermost of them.
    private func nest(_ count: Int, inwards: Bool) throws -> Workflow {
        var last = Workflow()
        let first = last
        if !inwards { try first.add("body") {} }
        for _ in 0..<count {
            let next = Workflow()
            if inwards {
                try last.add(SubworkflowTask(subworkflow: next))
            } else {
                try next.add(SubworkflowTask(subworkflow: last))
            }
            last = next
        }
        if inwards { try last.add("body") {} }
        return inwards ? first : last
    }

    @Test(
        "WF-107: workflows inside each other are built, from either end, and run in time by their number",
        arguments: [true, false])
    func nested(inwards: Bool) async throws {
        let building = try growth { count in try time { _ = try nest(count, inwards: inwards) } }
        #expect(building < most)
        var ratios: [Double] = []
        var (quickest, quickestMany) = (Duration.seconds(1), Duration.seconds(1000))
        for _ in 0..<20 {
            var times: [Duration] = []
            for count in [100, 100, 2_000] {
                let outermost = try nest(count, inwards: inwards)
                let start = ContinuousClock.now
                try await outermost.run()
                times.append(ContinuousClock.now - start)
            }
            quickest = min(quickest, times[0], times[1])
            quickestMany = min(quickestMany, times[2])
            ratios.append(quickestMany / quickest)
            // By the clock on the wall, for several threads are at work: the quickest of some rounds counts, of many as
            // of few. A run of few fits between two others' turns at a core, one of many seldom does.
            if ratios[ratios.count - 1] < most { return }
        }
        Issue.record("\(ratios)")
    }

    private struct Nothing: ManagedTask {
        func execute() async throws {}
    }

    private struct Holding: Interceptor {
        func intercept<T: ManagedTask>(_ task: inout T, context: InterceptContext) async throws
            -> InterceptCommand
        {
            .hold
        }
    }

    @Test(
        "MG-94: adding and starting cost the same at any number; cancelAll takes time by the number",
        arguments: ["add", "start", "cancel each", "cancel all"])
    func manager(message: String) throws {
        let growth = growth { count in
            let manager = TaskManager()
            manager.pause()
            defer { manager.cancelAll() }
            if message == "add" { return time { for _ in 0..<count { manager.add(Nothing()) } } }
            let waits = message == "start"
            let handles = (0..<count).map { _ in
                manager.add(Nothing(), options: .init(startsImmediately: !waits))
            }
            switch message {
            case "start": return time { for handle in handles { handle.start() } }
            case "cancel each": return time { for handle in handles.reversed() { handle.cancel() } }
            default: return time { _ = manager.cancelAll() }
            }
        }
        #expect(growth < most)
    }

    @Test("MG-94: the release of what is held takes time by the number")
    func release() async throws {
        var quickest = [Duration.seconds(1000), .seconds(1000)]
        // Several threads are at work, so this is by the clock on the wall, and the quickest of some rounds counts.
        for _ in 0..<10 {
            for (place, count) in [few, 4 * many].enumerated() {
                let manager = TaskManager(interceptors: [Holding()])
                for _ in 0..<count { manager.add(Nothing()) }
                try await manager.waitUntilIdle()
                let start = ContinuousClock.now
                manager.releaseHeld()
                try await manager.waitUntilIdle()
                quickest[place] = min(quickest[place], ContinuousClock.now - start)
            }
            if quickest[1] / quickest[0] < 1_500 { return }
        }
        // By the square it would be 6,400.
        Issue.record("\(quickest)")
    }
}
