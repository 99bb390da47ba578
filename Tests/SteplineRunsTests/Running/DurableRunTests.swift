import Foundation
import SteplineJSON
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Durable runs")
struct DurableRunTests {
    private struct Failure: Error, CustomStringConvertible { let description: String }
    private let id = RunID("mirror", key: "k")

    /// Counts how often bodies were run.
    private let bodies = Recorder<String>()

    private func mirror(failing: Set<String> = []) throws -> (workflow: Workflow, total: TaskRef<Int>) {
        let workflow = Workflow("mirror")
        let bodies = self.bodies
        @Sendable func body<Value>(_ name: String, _ value: Value) throws -> Value {
            bodies.record(name)
            if failing.contains(name) { throw Failure(description: "\(name) is down") }
            return value
        }
        let index = try workflow.add("index") { try body("index", ["a", "bb", "ccc"]) }
        let sizes = try (0..<3).map { number in
            try workflow.add("size\(number)", after: index) { index in
                try body("size\(number)", index[number].utf8.count)
            }
        }
        let total = try workflow.add("total", afterAll: sizes) { try body("total", $0.reduce(0, +)) }
        return (workflow, total)
    }

    @Test("DR-13: a second run with the same key runs nothing that is committed, and has the same results")
    func again() async throws {
        let store: any RunStore = .memory()
        let first = try mirror()
        let report = try await first.workflow.run(in: store, key: "k")
        #expect(Set(report.executed) == ["index", "size0", "size1", "size2", "total"])
        let second = try mirror()
        let again = try await second.workflow.run(in: store, key: "k")
        #expect(again.restored == ["index", "size0", "size1", "size2", "total"])
        #expect(try second.total.readValue() == 6)
        #expect(bodies.count == 5)
        #expect(try store.run(id)?.ending == .finished)
        #expect("\(report)" == "mirror/k finished: 5 steps run, 0 kept")
        #expect("\(again)" == "mirror/k finished: 0 steps run, 5 kept")
        #expect(report.duration == report.run.duration)
    }

    @Test("DR-13: a resumed run reads the typed result of a subworkflow from the restored task inside")
    func subworkflowResult() async throws {
        let store: any RunStore = .memory()
        let bodies = self.bodies
        func album(version: Int) throws -> (workflow: Workflow, printed: TaskRef<String>) {
            let photos = Workflow("photos")
            let cover = try photos.add("cover") {
                bodies.record("cover")
                return "cover"
            }
            let workflow = Workflow("album")
            let picture = try workflow.addSubworkflow(photos, returning: cover)
            // Another version runs the step again.
            let printed = try workflow.add("print", after: picture, options: .init(version: version)) {
                bodies.record("print")
                return $0.uppercased()
            }
            return (workflow, printed)
        }
        try await album(version: 1).workflow.run(in: store, key: "k")
        let second = try album(version: 2)
        try await second.workflow.run(in: store, key: "k")
        #expect(second.printed.result == "COVER" && bodies.values == ["cover", "print", "print"])
    }

    @Test("DR-13: uncommitted steps run, with the results of the committed ones")
    func continues() async throws {
        let store: any RunStore = .memory()
        let cut = CuttingStore(store, .after(2))
        await #expect(throws: (any Error).self) { try await mirror().workflow.run(in: cut, key: "k") }
        let committed = try store.stepsByName(of: id).values.filter { $0.state == .finished }.map(\.name)
        let before = bodies.count
        let second = try mirror()
        let report = try await second.workflow.run(in: store, key: "k")
        #expect(Set(report.restored) == Set(committed))
        #expect(try second.total.readValue() == 6)
        #expect(bodies.count - before == 5 - committed.count)
    }

    @Test("DR-10: no observer sees a step Finished before its result is committed")
    func committing() async throws {
        let store: any RunStore = .memory()
        let workflow = Workflow("mirror")
        let id = self.id
        let first = try workflow.add("first") { 1 }
        try workflow.add("second", after: first) { one in
            let kept = try store.stepsByName(of: id)["first"]?.state
            return "\(one) \(kept?.rawValue ?? "nothing")"
        }
        let seen = Recorder<String>()
        first.task.onSuccess { _ in
            seen.record((try? store.stepsByName(of: id)["first"]?.state.rawValue) ?? "nothing")
        }
        let report = try await workflow.run(in: store, key: "k")
        #expect(report.executed == ["first", "second"])
        #expect(workflow.allTasks[1].result as? String == "1 finished")
        #expect(seen.values == ["finished"])
    }

