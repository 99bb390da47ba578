import SteplineSupport
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplineWorkflow

/// The fast path of plain tasks, compared with the slow path, which a log of attempts forces.
@Suite("Plain transitions", .timeLimit(.minutes(5)))
struct PlainTransitionTests {
    /// A machine on its own, whose bodies the test ends.
    private struct Bench {
        private(set) var machine: WorkflowMachine
        private var turn = WorkflowTurn()
        private var live: [TaskJob] = []
        private var isComplete = 0

        init(_ edges: [[Int]], keptAttempts: Int, limit: Int) {
            let options = WorkflowOptions(maximumConcurrency: limit, keptAttempts: keptAttempts)
            machine = WorkflowMachine(name: "bench", options: options, calendar: 0)
            for prerequisites in edges {
                prerequisites.map { Int32($0) }.withUnsafeBufferPointer {
                    _ = machine.add(.closure { 0 }, "", TaskOptions(), [], after: $0, &turn)
                }
            }
        }

        enum Message: CaseIterable { case run, finish, finishAgain, fail, cancel, reset, retry }

        mutating func send(_ message: Message, to chosen: Int) {
            let number = Int32(chosen % Int(machine.tasks.count))
            switch message {
            case .run: machine.startRun(nil, &turn)
            case .finish, .finishAgain, .fail: endBody(chosen, message)
            case .cancel: machine.cancel([number], .requested, &turn)
            case .reset: machine.reset([number], &turn)
            case .retry: machine.retry([number], &turn)
            }
            proceed()
        }

        /// Ends the body of an attempt, which may have been stopped.
        private mutating func endBody(_ chosen: Int, _ message: Message) {
            guard !live.isEmpty else { return }
            let job = live.remove(at: chosen % live.count)
            if message == .fail {
                machine.bodyEnded(job, .over(.failed(TaskFailure(nil), retryAfter: nil)), &turn)
            } else {
                var value: (any Sendable)? = chosen
                machine.closureFinished(job.number, job.attempt, &value, &turn)
            }
        }

        /// Begins at most one task, so that others stay queued.
        private mutating func proceed() {
            machine.endTurn(&turn)
            if let job = machine.nextJob(&turn) { live.append(job) }
            machine.endTurn(&turn)
            _ = turn.takeWork()
            while let news = turn.nextNews() {
                if case .settle = news { machine.settle(&turn) }
                if case .settled = news { isComplete += 1 }
            }
        }

        /// Everything that a transition changes.
        var picture: [String] {
            let tasks = machine.tasks
            let states: [WorkflowTask.State] = [.pending, .ready, .executing, .finished, .failed, .cancelled]
            let counts = states.map { tasks.counts[$0] }
            return tasks.all.map { number in
                let node = tasks[number]
                let facts = "\(node.facts.rawValue) \(node.blockage) \(node.missing) \(node.isLeaf)"
                let result = tasks.result(number) as? Int
                return "\(number): \(node.state) \(node.attempt) \(facts) \(result ?? -1)"
            } + [
                "live: \(live.map { "\($0.number).\($0.attempt)" })",
                "counts: \(counts) \(tasks.busy) \(tasks.live) \(tasks.openLeaves) \(tasks.begun)",
                "events: \(machine.eventLog.count), ready: \(machine.ready.count), settled: \(isComplete)",
            ]
        }
    }

    @Test func `random messages have the same result with a log of attempts and without`() {
        for round in 0..<Chance.rounds(100) {
            let seed = Chance.seed &+ UInt64(round)
            var random = StableRandom(seed: seed)
            let edges = (0..<Int.random(in: 1...12, using: &random)).map { task in
                Array((0..<task).shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
            }
            let limit = Int.random(in: 1...4, using: &random)
            var short = Bench(edges, keptAttempts: 0, limit: limit)
            var long = Bench(edges, keptAttempts: 1, limit: limit)
            for step in 0..<80 {
                // Most messages let the run proceed, or few tasks would ever follow others.
                let isEnd = Int.random(in: 0..<3, using: &random) > 0
                let message = isEnd ? .finish : Bench.Message.allCases.randomElement(using: &random) ?? .run
                let chosen = Int.random(in: 0..<1000, using: &random)
                short.send(step == 0 ? .run : message, to: chosen)
                long.send(step == 0 ? .run : message, to: chosen)
                guard short.picture == long.picture else {
                    Issue.record(
                        "seed \(seed), step \(step), \(message): \(short.picture), not \(long.picture), in \(edges)"
                    )
                    return
                }
            }
        }
    }

    @Test func `a finish with a stale attempt changes nothing, one with the latest stores the result`() {
        var tasks = TaskTable()
        tasks.append(TaskNode(), .closure { 0 }, Int.self)
        let isQueued = tasks.enqueue(0), attempt = tasks.beginPlain(0)
        #expect(isQueued && attempt == 1)
        var value: (any Sendable)? = 7
        let isStale = tasks.finishPlain(0, 2, &value, at: .zero)
        #expect(!isStale && tasks[0].state == .executing)
        let isDone = tasks.finishPlain(0, 1, &value, at: Instant(nanoseconds: 5))
        #expect(isDone && tasks.result(0) as? Int == 7 && tasks.endedAt(0).nanoseconds == 5)
        // The table's old value: the caller releases it after unlock.
        #expect(value is ResultType)
        #expect(tasks.busy == 0 && tasks.live == 0 && tasks.openLeaves == 0)
    }
}
