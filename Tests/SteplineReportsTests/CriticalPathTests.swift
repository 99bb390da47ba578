import Foundation
import SteplineReports
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CriticalPathTests {
    @Test(
        "WF-101: the critical path is what determined the length, and has no slack; the others' is what they can spare"
    )
    func measured() async throws {
        let bench = Bench()
        let root = try bench.add("root")
        let long = try bench.add("long", after: [root])
        let short = try bench.add("short", after: [root])
        let tail = try bench.add("tail", after: [short])
        let end = try bench.add("end", after: [long, short])
        try bench.workflow.start()
        await bench.finish(root, after: 1)
        await bench.awaitBegin(of: long)
        await bench.awaitBegin(of: short)
        bench.clock.advance(by: .seconds(2))
        short.finish()
        await bench.finish(tail, after: 3)
        bench.clock.advance(by: .seconds(2))
        long.finish()
        await bench.finish(end, after: 4)
        let report = try await bench.workflow.run()
        #expect(report.criticalPath.map(\.name) == ["root", "long", "end"])
        for task in [root, long, end] { #expect(report.slack(of: task) == .zero) }
        // `long` ended 5 s after `short`; `tail` 6 s before the end.
        #expect(report.slack(of: short) == .seconds(5) && report.slack(of: tail) == .seconds(6))
        #expect(report.schedule?.length == .seconds(12))
        let last = try #require(report.schedule?.spans.last ?? nil)
        #expect(last.begin == 8_000_000_000 && last.end == 12_000_000_000)
    }

    /// Returns the schedule of a workflow whose tasks take these times, each as soon as its prerequisites have ended.
    private func schedule(of workflow: Workflow, _ time: (TaskID) -> Duration) -> WorkflowSchedule {
        let graph = workflow.graph()
        var ends: [Int64] = []
        var spans: [TaskSpan?] = []
        for task in graph.tasks {
            let begin = graph.edges[task.prerequisites].map { ends[$0.prerequisite] }.max() ?? 0
            let (seconds, attoseconds) = time(task.id).components
            let (end, isPast) = begin.addingReportingOverflow(
                seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            ends.append(isPast ? .max : end)
            spans.append(TaskSpan(begin: begin, end: ends[ends.count - 1]))
        }
        return WorkflowSchedule(graph, spans)
    }

    @Test("WF-101: a task's own slack is what its ending later by so much would not have changed")
    func slackIsTight() throws {
        var generator = StableRandom(seed: Chance.seed)
        for _ in 0..<40 {
            let workflow = Workflow()
            var tasks: [WorkflowTask] = []
            var times: [TaskID: Duration] = [:]
            for index in 0..<12 {
                let before = tasks.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
                let task = try workflow.add(WorkflowTask(name: "\(index)"), prerequisites: before)
                tasks.append(task)
                times[try #require(task.taskID)] = .seconds(Int.random(in: 0...9, using: &generator))
            }
            let plan = schedule(of: workflow) { times[$0] ?? .zero }
            for task in tasks {
                let id = try #require(task.taskID)
                let slack = try #require(plan.slack(of: id))
                func length(_ more: Duration) -> Duration {
                    schedule(of: workflow) { (times[$0] ?? .zero) + ($0 == id ? more : .zero) }.length
                }
                #expect(
                    length(slack) == plan.length && length(slack + .seconds(1)) == plan.length + .seconds(1))
            }
            #expect(plan.criticalPath.allSatisfy { plan.slack(of: $0.id) == .zero })
            let sum = plan.criticalPath.reduce(Duration.zero) { $0 + (times[$1.id] ?? .zero) }
            #expect(sum == plan.length)
        }
    }

    @Test("WF-101: tasks without end in a line take as long as can be told")
    func endless() throws {
        let workflow = Workflow()
        var tasks: [WorkflowTask] = []
        for number in 0..<5 {
            let before = Array(tasks.suffix(1))
            tasks.append(try workflow.add(WorkflowTask(name: "\(number)"), prerequisites: before))
        }
        let plan = schedule(of: workflow) { _ in .nanoseconds(Int64.max) }
        #expect(plan.length == .nanoseconds(Int64.max))
        for (task, span) in zip(tasks, plan.spans) {
            let span = try #require(span)
            #expect(span.begin >= 0 && span.end >= span.begin && .nanoseconds(span.end) <= plan.length)
            #expect(try plan.slack(of: #require(task.taskID)) == .zero)
        }
        #expect(plan.criticalPath.first?.name == "0")
    }

    @Test("WF-101: an attempt has begin, end, outcome, and the times waited with their causes")
    func attempts() async throws {
        let bench = Bench()
        let start = bench.clock.now
        let pool = ConcurrencyPool("one", capacity: 1)
        let first = try bench.add("first", options: TaskOptions(pools: [pool: 1]))
        let second = try bench.add(
            "second", after: [],
            options: TaskOptions(
                retry: .constant(attempts: 2, delay: .seconds(10), when: { _ in true }), pools: [pool: 1]))
        let marker = try bench.add("marker")
        try bench.workflow.start()
        // `second` has entered the queue before this one begins.
        await bench.awaitBegin(of: marker)
        marker.finish()
        await bench.finish(first, after: 3)
        await bench.awaitBegin(of: second)
        bench.clock.advance(by: .seconds(2))
        second.fail(with: Broken())
        await bench.clock.waitForScheduled(after: .seconds(10))
        bench.clock.advance(by: .seconds(10))
        await bench.awaitBegin(of: second, attempt: 2)
        bench.clock.advance(by: .seconds(1))
        second.finish()
        let report = try await bench.workflow.run()
        let id = try #require(second.taskID)
        let tries = report.attempts(of: id)
        #expect(tries.map(\.number) == [1, 2] && tries.map(\.ending) == [.retried, .finished])
        #expect(tries[0].begin == start + 3 && tries[0].end == start + 5 && tries[0].duration == .seconds(2))
        #expect(tries[0].waits == [.init(cause: .pools, duration: .seconds(3))])
        #expect(tries[0].error is Broken && tries[1].error == nil)
        #expect(tries[1].waits == [.init(cause: .backoff, duration: .seconds(10))])
        #expect(tries[1].begin == start + 15 && tries[1].waited == .seconds(10))
        #expect(report.attempts.map(\.task.name) == ["first", "second", "second", "marker"])
        #expect(report.attempts.first?.waited == .zero && report.attempts.first?.task.id == first.taskID)
    }

    @Test("WF-101: waits for the limit, for a queue and for the last body are told apart")
    func causes() async throws {
        let clock = ManualClock()
        let workflow = Workflow(
            options: WorkflowOptions(
                maximumConcurrency: 1, grace: .seconds(60), keptAttempts: 8, clock: clock))
        let gate = Gate()
        let begun = Recorder<Int>()
        let held = try workflow.add(
            BlockTask(name: "held") { attempt in
                begun.record(attempt.number)
                if attempt.number == 1 { gate.block() }
                attempt.finish()
            })
        let limited = try workflow.add(BlockTask(name: "limited") { $0.finish() })
        try workflow.start()
        await begun.waitForCount(1)
        held.reset()
        try held.start()
        try limited.start()
        clock.advance(by: .seconds(7))
        gate.open()
        try await workflow.run()
        let report = workflow.report()
        let (heldID, limitedID) = (try #require(held.taskID), try #require(limited.taskID))
        let last = try #require(report.attempts(of: heldID).last)
        #expect(last.number == 2 && last.waits.first == .init(cause: .lastBody, duration: .seconds(7)))
        let other = try #require(report.attempts(of: limitedID).last)
        #expect(other.waited == .seconds(7))
    }

    @Test("WF-101: the last keptAttempts are kept, none without the option")
    func kept() async throws {
        for kept in [0, 1, 3] {
            let bench = Bench(keptAttempts: kept)
            let task = try bench.add("task")
            for attempt in 1...5 {
                try task.start()
                await bench.awaitBegin(of: task, attempt: attempt)
                task.currentAttempt.finish()
                if attempt < 5 { task.reset() }
            }
            #expect(bench.workflow.report().attempts.map(\.number) == Array(1...5).suffix(kept))
        }
    }

    @Test("WF-101: an attempt that runs has no end, a cancelled one says so, and neither breaks the path")
    func unfinished() async throws {
        let bench = Bench()
        let done = try bench.add("done")
        let runs = try bench.add("runs", after: [done])
        let off = try bench.add("off", after: [done])
        try bench.workflow.start()
        await bench.finish(done, after: 2)
        await bench.awaitBegin(of: runs)
        await bench.awaitBegin(of: off)
        bench.clock.advance(by: .seconds(3))
        off.cancel()
        let report = bench.workflow.report()
        #expect(report.attempts.map(\.ending) == [.finished, .executing, .cancelled])
        #expect(report.attempts[1].end == nil && report.attempts[1].duration == .seconds(3))
        #expect(report.criticalPath.map(\.name) == ["done", "off"] && report.slack(of: runs) == nil)
        runs.finish()
    }

    /// The page's text about the whole path.
    private func meaning(_ workflow: Workflow) throws -> String {
        let page = workflow.picture(as: .html)
        let begin = try #require(page.range(of: "Each of these began once the one before had ended"))
        let end = try #require(page[begin.upperBound...].range(of: "</p>"))
        return String(page[begin.upperBound..<end.lowerBound])
    }

    /// The table of the path, as the page has it.
    private func head(_ workflow: Workflow) throws -> String {
        let page = workflow.picture(as: .html)
        let begin = try #require(page.range(of: "<section id=\"critical-path\">"))
        let end = try #require(page[begin.upperBound...].range(of: "</section>"))
        return String(page[begin.upperBound..<end.lowerBound])
    }

    @Test(
        "WF-101: the path alone is said to determine the length only if none of its tasks waited for a slot"
    )
    func meaning() async throws {
        let alone = Bench()
        let first = try alone.add("first")
        let second = try alone.add("second", after: [first])
        try alone.workflow.start()
        await alone.finish(first, after: 2)
        await alone.finish(second, after: 3)
        _ = try await alone.workflow.run()
        #expect(try meaning(alone.workflow).hasPrefix(": together they determined how long it took."))
        #expect(try head(alone.workflow).contains(">Share</th>"))

        let crowded = Bench()
        let pool = ConcurrencyPool("one", capacity: 1)
        let tasks = try ["a", "b", "c"].map {
            try crowded.add($0, options: TaskOptions(pools: [pool: 1]))
        }
        try crowded.workflow.start()
        for task in tasks { await crowded.finish(task, after: 2) }
        _ = try await crowded.workflow.run()
        #expect(try meaning(crowded.workflow).hasPrefix(". For 4.00 s none of them was at work: "))
        // Its last task's span is all of the run, most of which it has waited.
        #expect(try !head(crowded.workflow).contains("Share") && !head(crowded.workflow).contains("100 %"))
    }

    @Test(
        "WF-101: a wait between a task's attempts is its own, and of attempts that weren't kept nothing is claimed"
    )
    func meaningOfRetries() async throws {
        for (kept, words) in [(8, ": together they"), (1, ".")] {
            let bench = Bench(keptAttempts: kept)
            let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(10), when: { _ in true })
            let task = try bench.add("task", options: TaskOptions(retry: retry))
            try bench.workflow.start()
            await bench.awaitBegin(of: task)
            bench.clock.advance(by: .seconds(2))
            task.fail(with: Broken())
            await bench.clock.waitForScheduled(after: .seconds(10))
            bench.clock.advance(by: .seconds(10))
            await bench.awaitBegin(of: task, attempt: 2)
            task.finish()
            _ = try await bench.workflow.run()
            let meaning = try meaning(bench.workflow)
            #expect(kept == 1 ? meaning == words : meaning.hasPrefix(words))
        }
    }
}
