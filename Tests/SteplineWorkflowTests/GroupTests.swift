import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GroupTests {
    @Test("WF-90: the same name is the same group; its tasks are prerequisites as any")
    func tasks() async throws {
        let workflow = Workflow()
        let photos = workflow.group("photos")
        let first = try photos.add(HandTask(name: "first"))
        let second = try workflow.group("photos").add(HandTask(name: "second"))
        let submit = try workflow.add(WorkflowTask(), prerequisites: photos.tasks)
        #expect(photos == workflow.group("photos") && photos != workflow.group("other"))
        #expect(photos.tasks == [first, second] && submit.prerequisites == [first, second])
        #expect(workflow.groups.map(\.name) == ["photos", "other"])
        #expect(workflow.group("other").tasks.isEmpty && "\(photos)" == "photos")
        try workflow.start()
        await first.attempt().finish()
        #expect(submit.isPending)
        await second.attempt().finish()
        try await workflow.run()
        #expect(submit.isFinished)
    }

    @Test("WF-90: closures are added as to the workflow, and get their prerequisites' results")
    func closures() async throws {
        let workflow = Workflow()
        let group = workflow.group("numbers")
        let two = try group.add("two") { 2 }
        let three = try group.add("three") { () async in 3 }
        let five = try group.add("five", after: two, three) { $0 + $1 }
        let ten = try group.add("ten", after: five) { (five: Int) async in five * 2 }
        let all = group.include(try workflow.map("squares", over: [1, 2]) { $0 * $0 })
        try await workflow.run()
        #expect(ten.result == 10 && all.result == [1, 4])
        #expect(group.tasks.map(\.name) == ["two", "three", "five", "ten", "squares"])
        #expect(workflowError { try group.include(WorkflowTask()) }?.code == .foreignPrerequisite)
    }

    @Test("WF-90: a task is in one group, the last that took it in")
    func moves() throws {
        let workflow = Workflow()
        let task = try workflow.group("a").add(WorkflowTask())
        try workflow.group("b").include(task)
        #expect(workflow.group("a").tasks.isEmpty && workflow.group("b").tasks == [task])
    }

    @Test("WF-90: cancel, reset and retry reach the union downstream, each task once")
    func messages() async throws {
        let workflow = Workflow()
        let group = workflow.group("group")
        let one = try group.add(HandTask(name: "one"))
        let two = try group.add(HandTask(name: "two"), prerequisites: [one])
        let below = try workflow.add(HandTask(name: "below"), prerequisites: [one, two])
        let beside = try workflow.add(HandTask(name: "beside"))
        try workflow.start()
        let running = await one.attempt()
        group.cancel("enough")
        #expect([one, two, below].allSatisfy(\.isCancelled) && !beside.isCancelled && running.isCancelled)
        // The stopped body is over: the next attempt does not wait for the grace period.
        running.finish()
        group.retry()
        await one.attempt(2).finish()
        await two.attempt().finish()
        await below.attempt().finish()
        group.reset()
        await one.untilReady()
        #expect(two.isPending && below.isPending)
        let each = ["didCancel", "didRetry Pending", "didFinish", "didReset Pending"]
        for task in [one, two, below] {
            await task.hooks.waitForCount(each.count)
            #expect(task.hooks.values == each)
        }
        await beside.attempt().finish()
        #expect(beside.hooks.values == ["didFinish"])
    }

    @Test("WF-90: progress counts the group's tasks alone")
    func progress() async throws {
        let workflow = Workflow()
        let group = workflow.group("group")
        #expect(group.progress.fraction == 1)
        let one = try group.add(HandTask())
        let two = try group.add(HandTask())
        try workflow.add(HandTask())
        try workflow.start()
        await one.attempt().finish()
        let attempt = await two.attempt()
        attempt.report(progress: 0.5)
        #expect(group.progress.total == 2 && group.progress.finished == 1 && group.progress.executing == 1)
        #expect(group.progress.fraction == 0.75)
        attempt.fail(with: Broken())
        #expect(group.progress.failed == 1 && group.progress.fraction == 0.5)
        workflow.cancel()
    }

    @Test("WF-90, WF-110: a group keeps no workflow alive, and adds nothing to one that is gone")
    func gone() throws {
        var workflow: Workflow? = Workflow()
        let group = try #require(workflow?.group("group"))
        weak let gone = workflow
        workflow = nil
        #expect(gone == nil)
        #expect(workflowError { try group.add(WorkflowTask()) }?.code == .noWorkflow)
    }
}
