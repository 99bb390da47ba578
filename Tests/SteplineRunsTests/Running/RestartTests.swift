import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Restarts of durable runs", .timeLimit(.minutes(5)))
struct RestartTests {
    private struct Broken: Error {}
    private let id = RunID("mirror", key: "k")
    private let bodies = Recorder<String>()
    private let store: any RunStore = .memory()
    /// The stored links of a step without prerequisites.
    private let emptyLinks: UInt64 = 0xcbf2_9ce4_8422_2325 >> 1

    /// Leaves a run as a killed process does.
    private func leave(_ changes: (_ token: UInt64) -> [StepChange]) throws {
        let owner = RunOwner(since: .now)
        let run = try store.open(id, input: nil, as: owner, at: .now)
        #expect(try run.write(changes(owner.token)).isEmpty)
        run.close()
    }

    private func pages(_ list: [String] = ["/a", "/b"]) throws -> Workflow {
        let workflow = Workflow("mirror")
        let bodies = self.bodies
        let index = try workflow.add("index") { list }
        try workflow.map("page", over: index, key: { $0 }) { page in bodies.record(page) }
        return workflow
    }

    // MARK: Added tasks

    @Test("DR-13: a body that adds a task to a durable run fails, and the error names its step")
    func added() async throws {
        let workflow = Workflow("mirror")
        try workflow.add("spread") { [unowned workflow] in
            _ = try workflow.add("late") { 1 }
        }
        await #expect(throws: WorkflowError.self) { try await workflow.run(in: store, key: "k") }
        let error = workflow.allTasks[0].error as? WorkflowError
        #expect(error?.code == .addedDuringRun && error?.subject == "late")
        #expect(
            "\(error.map { "\($0)" } ?? "")".contains(
                "the body of spread added it to the durable run of mirror"))
        #expect(workflow.allTasks.count == 1)
        #expect(try store.stepsByName(of: id)["spread"]?.state == .failed)
    }

    // MARK: Deadlines

    @Test("DR-13, WF-80: a deadline that passes between two attempts is kept, and the step isn't run again")
    func deadlineBetweenAttempts() async throws {
        let clock = ManualClock()
        func make() throws -> Workflow {
            let workflow = Workflow("mirror", options: WorkflowOptions(clock: clock))
            let policy = RetryPolicy.constant(
                attempts: 9, delay: .seconds(100), cap: .seconds(100), when: { _ in true })
            let bodies = self.bodies
            try workflow.add("a", options: TaskOptions(retry: policy, deadline: .seconds(10))) {
                bodies.record("a")
                throw Broken()
            }
            return workflow
        }
        let run = Task { try await make().run(in: store, key: "k") }
        await clock.waitForScheduled(after: .seconds(100))
        clock.advance(by: .seconds(10))
        await #expect(throws: WorkflowError.self) { try await run.value }
        let step = try store.stepsByName(of: id)["a"]
        #expect(step?.state == .failed && step?.failure?.message.contains("10") == true)
        await #expect(throws: WorkflowError.self) { try await make().run(in: store, key: "k") }
        #expect(bodies.values == ["a"])
    }

    // MARK: Interruptions

    @Test("DR-14: a map and a subworkflow don't count kills of their process, as they have no body")
    func composites() async throws {
        let inner = Workflow("inner")
        try inner.add("one") { 1 }
        let workflow = try pages()
        try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner))
        try leave { token in
            ["page", "inner"].map {
                StepChange(.began, of: $0, attempt: 1, token: token, at: .now, interruptions: 2)
            }
        }
        let cutting = CuttingStore(store)
        let report = try await workflow.run(in: cutting, key: "k")
        #expect(Set(report.executed) == ["index", "page[/a]", "page[/b]", "page", "inner/one", "inner"])
        let begins = cutting.kept.values.filter { $0.hasSuffix(" began") }
        #expect(begins.contains("inner/one began") && !begins.contains("inner began"))
        #expect(!begins.contains("page began"))
    }

    @Test("DR-14: an element that ended its process 3 times fails in its own name, and isn't run again")
    func element() async throws {
        try leave { token in
            [
                StepChange(
                    .finished(Data(#"["/a","/b"]"#.utf8)), of: "index", attempt: 1, token: token, at: .now,
                    links: emptyLinks),
                StepChange(
                    .began, of: "page[/a]", attempt: 3, token: token, at: .now, links: emptyLinks,
                    interruptions: 2),
            ]
        }
        for _ in 0..<2 {
            let workflow = try pages()
            await #expect(throws: WorkflowError.self) { try await workflow.run(in: store, key: "k") }
            let steps = try store.stepsByName(of: id)
            let failure = steps["page[/a]"]?.failure
            #expect(failure?.code == "interruptedTooOften" && failure?.subject == "page[/a]")
            #expect(steps["page[/a]"]?.state == .failed && steps["page[/b]"]?.state == .finished)
            #expect(steps["page"]?.failure?.code == "WorkflowError")
            #expect(bodies.values == ["/b"])
        }
        try await pages().run(in: store, key: "k", retryingFailures: true)
        #expect(bodies.values == ["/b", "/a"])
    }

    @Test("DR-14: a step and an element that ended their process 3 times run again if failures are retried")
    func retriedInterruptions() async throws {
        try leave { token in
            [
                StepChange(
                    .began, of: "index", attempt: 3, token: token, at: .now, links: emptyLinks,
                    interruptions: 2)
            ]
        }
        let first = try await pages().run(in: store, key: "k", retryingFailures: true)
        #expect(Set(first.executed) == ["index", "page[/a]", "page[/b]", "page"])
        _ = try store.forget(id)
        try leave { token in
            [
                StepChange(
                    .finished(Data(#"["/a","/b"]"#.utf8)), of: "index", attempt: 1, token: token, at: .now,
                    links: emptyLinks),
                StepChange(
                    .began, of: "page[/a]", attempt: 3, token: token, at: .now, links: emptyLinks,
                    interruptions: 2),
            ]
        }
        let report = try await pages().run(in: store, key: "k", retryingFailures: true)
        #expect(Set(report.executed) == ["page[/a]", "page[/b]", "page"])
    }

    @Test("DR-15: an element that failed for good before its map was killed stands")
    func failedElement() async throws {
        try leave { token in
            [
                StepChange(
                    .finished(Data(#"["/a","/b"]"#.utf8)), of: "index", attempt: 1, token: token, at: .now,
                    links: emptyLinks),
                StepChange(
                    .failed(StepFailure(code: "Broken", message: "down")), of: "page[/a]", attempt: 1,
                    token: token, at: .now, links: emptyLinks),
            ]
        }
        await #expect(throws: WorkflowError.self) { try await pages().run(in: store, key: "k") }
        #expect(bodies.values == ["/b"])
        #expect(try store.stepsByName(of: id)["page[/a]"]?.failure?.message == "down")
    }

    @Test("DR-16: attempts before a kill count, also of elements", arguments: [false, true])
    func attempts(ofElement: Bool) async throws {
        let clock = ManualClock()
        func make() throws -> Workflow {
            let workflow = Workflow("mirror", options: WorkflowOptions(clock: clock))
            let bodies = self.bodies
            let options = TaskOptions(retry: .constant(attempts: 4, delay: .seconds(60), when: { _ in true }))
            let body: @Sendable () throws -> Int = {
                bodies.record("body")
                throw Broken()
            }
            guard ofElement else {
                try workflow.add("page", options: options, body: body)
                return workflow
            }
            let list = try workflow.add("list") { ["a"] }
            try workflow.map("page", over: list, options: options) { _ in try body() }
            return workflow
        }
        for count in 1...2 {
            let watched = CuttingStore(store)
            let workflow = try make()
            let run = Task { try await workflow.run(in: watched, key: "k") }
            if count == 2 {
                await clock.waitForScheduled(after: .seconds(40))
                clock.advance(by: .seconds(40))
            }
            await clock.waitForScheduled(after: .seconds(60))
            // The end of the wait is read off the clock as it is kept.
            await eventually {
                let step = try? store.stepsByName(of: id)[ofElement ? "page[a]" : "page"]
                return step?.state == .waiting && step?.attempt == count
            }
            clock.advance(by: .seconds(20))
            run.cancel()
            _ = await run.result
            #expect(bodies.count == count)
        }
        let last = try make()
        let run = Task { try await last.run(in: store, key: "k") }
        await clock.waitForScheduled(after: .seconds(40))
        clock.advance(by: .seconds(40))
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(60))
        await #expect(throws: WorkflowError.self) { try await run.value }
        #expect(bodies.count == 4)
    }

    @Test("DR-16: failures before an interrupted attempt count, also of elements", arguments: [false, true])
    func interruptedAttempt(ofElement: Bool) async throws {
        let began = OneShot<Void>()
        func make(isStopped: Bool) throws -> Workflow {
            let workflow = Workflow("mirror")
            let bodies = self.bodies
            let options = TaskOptions(retry: .constant(attempts: 2, delay: .zero, when: { _ in true }))
            let body: @Sendable () async throws -> Int = {
                bodies.record("body")
                guard isStopped, bodies.count == 2 else { throw Broken() }
                began.fulfill(())
                await untilCancelled()
                throw CancellationError()
            }
            guard ofElement else {
                try workflow.add("page", options: options) { () async throws -> Int in try await body() }
                return workflow
            }
            let list = try workflow.add("list") { ["a"] }
            try workflow.map("page", over: list, options: options) { _ in try await body() }
            return workflow
        }
        let first = try make(isStopped: true)
        let run = Task { try await first.run(in: store, key: "k") }
        await began.value
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        let name = ofElement ? "page[a]" : "page"
        let step = try store.stepsByName(of: id)[name]
        #expect(step?.state == .pending && step?.failures == 1)
        await #expect(throws: WorkflowError.self) {
            try await make(isStopped: false).run(in: store, key: "k")
        }
        #expect(bodies.count == 3)
        // A retry by hand has a full budget.
        await #expect(throws: WorkflowError.self) {
            try await make(isStopped: false).run(in: store, key: "k", retryingFailures: true)
        }
        #expect(bodies.count == 5)
    }

    @Test("DR-13, DR-62: an interruption after a failure leaves the run without an ending, and it is resumed")
    func interruptedAfterFailure() async throws {
        let began = OneShot<Void>()
        func make(isStopped: Bool) throws -> (workflow: Workflow, failing: TaskRef<Int>) {
            let workflow = Workflow("mirror")
            let bodies = self.bodies
            let failing = try workflow.add("failing") { () throws -> Int in
                bodies.record("failing")
                throw Broken()
            }
            let slow = try workflow.add("slow") { () async throws -> Int in
                guard isStopped else {
                    bodies.record("slow")
                    return 1
                }
                began.fulfill(())
                await untilCancelled()
                throw CancellationError()
            }
            try workflow.add("after", after: slow) { _ in bodies.record("after") }
            return (workflow, failing)
        }
        let first = try make(isStopped: true)
        let run = Task { try await first.workflow.run(in: store, key: "k") }
        await began.value
        _ = try? await first.failing.value
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try store.run(id)?.ending == nil)
        let steps = try store.stepsByName(of: id)
        #expect(steps["failing"]?.state == .failed && steps["slow"]?.state == .pending)
        await #expect(throws: WorkflowError.self) {
            try await make(isStopped: false).workflow.run(in: store, key: "k")
        }
        #expect(bodies.values == ["failing", "slow", "after"])
        #expect(try store.run(id)?.ending == .failed)
    }

    /// Runs a workflow until an attempt of a step waits for a time, and interrupts it after a closure.
    private func interrupt(
        _ workflow: Workflow, attempt: Int, at name: String, waiting time: Duration, _ clock: ManualClock,
        after act: () -> Void
    ) async throws {
        let run = Task { try await workflow.run(in: store, key: "k") }
        await clock.waitForScheduled(after: time)
        // An interruption counts after the begin is kept.
        try await eventually {
            let step = try store.stepsByName(of: id)[name]
            return step?.state == .running && step?.attempt == attempt
        }
        act()
        run.cancel()
        _ = await run.result
    }

    @Test(
        "DR-16: the time-out of a condition goes on through interruptions, and while no process has the run")
    func conditionTimeout() async throws {
        let clock = ManualClock()
        func make() throws -> Workflow {
            let workflow = Workflow("mirror", options: WorkflowOptions(clock: clock))
            let answer = ExternalConditionTask(
                name: "answer", of: Int.self, options: TaskOptions(timeout: .seconds(100)))
            try workflow.add(answer)
            return workflow
        }
        for (number, left) in [100, 70, 40].enumerated() {
            try await interrupt(try make(), attempt: number + 1, at: "answer", waiting: .seconds(left), clock)
            {
                clock.advance(by: .seconds(20))
            }
            clock.advance(by: .seconds(10))
        }
        let workflow = try make()
        let run = Task { try await workflow.run(in: store, key: "k") }
        await clock.waitForScheduled(after: .seconds(10))
        clock.advance(by: .seconds(10))
        await #expect(throws: WorkflowError.self) { try await run.value }
        #expect(try store.stepsByName(of: id)["answer"]?.state == .failed)
        // A retry by hand waits for the whole time.
        let again = try make()
        let retry = Task { try await again.run(in: store, key: "k", retryingFailures: true) }
        await clock.waitForScheduled(after: .seconds(100))
        (again.allTasks[0] as? ExternalConditionTask)?.fulfill(with: 1)
        _ = try await retry.value
        #expect(try store.result(of: "answer", in: id, as: Int.self) == 1)
    }

    @Test("DR-16: a delay goes on through interruptions, and may end while no process has the run")
    func delay() async throws {
        let clock = ManualClock()
        func make() throws -> Workflow {
            let workflow = Workflow("mirror", options: WorkflowOptions(clock: clock))
            let bodies = self.bodies
            let pause = try workflow.addDelay("pause", .seconds(6 * 3600))
            try workflow.add("remind", after: pause) { _ in bodies.record("remind") }
            return workflow
        }
        for (number, hours) in [6, 4].enumerated() {
            try await interrupt(
                try make(), attempt: number + 1, at: "pause", waiting: .seconds(hours * 3600), clock
            ) {
                clock.advance(by: .seconds(3600))
            }
            clock.advance(by: .seconds(3600))
        }
        #expect(bodies.count == 0)
        clock.advance(by: .seconds(24 * 3600))
        let last = try make()
        let run = Task { try await last.run(in: store, key: "k") }
        await clock.waitForScheduled(after: .zero)
        clock.advance(by: .zero)
        _ = try await run.value
        #expect(bodies.values == ["remind"])
        #expect(try store.stepsByName(of: id)["pause"]?.state == .finished)
        let again = try await make().run(in: store, key: "k")
        #expect(again.executed.isEmpty)
    }

    @Test("DR-20: a signal ends a delay before its time")
    func signalledDelay() async throws {
        try leave { _ in [] }
        let workflow = Workflow("mirror", options: WorkflowOptions(clock: ManualClock()))
        try workflow.addDelay("pause", .seconds(3600))
        #expect(throws: DurableRunError.self) {
            try workflow.fulfill("pause", with: 1, in: store, key: "k")
        }
        #expect(try workflow.fulfill("pause", in: store, key: "k"))
        try await workflow.run(in: store, key: "k")
    }

    // MARK: Changes inside

    private func nested(_ version: Int, isInserted: Bool = false) throws -> Workflow {
        let (workflow, middle, inner) = (Workflow("mirror"), Workflow("middle"), Workflow("inner"))
        let bodies = self.bodies
        let first = try inner.add("first") { bodies.record("first") }
        let second = try inner.add("second", options: TaskOptions(version: version)) {
            bodies.record("second")
        }
        try inner.add("third", afterAll: [first, second]) { _ in bodies.record("third") }
        if isInserted { try inner.add("new") { bodies.record("new") } }
        try middle.add(SubworkflowTask(name: "inner", subworkflow: inner))
        let around = SubworkflowTask(name: "middle", subworkflow: middle)
        try workflow.add(around)
        try workflow.add("before") { bodies.record("before") }
        try workflow.add(
            BlockTask(name: "last") { attempt in
                bodies.record("last")
                attempt.finish()
            }, prerequisites: [around])
        return workflow
    }

    @Test("DR-5, DR-6: another version or a new task inside a finished subworkflow runs with its dependents")
    func versionInside() async throws {
        try await nested(1).run(in: store, key: "k")
        #expect(bodies.count == 5)
        let report = try await nested(2).run(in: store, key: "k")
        #expect(
            report.executed == [
                "middle/inner/second", "middle/inner/third", "middle/inner", "middle", "last",
            ])
        #expect(report.restored == ["before", "middle/inner/first"])
        #expect(try await nested(2).run(in: store, key: "k").executed == [])
        let inserted = try await nested(2, isInserted: true).run(in: store, key: "k")
        #expect(inserted.executed == ["middle/inner/new", "middle/inner", "middle", "last"])
    }

    @Test("DR-5: another version of a map runs its elements again, and what follows")
    func versionOfMap() async throws {
        func make(_ version: Int) throws -> Workflow {
            let workflow = Workflow("mirror")
            let list = try workflow.add("list") { ["a", "b"] }
            let pages = try workflow.map(
                "page", over: list, options: TaskOptions(version: version), key: { $0 }
            ) {
                "\($0)\(version)"
            }
            try workflow.add("text", after: pages) { $0.joined() }
            return workflow
        }
        try await make(1).run(in: store, key: "k")
        let second = try make(2)
        let report = try await second.run(in: store, key: "k")
        #expect(Set(report.executed) == ["page[a]", "page[b]", "page", "text"])
        #expect(second.allTasks.last?.result as? String == "a2b2")
        #expect(try await make(2).run(in: store, key: "k").executed == [])
    }

    // MARK: Lists and types

    @Test("DR-4: an element that moves in a static list is run for what stands there now")
    func movedElements() async throws {
        func make(_ list: [String]) throws -> (Workflow, TaskRef<[String]>) {
            let workflow = Workflow("mirror")
            let bodies = self.bodies
            let parts = try workflow.map("page", over: list) { element -> String in
                bodies.record(element)
                return element.uppercased()
            }
            return (workflow, parts)
        }
        try await make(["a", "b"]).0.run(in: store, key: "k")
        let (second, parts) = try make(["x", "a", "b"])
        try await second.run(in: store, key: "k")
        #expect(try parts.readValue() == ["X", "A", "B"])
        let (third, same) = try make(["x", "a", "b"])
        #expect(try await third.run(in: store, key: "k").executed == [])
        #expect(try same.readValue() == ["X", "A", "B"])
    }

    @Test("DR-5: a result of another type is made again, with what follows it, and the report names the step")
    func otherType() async throws {
        func make<Value: Codable & Sendable>(_ value: Value) throws -> Workflow {
            let workflow = Workflow("mirror")
            let first = try workflow.add("first") { value }
            try workflow.add("second", after: first) { "\($0)" }
            return workflow
        }
        try await make(5).run(in: store, key: "k")
        let report = try await make("five").run(in: store, key: "k")
        #expect(report.unreadable == ["first"] && report.executed == ["first", "second"])
        #expect(try await make("five").run(in: store, key: "k").executed == [])
        let list = try await make([1, 2]).run(in: store, key: "k")
        #expect(list.unreadable == ["first"])
        #expect(try await make(Set([1])).run(in: store, key: "k").unreadable == ["first"])
    }

    private struct Page: Codable, Sendable {
        var title: String
        /// Is nil in what an older program has kept.
        var size: Int?

        init() { title = "new" }

        init(from decoder: any Decoder) throws {
            title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        }
    }

    @Test(
        "DR-2: a last result that the type can't read any more is made again, and the report names the step")
    func otherProperties() async throws {
        try leave { token in
            let links = emptyLinks
            return ["one", "two"].map { name in
                StepChange(
                    .finished(Data(#"{"name":"old"}"#.utf8)), of: name, attempt: 1, token: token, at: .now,
                    links: links)
            }
        }
        let workflow = Workflow("mirror")
        let one = try workflow.add("one") { Page() }
        let two = try workflow.add("two") { Page() }
        let report = try await workflow.run(in: store, key: "k")
        #expect(report.unreadable == ["one", "two"] && Set(report.executed) == ["one", "two"])
        #expect(try one.readValue().title == "new" && two.readValue().title == "new")
    }

    @Test("DR-2: an element whose key makes a name of over 1 KiB fails its map before a body runs")
    func longKey() async throws {
        let long = String(repeating: "k", count: 3000)
        await #expect(throws: WorkflowError.self) { try await pages(["/a", long]).run(in: store, key: "k") }
        #expect(bodies.count == 0)
        let failure = try store.stepsByName(of: id)["page"]?.failure
        #expect(failure?.message.contains("makes a name of over 1 KiB") == true)
    }

    @Test("DR-5: a version above 32 bits stands")
    func largeVersion() async throws {
        for count in 0..<2 {
            let workflow = Workflow("mirror")
            try workflow.add("one", options: TaskOptions(version: 202_611_221_530)) { 1 }
            #expect(try await workflow.run(in: store, key: "k").executed.count == (count == 0 ? 1 : 0))
        }
    }

    // MARK: Signals

    private func review() throws -> (Workflow, TaskRef<Bool>) {
        let workflow = Workflow("mirror")
        let approved = try workflow.addCondition("approved", of: Bool.self)
        return (workflow, try workflow.add("published", after: approved) { $0 })
    }

    @Test("DR-20: a signal for no condition, or of another type, is refused with names and types")
    func wrongSignal() async throws {
        try leave { _ in [] }
        let (workflow, published) = try review()
        for name in ["aproved", "published"] {
            let error = #expect(throws: DurableRunError.self) {
                try workflow.fulfill(name, with: true, in: store, key: "k")
            }
            #expect(error?.code == .invalidSignal)
            #expect(
                "\(error.map { "\($0)" } ?? "")".contains("mirror has no condition \(name); it has approved"))
        }
        let error = #expect(throws: DurableRunError.self) {
            try workflow.fulfill("approved", with: "yes", in: store, key: "k")
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("expects Swift.Bool, got a String"))
        #expect(throws: DurableRunError.self) { try workflow.fulfill("approved", in: store, key: "k") }
        #expect(try workflow.fulfill("approved", with: true, in: store, key: "k"))
        try await workflow.run(in: store, key: "k")
        #expect(try published.readValue())
    }

    @Test("DR-20: a wrong signal in a store ends the run with its name and type, and can be withdrawn")
    func withdrawnSignal() async throws {
        try leave { _ in [] }
        #expect(try store.send(.fulfil(condition: "approved", Data(#""yes""#.utf8)), to: id, at: .now))
        let error = await #expect(throws: DurableRunError.self) {
            try await review().0.run(in: store, key: "k")
        }
        #expect(
            "\(error.map { "\($0)" } ?? "")".contains(
                #"approved: the condition expects Swift.Bool, got "yes""#))
        #expect(try store.withdraw(condition: "approved", of: id))
        #expect(try !store.withdraw(condition: "approved", of: id))
        let (workflow, published) = try review()
        try workflow.fulfill("approved", with: true, in: store, key: "k")
        try await workflow.run(in: store, key: "k")
        #expect(try published.readValue())
    }
}
