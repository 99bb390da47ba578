import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

/// The records of a run beside results, and the time when they are kept.
@Suite("Results and histories that durable runs keep", .timeLimit(.minutes(5)))
struct KeepingTests {
    private let bodies = Recorder<String>()

    /// A list that isn't kept, made from a number that is; sums of it, of which the last may fail.
    private func sums(failing: Bool, list: TaskOptions = .init(isRecomputed: true)) throws -> Workflow {
        let bodies = self.bodies
        let workflow = Workflow("sums")
        let count = try workflow.add("count") {
            bodies.record("count")
            return 3
        }
        // Not Codable, and none the worse for it.
        let made = try workflow.add("list", after: count, options: list) { count in
            bodies.record("list")
            return (0..<count).map { Opaque(value: $0) }
        }
        try workflow.add("sum", after: made) { list in
            bodies.record("sum")
            return list.map(\.value).reduce(0, +)
        }
        let last = try workflow.add("product", after: made) { list in
            bodies.record("product")
            if failing { throw Failure() }
            return list.map(\.value).reduce(1, *)
        }
        try workflow.add("end", after: last) { bodies.record("end \($0)") }
        return workflow
    }

    private struct Opaque: Sendable { let value: Int }
    private struct Failure: Error {}

    @Test("DR-2: a result that is recomputed may be of any type, and is made again only for who needs it")
    func recomputed() async throws {
        let store: any RunStore = .memory()
        #expect(try sums(failing: false).checkDurability().isEmpty)
        #expect(try sums(failing: false, list: .init()).checkDurability().map(\.code) == [.notStorable])
        await #expect(throws: WorkflowError.self) { try await sums(failing: true).run(in: store, key: "k") }
        #expect(bodies.values.sorted() == ["count", "list", "product", "sum"])
        let report = try await sums(failing: false).run(in: store, key: "k", retryingFailures: true)
        #expect(report.restored == ["count", "sum"])
        #expect(report.executed == ["list", "product", "end"])
        #expect(bodies.values.suffix(3) == ["list", "product", "end 0"])
        let steps = try store.stepsByName(of: RunID("sums", key: "k"))
        #expect(steps["list"]?.attempt == 1 && steps["list"]?.resultSize == nil)
        let last = try await sums(failing: false).run(in: store, key: "k")
        #expect(last.executed == [] && last.restored.count == 5)
        #expect(bodies.count == 7)
    }

    @Test("DR-2: a result that is recomputed, cut off at each write, changes nothing of the end")
    func recomputedAndCut() async throws {
        for number in 1...12 {
            let store: any RunStore = .memory()
            for cut in [CuttingStore.Cut.after(number), .before(number), .never] {
                _ = try? await sums(failing: false).run(in: CuttingStore(store, cut), key: "k")
            }
            let steps = try store.stepsByName(of: RunID("sums", key: "k"))
            #expect(steps.count == 5 && steps.values.allSatisfy { $0.state == .finished }, "cut at \(number)")
            let ends = bodies.values.filter { $0.hasPrefix("end") }
            #expect(ends.allSatisfy { $0 == "end 0" })
        }
    }

    @Test("DR-10: with isRelaxed, dependents begin before the result is kept, and all is kept at the end")
    func relaxed() async throws {
        let store: any RunStore = .memory()
        let id = RunID("relaxed", key: "k")
        let workflow = Workflow("relaxed", options: .init(isRelaxed: true))
        let seen = Recorder<Int>()
        var previous = try workflow.add("0") { 0 }
        for number in 1..<200 {
            previous = try workflow.add("\(number)", after: previous) { value in
                let kept = try store.stepsByName(of: id).values.count { $0.state == .finished }
                seen.record(value + 1 - kept)
                return value + 1
            }
        }
        let report = try await workflow.run(in: store, key: "k")
        #expect(report.executed.count == 200)
        #expect(try store.stepsByName(of: id).values.allSatisfy { $0.state == .finished })
        #expect(seen.values.contains { $0 > 0 }, "at least one began before what it follows was kept")
    }

    @Test("DR-10: with isRelaxed, what was not kept is run again, with all that followed from it")
    func relaxedAndCut() async throws {
        for number in 1...6 {
            let store: any RunStore = .memory()
            func chain() throws -> (workflow: Workflow, last: TaskRef<Int>) {
                let workflow = Workflow("relaxed", options: .init(isRelaxed: true))
                var previous = try workflow.add("0") { 0 }
                for number in 1..<50 {
                    previous = try workflow.add("\(number)", after: previous) { $0 + 1 }
                }
                return (workflow, previous)
            }
            _ = try? await chain().workflow.run(in: CuttingStore(store, .before(number)), key: "k")
            let second = try chain()
            let report = try await second.workflow.run(in: store, key: "k")
            #expect(try second.last.readValue() == 49)
            #expect(Set(report.restored).isDisjoint(with: report.executed))
            #expect(report.restored.count + report.executed.count == 50)
        }
    }

