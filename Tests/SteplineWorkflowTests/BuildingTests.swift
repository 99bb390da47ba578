import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BuildingTests {
    @Test(
        "WF-29, WF-35: prerequisites and their results keep the given order, dependents the order of adding"
    )
    func relations() async throws {
        let workflow = Workflow()
        let first = try workflow.add(named("first"))
        let second = try workflow.add(named("second"))
        let third = try workflow.add(
            BlockTask(name: "third") {
                $0.finish(with: $0.allPrerequisiteResults.map { $0 as? String ?? "" })
            }, prerequisites: [second, first, second])
        #expect(third.workflow === workflow && third.isPending && first.isReady)
        #expect(third.prerequisites == [second, first] && third.unkeyedPrerequisites == [second, first])
        #expect(first.dependents == [third] && second.dependents == [third])
        #expect(workflow.prerequisites(of: third) == [second, first])
        #expect(workflow.dependents(of: first) == [third])
        #expect(workflow.allTasks == [first, second, third])
        #expect(workflow.tasksWithNoPrerequisites == [first, second])
        #expect(workflow.tasksWithNoDependents == [third])
        let stranger = named("stranger")
        #expect(workflow.prerequisites(of: stranger) == nil && workflow.dependents(of: stranger) == nil)
        #expect(workflow.unkeyedPrerequisites(of: stranger) == nil)
        #expect(workflow.keyedPrerequisites(of: stranger) == nil)
        #expect(Workflow().allTasks.isEmpty)
        try await workflow.run()
        #expect(third.result as? [String] == ["second", "first"] && third.prerequisites == [second, first])
    }

    @Test("WF-30: a task added to a running workflow starts when its prerequisites are satisfied")
    func addedWhileRunning() async throws {
        let workflow = Workflow()
        let gate = Gate()
        let first = try workflow.add("first") { await gate.wait() }
        let early = try workflow.add("early") { 1 }
        try workflow.start()
        #expect(try await early.value == 1)
        let late = try workflow.add("late", after: early) { $0 + 1 }
        #expect(try await late.value == 2)
        let waiting = try workflow.add("waiting", after: first) { _ in 3 }
        #expect(waiting.task.isPending)
        gate.open()
        #expect(try await waiting.value == 3)
    }

    @Test("WF-30: added below a Failed task it is blocked at once, and starts nothing in an idle workflow")
    func addedBlocked() async throws {
        let workflow = Workflow()
        let failed = try workflow.add(BlockTask(name: "failed") { $0.fail(with: Broken()) })
        await workflow.settle()
        let log = EventLog(workflow)
        let below = try workflow.add(named("below"), prerequisites: [failed])
        let events = await log.until { $0.kind == .blocked(by: ["failed"]) }
        #expect(events.last?.name == "below")
        let free = try workflow.add(named("free"))
        #expect(free.isReady && below.isPending)
    }

    @Test("WF-31: tasks may be added from bodies while others run, and none is stranded")
    func addedFromBodies() async throws {
        let workflow = Workflow()
        let ended = Recorder<Int>()
        try workflow.add(
            BlockTask { attempt in
                for index in 0..<100 {
                    _ = try? attempt.task.workflow?.add("child") { ended.record(index) }
                }
                attempt.finish()
            })
        try await workflow.run()
        #expect(ended.count == 100)
        #expect(workflow.hasUnfinishedTasks == false)
    }

    @Test("WF-32, WF-110: a refused add changes nothing, and the task can be added correctly afterwards")
    func refusals() throws {
        let workflow = Workflow("mine")
        let other = Workflow("other")
        let task = named("task")
        let stranger = try other.add(named("stranger"))
        let loose = named("loose")
        #expect(workflowError { try workflow.add(stranger) }?.code == .belongsToAnotherWorkflow)
        #expect(workflowError { try workflow.add(task, prerequisites: [task]) }?.code == .selfPrerequisite)
        let foreign = workflowError { try workflow.add(task, prerequisites: [stranger]) }
        #expect(foreign?.code == .foreignPrerequisite)
        #expect(
            foreign?.description.contains("stranger") == true && foreign?.description.contains("task") == true
        )
        #expect(
            workflowError { try workflow.add(task, keyedPrerequisites: ["k": loose]) }?.code
                == .foreignPrerequisite)
        #expect(task.workflow == nil && task.isReady && workflow.allTasks.isEmpty)
        let first = try workflow.add(named("first"))
        #expect(
            workflowError { try workflow.add(task, allowingFailureOf: [first]) }?.code == .notAPrerequisite)
        try workflow.add(task, prerequisites: [first])
        #expect(workflowError { try workflow.add(task) }?.code == .alreadyAdded)
        #expect(task.prerequisites == [first] && workflow.allTasks == [first, task])
    }

    @Test("WF-32, WF-110: a workflow whose task isn't added may go into another task, or run by itself")
    func refusedSubworkflows() async throws {
        let workflow = Workflow("mine", options: WorkflowOptions(requiresUniqueNames: true))
        let inner = Workflow("inner")
        try inner.add(named("task"))
        try workflow.add(named("taken"))
        let refused = SubworkflowTask(name: "taken", subworkflow: inner)
        #expect(workflowError { try workflow.add(refused) }?.code == .duplicateName)
        let other = try workflow.add(SubworkflowTask(name: "other", subworkflow: inner))
        try await workflow.run()
        #expect(other.isFinished && refused.workflow == nil)

        let alone = Workflow("alone")
        try alone.add(named("task"))
        #expect(
            workflowError { try workflow.add(SubworkflowTask(name: "taken", subworkflow: alone)) }?.code
                == .duplicateName)
        try await alone.run()
    }

    @Test("WF-33, WF-36: a task under several keys counts once and appears under each")
    func keys() async throws {
        let workflow = Workflow()
        let one = try workflow.add(named("one"))
        let two = try workflow.add(named("two"))
        let task = try workflow.add(
            HandTask(), prerequisites: [one, two], keyedPrerequisites: ["a": one, "b": one, .init(7): two])
        #expect(task.prerequisites == [one, two] && task.unkeyedPrerequisites.isEmpty)
        #expect(task.keyedPrerequisites == ["a": one, "b": one, .init(7): two])
        #expect(task.prerequisiteResult(forKey: "a") == nil)
        try workflow.start()
        _ = await task.attempt()
        let keys: [PrerequisiteKey] = ["b", .init(7), "unknown"]
        #expect(keys.map { task.prerequisiteResult(forKey: $0) as? String } == ["one", "two", nil])
        #expect(task.anyPrerequisiteResult as? String == "one")
        #expect(task.allPrerequisiteResults.map { $0 as? String } == ["one", "two"])
        #expect(task.allUnkeyedPrerequisiteResults.isEmpty)
        #expect(task.keyedPrerequisiteResults.count == 3 && task.prerequisiteResultsByTask.count == 2)
        task.finish()
    }

    @Test("WF-34: every required key must be given; more are accepted")
    func requiredKeys() throws {
        let workflow = Workflow()
        let user = try workflow.add(named("user"))
        let task = BlockTask(name: "greet", requiredPrerequisiteKeys: ["user", "city"]) { $0.finish() }
        let error = workflowError { try workflow.add(task, keyedPrerequisites: ["user": user]) }
        #expect(error?.code == .missingPrerequisiteKeys && error?.description.contains("city") == true)
        try workflow.add(task, keyedPrerequisites: ["user": user, "city": user, "more": user])
    }

    @Test("WF-37: a result by key and type, or an error that says what is wrong")
    func typedResults() async throws {
        let workflow = Workflow()
        let name = try workflow.add(named("Ada"))
        let empty = try workflow.add(BlockTask { $0.finish() })
        let task = try workflow.add(HandTask(), keyedPrerequisites: ["name": name, "empty": empty])
        #expect(
            workflowError { _ = try task.prerequisiteResult(forKey: "name", as: String.self) }?.code
                == .noResult)
        try workflow.start()
        _ = await task.attempt()
        #expect(try task.prerequisiteResult(forKey: "name", as: String.self) == "Ada")
        let wrong = workflowError { _ = try task.prerequisiteResult(forKey: "name", as: Int.self) }
        #expect(wrong?.code == .wrongType && wrong?.description.contains("String") == true)
        #expect(
            workflowError { _ = try task.prerequisiteResult(forKey: "x", as: Int.self) }?.code
                == .noPrerequisite)
        task.finish()
    }

    @Test("WF-38: the typed form hands results over in order; none to many prerequisites")
    func typed() async throws {
        let workflow = Workflow()
        let a = try workflow.add("a") { 1 }
        let b = try workflow.add("b", after: a) { "\($0)" }
        let c = try workflow.add("c", after: a, b) { number, text in "\(number)\(text)" }
        let d = try workflow.add("d", after: a, b, c, a, b, c, a, b, c, a, b, c, a, b, c, a) {
            a, b, c, _, _, _, _, _, _, _, _, _, _, _, _, last in
            let texts = b.count + c.count
            return a + last + texts
        }
        let all = try workflow.add("all", afterAll: [a, d]) { $0.reduce(0, +) }
        try await workflow.run()
        #expect(c.result == "11" && d.result == 5 && all.result == 6)
    }

    @Test("WF-38: closures mix with classes; a result of another type fails the dependent")
    func mixed() async throws {
        let workflow = Workflow()
        let object = try workflow.add(BlockTask { $0.finish(with: "text") })
        let good = try workflow.add("good", after: TaskRef(object, as: String.self)) { $0.count }
        let bad = try workflow.add("bad", after: TaskRef(object, as: Int.self)) { $0 }
        let below = try workflow.add(named("below"), prerequisites: [good.task])
        await workflow.settle()
        #expect(good.result == 4 && below.isFinished)
        #expect((bad.task.error as? WorkflowError)?.code == .wrongType)
    }

    @Test("WF-39: value returns when the task is Finished, and throws once it has settled otherwise")
    func values() async throws {
        let workflow = Workflow()
        let gate = Gate()
        let good = try workflow.add("good") { () async -> Int in
            await gate.wait()
            return 1
        }
        let bad = try workflow.add("bad") { () throws -> Int in throw Broken(number: 2) }
        let below = try workflow.add("below", after: bad) { $0 }
        let waiting = Task { try await good.value }
        let failing = Task { try await bad.value }
        let blocked = Task { try await below.value }
        try workflow.start()
        gate.open()
        #expect(try await waiting.value == 1)
        await #expect(throws: Broken(number: 2)) { try await failing.value }
        await #expect(throws: WorkflowError.self) { try await blocked.value }
        await #expect(throws: Broken(number: 2)) { try await bad.value }
        below.task.cancel()
        await #expect(throws: CancellationError.self) { try await below.value }
    }

    /// Keeps the jobs of Swift tasks until the test runs them, on the test's thread.
    private final class HeldExecutor: TaskExecutor {
        private let jobs = Locked<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        func runJobs() {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    @Test(
        "WF-39: a value that is awaited is that of the end, also if the task is reset before the waiter runs")
    func awaitedValueAfterReset() async throws {
        let workflow = Workflow(), task = try workflow.add(HandTask()), executor = HeldExecutor()
        let reference = try TaskRef<Int>(task)
        let waiting = Task(executorPreference: executor) { try await reference.value }
        executor.runJobs()
        try workflow.start()
        await task.attempt().finish(with: 42)
        task.reset()
        executor.runJobs()
        #expect(try await waiting.value == 42)
    }

    @Test("WF-40: where names must be unique, add refuses a taken one and check reports renames")
    func uniqueNames() throws {
        let workflow = Workflow(options: .init(requiresUniqueNames: true))
        try workflow.add("a") { 1 }
        #expect(workflowError { try workflow.add("a") { 2 } }?.code == .duplicateName)
        #expect(workflowError { try workflow.add(named("a")) }?.code == .duplicateName)
        let b = try workflow.add(named("b"))
        b.rename("a")
        #expect(workflow.check().map(\.code) == [.duplicateName])
        #expect(workflowError { try workflow.start() }?.code == .checkFailed)
        #expect(b.isReady)
    }

    @Test("WF-41, WF-110: options out of range and weights above a pool's capacity")
    func options() throws {
        let workflow = Workflow()
        let pool = ConcurrencyPool("disks", capacity: 2)
        #expect(
            workflowError { try workflow.add("a", options: .init(pools: [pool: 3])) {} }?.code
                == .poolTooSmall)
        #expect(
            workflowError { try workflow.add("a", options: .init(pools: [pool: 0])) {} }?.code
                == .invalidOption)
        #expect(
            workflowError { try workflow.add("a", options: .init(timeout: .seconds(-1))) {} }?.code
                == .invalidOption)
        try workflow.add("a", options: .init(timeout: .seconds(2), deadline: .seconds(1), pools: [pool: 2])) {
        }
        pool.capacity = 1
        #expect(Set(workflow.check().map(\.code)) == [.poolTooSmall, .shortDeadline])
        #expect(workflow.check().first { $0.code == .shortDeadline }?.severity == .warning)
        #expect(workflowError { try workflow.start() }?.code == .checkFailed)
    }

    @Test(
        "WF-35: a prerequisite that is given twice counts once, also among many", arguments: [2, 16, 17, 40])
    func twice(count: Int) async throws {
        let workflow = Workflow()
        let refs = try (0..<count).map { index in try workflow.add("\(index)") { index } }
        let sum = try workflow.add("sum", following: refs + [refs[0], refs[count - 1]]) { 1 }
        #expect(sum.task.prerequisites.count == count)
        #expect(refs[0].task.dependents.count == 1)
        try await workflow.run()
        #expect(sum.task.prerequisiteResultsByTask.count == count)
    }
}