    @Test("DR-15: a failure is kept, is not run again by itself, and is by retryingFailures")
    func failures() async throws {
        let store: any RunStore = .memory()
        await #expect(throws: WorkflowError.self) {
            try await mirror(failing: ["size1"]).workflow.run(in: store, key: "k")
        }
        #expect(try store.run(id)?.ending == .failed)
        let before = bodies.count
        let again = try mirror()
        do {
            try await again.workflow.run(in: store, key: "k")
            Issue.record("it must fail as before")
        } catch let error as WorkflowError {
            #expect(error.code == .tasksFailed)
            #expect("\(error)".contains("size1 is down"))
            let kept = error.report?.failures.first?.error as? KeptFailure
            #expect(kept?.failure.message == "size1 is down")
        }
        #expect(bodies.count == before)
        let third = try mirror()
        let report = try await third.workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(report.executed == ["size1", "total"])
        #expect(try third.total.readValue() == 6)
    }

    @Test(
        "DR-5: another version of a task runs it and all downstream again, and the old attempts are history")
    func versions() async throws {
        let store: any RunStore = .memory()
        func make(_ version: Int) throws -> Workflow {
            let workflow = Workflow("mirror")
            let a = try workflow.add("a") { version * 10 }
            let b = try workflow.add("b", after: a, options: TaskOptions(version: version)) { $0 + 1 }
            try workflow.add("c", after: b) { $0 + 1 }
            try workflow.add("d", after: a) { $0 - 1 }
            return workflow
        }
        try await make(1).run(in: store, key: "k")
        let second = try make(2)
        let report = try await second.run(in: store, key: "k")
        #expect(report.restored == ["a", "d"] && report.executed == ["b", "c"])
        #expect(second.allTasks[2].result as? Int == 12)
        #expect(Set(try store.history(of: id).map(\.name)) == ["b", "c"])
        let steps = try store.stepsByName(of: id)
        #expect(steps["b"]?.attempt == 2 && steps["b"]?.version == 2)
    }

    @Test("DR-2: results that can't be stored are reported before anything runs")
    func checks() async throws {
        final class Handle: Sendable {}
        let workflow = Workflow("mirror")
        try workflow.add("a") { Handle() }
        try workflow.add("twice") { 1 }
        try workflow.add("twice") { 2 }
        try workflow.add(String(repeating: "x", count: 2000)) { 3 }
        #expect(workflow.checkDurability().map(\.code) == [.notStorable, .duplicateName, .nameTooLong])
        let store: any RunStore = .memory()
        await #expect(throws: WorkflowError.self) { try await workflow.run(in: store, key: "k") }
        #expect(try store.runs(of: nil).isEmpty)
        #expect(workflow.allTasks.allSatisfy { $0.snapshot.attempt == 0 })
    }

    @Test("DR-2: Codable values, data, text, nothing, JSON and optionals come back as they were")
    func values() async throws {
        struct Page: Codable, Sendable, Equatable {
            var title: String
            var date: Date
            var size: Double?
        }
        let page = Page(title: "é\n", date: Date(timeIntervalSinceReferenceDate: 1.25), size: .nan)
        let store: any RunStore = .memory()
        func make() throws -> Workflow {
            let workflow = Workflow("mirror")
            try workflow.add("page") { [page] }
            try workflow.add("data") { Data([0, 255]) }
            try workflow.add("text") { "" }
            try workflow.add("nothing") {}
            try workflow.add("json") { try JSON(parsing: "{\"b\":1,\"a\":[2.50]}") }
            try workflow.add("none") { Int?.none }
            return workflow
        }
        try await make().run(in: store, key: "k")
        let second = try make()
        let report = try await second.run(in: store, key: "k")
        #expect(report.executed == [])
        let results = second.allTasks.map(\.result)
        let read = (results[0] as? [Page])?.first
        #expect(read?.title == page.title && read?.date == page.date && read?.size?.isNaN == true)
        #expect(results[1] as? Data == Data([0, 255]))
        #expect(results[2] as? String == "")
        #expect((results[4] as? JSON)?.description == "{\"b\":1,\"a\":[2.50]}")
        try TaskRef<Void>(second.allTasks[3]).readValue()
        #expect(try TaskRef<Int?>(second.allTasks[5]).readValue() == nil)
    }

    @Test("DR-17: when the store can't write, the run fails with its error, and nothing else is Finished")
    func cannotWrite() async throws {
        let store: any RunStore = .memory()
        for cut in 1...4 {
            let made = try mirror()
            let key = "cut\(cut)"
            do {
                try await made.workflow.run(in: CuttingStore(store, .before(cut)), key: key)
                Issue.record("it must fail")
            } catch {
                #expect(error is CuttingStore.CutOff, "\(error)")
            }
            let kept = try store.stepsByName(of: RunID("mirror", key: key))
            for task in made.workflow.allTasks where task.isFinished {
                #expect(kept[task.name]?.state == .finished, "\(task.name)")
            }
            #expect(made.workflow.progress.executing == 0)
            #expect(try store.run(RunID("mirror", key: key))?.ending == nil)
        }
    }

    @Test("DR-17: a body that runs is told to stop when its begin can't be kept")
    func stopped() async throws {
        let store = CuttingStore(.memory(), .before(1))
        let workflow = Workflow("mirror")
        try workflow.add("waits") {
            await untilCancelled()
            try Task.checkCancellation()
        }
        await #expect(throws: CuttingStore.CutOff.self) { try await workflow.run(in: store, key: "k") }
    }

    // The clock stands still, so that a run which waits for a grace would never end.
    @Test("DR-17: a run doesn't wait for an end that can't be stored", .timeLimit(.minutes(5)))
    func nothingWaitedFor() async throws {
        for cut in (1...12).flatMap({ [CuttingStore.Cut.before($0), .after($0)] }) {
            let workflow = Workflow("mirror", options: WorkflowOptions(clock: ManualClock()))
            let list = try workflow.add("async") { () async in ["a", "b"] }
            try workflow.map("map", over: list, key: { $0 }) { $0.count }
            try workflow.map("async map", over: list, key: { $0 }) { text async in text.count }
            let inner = Workflow("inner")
            try inner.add("closure") { 1 }
            try inner.add("async") { () async in 2 }
            try workflow.add(SubworkflowTask(name: "sub", subworkflow: inner))
            try workflow.add("fails") { () async throws in throw Failure(description: "no") }
            _ = try? await workflow.run(in: CuttingStore(.memory(), cut), key: "k")
        }
    }

    @Test("DR-17: a run cancelled while its last body runs ends with that body", .timeLimit(.minutes(5)))
    func calledOffTwice() async throws {
        let workflow = Workflow("mirror", options: WorkflowOptions(clock: ManualClock()))
        let (began, gate) = (Gate(), Gate())
        let body = try workflow.add("body") {
            began.open()
            await gate.wait()
        }
        let store: any RunStore = .memory()
        let running = Task { try await workflow.run(in: store, key: "k") }
        await began.wait()
        body.task.reset()
        try body.task.start()
        body.task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try store.stepsByName(of: RunID("mirror", key: "k"))["body"]?.state == .cancelled)
    }

    @Test("a workflow that is changed before its run is open is told so, and not run")
    func changedTooEarly() async throws {
        struct Changing: ForwardingRunStore {
            let store: any RunStore
            let workflow: Workflow
            func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
                defer { workflow.cancel() }
                return try store.open(id, input: input, as: owner, at: now)
            }
        }
        let made = try mirror()
        let store = Changing(store: .memory(), workflow: made.workflow)
        do {
            try await made.workflow.run(in: store, key: "k")
            Issue.record("it must fail")
        } catch let error as DurableRunError {
            #expect(error.code == .notFresh)
        }
        #expect(bodies.count == 0)
    }

    @Test("a workflow that stands in line already, or waits for a condition, is told that it was started")
    func startedTooEarly() async throws {
        let pool = ConcurrencyPool("pool", capacity: 1)
        let gate = Gate()
        let other = Workflow("other")
        try other.add("holds", options: .init(pools: [pool: 1])) { await gate.wait() }
        let holding = Task { try await other.run() }
        await eventually { pool.free == 0 }
        let lined = Workflow("lined")
        try lined.add("waits", options: .init(pools: [pool: 1])) {}
        let open = Workflow("open")
        let condition = try open.addCondition("go", of: Bool.self)
        try open.add("gone", after: condition) { _ in }
        for workflow in [lined, open] {
            try workflow.start()
            await #expect("\(workflow.name)") {
                try await workflow.run(in: .memory(), key: "k")
            } throws: {
                ($0 as? DurableRunError)?.code == .notFresh
            }
        }
        gate.open()
        _ = try await holding.value
        condition.fulfill(with: true)
        for workflow in [lined, open] { #expect(try await workflow.run().ending == .finished) }
        #expect(pool.free == 1)
    }

    @Test("DR-19: a run that was cancelled stays so, with its reason")
    func cancelled() async throws {
        let store: any RunStore = .memory()
        let workflow = Workflow("mirror")
        let gate = Gate()
        try workflow.add("done") { 1 }
        try workflow.add("waits") { await gate.wait() }
        let done = try TaskRef<Int>(workflow.allTasks[0])
        let running = Task { try await workflow.run(in: store, key: "k") }
        _ = try await done.value
        workflow.cancel("the user went home")
        gate.open()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try store.run(id)?.ending == .cancelled("the user went home"))
        let second = Workflow("mirror")
        try second.add("done") { 1 }
        try second.add("waits") {}
        do {
            try await second.run(in: store, key: "k")
            Issue.record("it must stay cancelled")
        } catch let error as DurableRunError {
            #expect(error.code == .cancelled && "\(error)".contains("the user went home"))
        }
        let third = Workflow("mirror")
        try third.add("done") { 1 }
        try third.add("waits") {}
        let report = try await third.run(in: store, key: "k", retryingFailures: true)
        #expect(report.restored == ["done"] && report.executed == ["waits"])
    }

    @Test("DR-11: cancels, resets and retries within a run are kept, also of what had not begun")
    func messages() async throws {
        let store: any RunStore = .memory()
        let bodies = self.bodies
        func make(_ gate: Gate) throws -> (Workflow, [WorkflowTask]) {
            let workflow = Workflow("mirror")
            let first = try workflow.add("first") { bodies.record("first") }
            let waits = try workflow.add("waits", after: first) { _ in await gate.wait() }
            let after = try workflow.add("behind", after: waits) { _ in bodies.record("behind") }
            let last = try workflow.add("last", after: after) { _ in bodies.record("last") }
            return (workflow, [first.task, waits.task, after.task, last.task])
        }
        let gate = Gate()
        let (workflow, tasks) = try make(gate)
        let running = Task { try await workflow.run(in: store, key: "k") }
        await gate.waitForArrivals()
        tasks[3].reset()
        tasks[2].cancel()
        tasks[2].retry()
        tasks[2].reset()
        tasks[2].cancel()
        tasks[2].retry()
        tasks[0].reset()
        try tasks[0].start()
        gate.open()
        _ = try await running.value
        #expect(tasks.allSatisfy { $0.isFinished })
        let second = try make(gate)
        let report = try await second.0.run(in: store, key: "k")
        #expect(report.executed == [] && report.restored.count == 4)
    }

    @Test("DR-19, DR-62: a resumed run keeps a step cancelled that was cancelled before it began")
    func cancelledStep() async throws {
        let store: any RunStore = .memory()
        func make(_ gate: Gate) throws -> Workflow {
            let workflow = Workflow("mirror")
            let waits = try workflow.add("waits") { await gate.wait() }
            try workflow.add("behind", after: waits) { _ in }
            return workflow
        }
        let gate = Gate()
        let watched = CuttingStore(store)
        let workflow = try make(gate)
        let running = Task { try await workflow.run(in: watched, key: "k") }
        await gate.waitForArrivals()
        workflow.allTasks[1].cancel("not this one")
        await watched.kept.waitForCount(3)
        #expect(Set(watched.kept.values) == ["opened", "waits began", "behind cancelled"])
        running.cancel()
        await eventually { workflow.allTasks[0].isCancelled }
        gate.open()
        await #expect(throws: (any Error).self) { try await running.value }
        let second = try make(gate)
        await #expect(throws: CancellationError.self) { try await second.run(in: store, key: "k") }
        #expect(second.allTasks[0].isFinished && second.allTasks[1].isCancelled)
        let third = try make(gate)
        try await third.run(in: store, key: "k", retryingFailures: true)
    }

    @Test(
        "DR-16: a resumed wait before an attempt continues where it was, and never takes longer than planned",
        arguments: [0, 100_000])
    func backOff(_ setBack: Double) async throws {
        let store: any RunStore = .memory()
        let clock = ManualClock()
        let attempts = Recorder<Int>()
        func make(_ clock: ManualClock) throws -> Workflow {
            let workflow = Workflow("mirror", options: WorkflowOptions(clock: clock))
            let policy = RetryPolicy.constant(attempts: 2, delay: .seconds(3600), when: { _ in true })
            try workflow.add("flaky", options: TaskOptions(retry: policy)) { () throws -> Int in
                attempts.record(0)
                if attempts.count == 1 { throw Failure(description: "not yet") }
                return 7
            }
            return workflow
        }
        let first = try make(clock)
        let watched = CuttingStore(store)
        let running = Task { try await first.run(in: watched, key: "k") }
        await watched.kept.waitForCount(3)
        #expect(watched.kept.values == ["opened", "flaky began", "flaky waiting"])
        running.cancel()
        await #expect(throws: (any Error).self) { try await running.value }
        #expect(try store.stepsByName(of: id)["flaky"]?.state == .waiting)
        let later = ManualClock(start: clock.now.addingTimeInterval(600 - setBack))
        let second = try make(later)
        let again = Task { try await second.run(in: store, key: "k") }
        let rest = setBack == 0 ? 3000 : 3600
        await later.waitForScheduled(after: .seconds(rest))
        later.advance(by: .seconds(rest - 1))
        #expect(attempts.count == 1)
        later.advance(by: .seconds(1))
        #expect(try await again.value.executed == ["flaky"])
        #expect(try store.stepsByName(of: id)["flaky"]?.attempt == 2)
    }
}
