import Foundation
import SteplineSupport
import SteplineWorkflow

/// Runs of very many tasks.
enum LargeRun {
    /// A graph of random edges to what came shortly before, all of it run.
    static func finished(_ count: Int) async throws -> Workflow {
        var generator = StableRandom(seed: 7)
        let workflow = Workflow("large", options: WorkflowOptions(keptAttempts: 1))
        var tasks: [TaskRef<Void>] = []
        for index in 0..<count {
            let before = (0..<2).compactMap { _ in
                index == 0 ? nil : tasks[max(0, index - 1 - Int.random(in: 0..<150, using: &generator))]
            }
            tasks.append(try workflow.add("task \(index)", following: before) {})
        }
        try await workflow.run()
        return workflow
    }

    /// Chains of ten steps, of which some fail at the seventh, whose bodies take made-up times.
    static func mixed(_ count: Int) async throws -> Workflow {
        let clock = LeapingClock()
        let workflow = Workflow(
            "nightly mirror", options: WorkflowOptions(keptAttempts: 2, clock: clock))
        let steps = [
            "list", "load", "check", "unpack", "parse", "convert", "store", "index", "link", "announce",
        ]
        let begin = try workflow.add("begin") { clock.leap(3_000) }
        var last: TaskRef<Void> = begin
        for index in 1..<count {
            let (chain, step) = ((index - 1) / 10, (index - 1) % 10)
            let before = step == 0 ? begin : last
            last = try workflow.add("\(steps[step]) feed \(chain)", following: [before]) {
                clock.leap(step == 1 ? 90 : 20)
                if step == 6, chain % 41 == 7 {
                    throw Broken(text: "feed \(chain) can't be stored: the disk is full")
                }
            }
        }
        _ = await workflow.outcome()
        return workflow
    }
}

/// A clock that goes on by a little whenever it is looked at, and by leaps when it is told to.
final class LeapingClock: StepClock {
    private let state = Locked((time: Duration.zero, generator: StableRandom(seed: 3)))

    /// Goes on by some milliseconds, up to so many.
    func leap(_ most: Int) {
        state.withLock { $0.time += .microseconds(Int.random(in: 100...most * 1000, using: &$0.generator)) }
    }

    var uptime: Duration {
        state.withLock {
            $0.time += .microseconds(3)
            return $0.time
        }
    }

    var now: Date { Date(timeIntervalSince1970: 1_790_000_000 + uptime / .seconds(1)) }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        state.withLock { $0.time += delay }
        return SystemClock.shared.schedule(after: .zero, body)
    }
}