    @Test("DR-2, DR-10: with isRelaxed, a result that can't be kept fails the run, as the task is over")
    func relaxedAndOpaque() async throws {
        let workflow = Workflow("relaxed", options: .init(isRelaxed: true))
        let task = HiddenResult(name: "hidden")
        try workflow.add(task)
        await #expect {
            try await workflow.run(in: .memory(), key: "k")
        } throws: {
            ($0 as? DurableRunError)?.code == .notStorable
        }
    }

    private final class HiddenResult: WorkflowTask, @unchecked Sendable {
        override func run() async throws -> (any Sendable)? { Opaque(value: 1) }
    }

    @Test("DR-18: a second run is refused with the owner's process, or waits and runs no finished step")
    func waited() async throws {
        let store: any RunStore = .memory()
        let gate = Gate()
        let begun = Gate()
        let bodies = self.bodies
        @Sendable func make(_ clock: any StepClock = .system) throws -> Workflow {
            let workflow = Workflow("waited", options: .init(clock: clock))
            try workflow.add("work") { () async in
                bodies.record("work")
                begun.open()
                await gate.wait()
            }
            return workflow
        }
        async let first = make().run(in: store, key: "k")
        await begun.wait()
        let refusal = await #expect(throws: RunStoreError.self) { try await make().run(in: store, key: "k") }
        let process = Int(ProcessInfo.processInfo.processIdentifier)
        #expect(refusal?.code == .inProgress && refusal?.owner?.process == process)
        let clock = ManualClock()
        async let second = make(clock).run(in: store, key: "k", ifInProgress: .wait)
        await clock.waitForScheduled(after: .seconds(1))
        gate.open()
        #expect(try await first.executed == ["work"])
        clock.advance(by: .seconds(1))
        let report = try await second
        #expect(report.executed == [] && report.restored == ["work"] && bodies.count == 1)
    }

    @Test(
        "DR-18: of two runs of one workflow at once the later is refused, and the other's steps are kept all the same"
    )
    func twoRuns() async throws {
        let store: any RunStore = .memory()
        let busy = try store.open(
            RunID("twice", key: "later"), input: nil, as: RunOwner(since: Date()), at: Date())
        let clock = ManualClock()
        let gate = Gate(), begun = Gate()
        let workflow = Workflow("twice", options: .init(clock: clock))
        let first = try workflow.add("first") { () async in
            begun.open()
            await gate.wait()
        }
        try workflow.add("second", after: first) { _ in }
        async let later = workflow.run(in: store, key: "later", ifInProgress: .wait)
        await clock.waitForScheduled(after: .seconds(1))
        async let sooner = workflow.run(in: store, key: "sooner")
        await begun.wait()
        // The later one has looked before, and found that nothing had begun.
        busy.close()
        clock.advance(by: .seconds(1))
        do {
            _ = try await later
            Issue.record("it must be refused")
        } catch let error as DurableRunError {
            #expect(error.code == .notFresh)
        }
        gate.open()
        #expect(try await sooner.executed == ["first", "second"])
        let kept = try store.stepsByName(of: RunID("twice", key: "sooner"))
        #expect(kept.mapValues(\.state) == ["first": .finished, "second": .finished])
    }

    @Test("DR-18: waiting for a run's owner can be cancelled")
    func waitEnded() async throws {
        let store: any RunStore = .memory()
        let owner = try store.open(
            RunID("waited", key: "k"), input: nil, as: RunOwner(since: Date()), at: Date())
        let clock = ManualClock()
        let waiting = Task {
            try await Workflow("waited", options: .init(clock: clock))
                .run(in: store, key: "k", ifInProgress: .wait)
        }
        await clock.waitForScheduled(after: .seconds(1))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        owner.close()
    }

    @Test("DR-12: each body knows a key that its step has in each attempt and process, and no other step has")
    func idempotencyKeys() async throws {
        let seen = Recorder<String>()
        @Sendable func note(_ step: String, _ key: String?) { seen.record("\(step) \(key ?? "none")") }
        @Sendable func make(failing: Bool) throws -> Workflow {
            let workflow = Workflow("keys")
            let attempts = Recorder<Int>()
            let retry = TaskOptions(retry: .constant(attempts: 2, delay: .zero, when: { _ in true }))
            try workflow.add("closure") { note("closure", TaskAttempt.idempotencyKey) }
            try workflow.add("async", options: retry) { () async throws in
                attempts.record(1)
                note("async", TaskAttempt.idempotencyKey)
                if attempts.count == 1 || failing { throw Failure() }
            }
            try workflow.add(
                BlockTask(name: "block") { attempt in
                    note("block", attempt.idempotencyKey)
                    note("block", TaskAttempt.idempotencyKey)
                    attempt.finish()
                })
            let list = try workflow.add("list") { ["a", "b"] }
            try workflow.map("element", over: list, key: { $0 }) { element in
                note("element \(element)", TaskAttempt.idempotencyKey)
            }
            return workflow
        }
        try await make(failing: false).run()
        #expect(seen.values.allSatisfy { $0.hasSuffix(" none") })
        let plain = seen.count
        let store: any RunStore = .memory()
        _ = try? await make(failing: true).run(in: store, key: "k")
        try await make(failing: false).run(in: store, key: "k", retryingFailures: true)
        let keys = seen.values.dropFirst(plain)
        #expect(keys.count == 9, "\(keys)")
        // Five steps have told of theirs, whatever the attempt.
        #expect(Set(keys).count == 5)
        let texts = Set(keys.compactMap { $0.split(separator: " ").last })
        #expect(texts.count == 5 && texts.allSatisfy { $0.utf8.count == 32 })
        try await make(failing: false).run(in: store, key: "l")
        let others = seen.values.dropFirst(plain + keys.count).compactMap { $0.split(separator: " ").last }
        #expect(texts.isDisjoint(with: others))
        #expect(TaskAttempt.idempotencyKey == nil)
    }

    @Test("DR-2: a map whose body returns nothing is stored, too")
    func nothings() async throws {
        let store: any RunStore = .memory()
        let bodies = self.bodies
        func make(_ failing: Bool) throws -> Workflow {
            let workflow = Workflow("nothings")
            let list = try workflow.add("list") { [1, 2, 3] }
            let each = try workflow.map("each", over: list) { bodies.record("\($0)") }
            try workflow.add("end", after: each) { nothings in
                if failing { throw Failure() }
                bodies.record("\(nothings.count) nothings")
            }
            return workflow
        }
        await #expect(throws: WorkflowError.self) { try await make(true).run(in: store, key: "k") }
        let report = try await make(false).run(in: store, key: "k", retryingFailures: true)
        #expect(report.executed == ["end"] && bodies.values.last == "3 nothings")
    }

    @Test("DR-22: a declared file that is gone or differs makes its step run again, with all downstream")
    func produces() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "produces-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "file"), other = folder.appending(path: "other")
        let bodies = self.bodies
        func make() throws -> Workflow {
            let workflow = Workflow("files")
            let written = try workflow.add("write", options: .init(produces: [file])) {
                bodies.record("write")
                try Data("text".utf8).write(to: file)
                return 4
            }
            try workflow.add("other", options: .init(produces: [other])) {
                bodies.record("other")
                try Data("more".utf8).write(to: other)
            }
            try workflow.add("read", after: written) { count in
                bodies.record("read")
                return try Data(contentsOf: file).prefix(count)
            }
            return workflow
        }
        let store: any RunStore = .memory()
        try await make().run(in: store, key: "k")
        let again = try await make().run(in: store, key: "k")
        #expect(again.executed == [] && again.restored.count == 3)
        try Data("next".utf8).write(to: file)
        let changed = try await make().run(in: store, key: "k")
        #expect(changed.executed == ["write", "read"] && changed.restored == ["other"])
        #expect(try Data(contentsOf: file) == Data("text".utf8))
        try FileManager.default.removeItem(at: other)
        let gone = try await make().run(in: store, key: "k")
        #expect(gone.executed == ["other"] && gone.unreadable == ["other"])
        #expect(bodies.count == 3 + 2 + 1)
    }

    @Test("DR-2, DR-22: the files of a step that is recomputed are looked for as well")
    func recomputedFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "recomputed-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let store: any RunStore = .memory()
        func make() throws -> Workflow {
            let workflow = Workflow("files")
            let made = try workflow.add("make", options: .init(isRecomputed: true, produces: [file])) {
                try Data("text".utf8).write(to: file)
                return Opaque(value: 4)
            }
            try workflow.add("use", after: made) { $0.value }
            return workflow
        }
        try await make().run(in: store, key: "k")
        #expect(try await make().run(in: store, key: "k").executed == [])
        try FileManager.default.removeItem(at: file)
        #expect(try await make().run(in: store, key: "k").executed == ["make", "use"])
    }

    @Test("DR-22: a step that hasn't made the file that it declares has failed")
    func notProduced() async throws {
        let workflow = Workflow("files")
        let file = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID())")
        let task = try workflow.add("write", options: .init(produces: [file])) { 1 }
        await #expect(throws: WorkflowError.self) { try await workflow.run(in: .memory(), key: "k") }
        #expect((task.task.error as? DurableRunError)?.code == .notStorable)
    }
}
