import Stepline
import SteplineSupport
import SteplineTesting
import Testing

private struct RandomFailure: Error {}

/// All features at once, in random graphs, under random messages from several threads: nothing may hang, no
/// place of a pool may be lost, and in the end it can be finished.
@Suite(.timeLimit(StressRun.timeLimit))
struct FeatureStressTests {
    @Test(
        "WF-104, WF-85, WF-86: pools, retries, allowed failures, cleanups and limits, under random messages",
        arguments: StressRun.seeds(5))
    func features(_ seed: UInt64) async throws {
        var random = StableRandom(seed: seed)
        let pool = ConcurrencyPool("pool", capacity: Int.random(in: 1...3, using: &random))
        let limit = Bool.random(using: &random) ? nil : Int.random(in: 1...3, using: &random)
        let workflow = Workflow("stress", options: .init(maximumConcurrency: limit))
        let luck = Luck(seed)
        var refs: [TaskRef<Int>] = []
        for index in 0..<Int.random(in: 2...30, using: &random) {
            var options = TaskOptions()
            if Int.random(in: 0..<3, using: &random) == 0 {
                options.retry = .constant(attempts: 3, delay: .zero, when: { $0 is RandomFailure })
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                options.pools = [pool: Int.random(in: 1...pool.capacity, using: &random)]
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                options.priority = Priority.allCases.randomElement(using: &random) ?? .normal
            }
            let before = refs.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
            switch (before.count, Bool.random(using: &random)) {
            case (2, true):
                let (one, two) = (before[before.startIndex].allowingFailure, before[before.startIndex + 1])
                refs.append(
                    try workflow.add("\(index)", after: one, two, options: options) { _, two in
                        try luck.draw()
                        return two + 1
                    })
            case (_, true):
                refs.append(
                    try workflow.add("\(index)", following: before, options: options) { () throws -> Int in
                        try luck.draw()
                        return index
                    })
            default:
                refs.append(
                    try workflow.add("\(index)", following: before, options: options) {
                        () async throws -> Int in
                        await Task.yield()
                        try luck.draw()
                        return index
                    })
            }
        }
        let cleanup = try workflow.addCleanup("clean", after: workflow.allTasks) { await Task.yield() }
        let all = refs
        try workflow.start()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                group.addTask {
                    var random = StableRandom(seed: seed &* 17 &+ UInt64(thread))
                    for _ in 0..<60 {
                        let task = all[Int.random(in: 0..<all.count, using: &random)].task
                        switch Int.random(in: 0..<9, using: &random) {
                        case 0: task.cancel()
                        case 1: task.reset()
                        case 2: task.retry()
                        case 3: workflow.retry()
                        case 4: workflow.cancel()
                        case 5: _ = workflow.explain()
                        case 6: pool.capacity = pool.capacity
                        case 7: _ = workflow.check()
                        default: try? task.start()
                        }
                    }
                }
            }
        }
        luck.turn()
        workflow.retry()
        _ = try? await workflow.run()
        workflow.retry()
        let report = try await workflow.run()
        #expect(report.ending == .finished, "seed \(seed)")
        #expect(pool.free == pool.capacity, "seed \(seed)")
        #expect(workflow.taskCount(in: .finished) == all.count + 1, "seed \(seed)")
        #expect(cleanup.task.isFinished && !workflow.hasUnfinishedTasks, "seed \(seed)")
    }
}

/// Lets some bodies fail, until it turns.
private final class Luck: Sendable {
    private let calls: Recorder<Void> = Recorder()
    private let turned = Gate()
    private let seed: UInt64

    init(_ seed: UInt64) { self.seed = seed }

    func draw() throws {
        calls.record(())
        var random = StableRandom(seed: seed &+ UInt64(calls.count))
        if !turned.isOpen, Int.random(in: 0..<4, using: &random) == 0 { throw RandomFailure() }
    }

    func turn() { turned.open() }
}
