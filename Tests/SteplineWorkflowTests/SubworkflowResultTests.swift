import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Results of subworkflows", .timeLimit(.minutes(5)))
struct SubworkflowResultTests {
    @Test("WF-65: a subworkflow has the typed result of one of its tasks")
    func typed() async throws {
        let photos = Workflow("photos")
        let count = try photos.add("count") { 2 }
        let cover = try photos.add("cover", after: count) { "cover of \($0)" }
        let album = Workflow("album")
        let picture = try album.addSubworkflow(photos, returning: cover)
        let printed = try album.add("print", after: picture) { $0.uppercased() }
        try await album.run()
        #expect(picture.result == "cover of 2" && printed.result == "COVER OF 2")
        #expect(try await picture.value == "cover of 2")
        #expect(picture.task.name == "photos" && photos.enclosingTask === picture.task)
    }

    @Test("WF-65, WF-99: a subworkflow after a task waits for it, and is explained by its inner tasks")
    func explained() async throws {
        let first = Gate(), second = Gate(), inner = Workflow("inner")
        let slow = try inner.add("slow") { () async in
            await second.wait()
            return 3
        }
        let outer = Workflow("outer")
        let before = try outer.add("before") { () async in await first.wait() }
        let task = try outer.addSubworkflow(inner, returning: slow, after: before)
        try outer.start()
        await first.waitForArrivals()
        #expect("\(outer.explain(task))".contains("before"))
        first.open()
        await second.waitForArrivals()
        #expect("\(outer.explain(task))" == "inner runs its inner tasks: slow runs (attempt 1).")
        second.open()
        try await outer.run()
        #expect(try await task.value == 3)
    }

    @Test("WF-65: a failure inside fails it, and an allowing dependent receives the error")
    func failing() async throws {
        let photos = Workflow("photos")
        let cover = try photos.add("cover") { () throws -> String in throw Broken(number: 4) }
        let album = Workflow("album")
        let picture = try album.addSubworkflow(photos, returning: cover)
        let seen = try album.add("seen", after: picture.allowingFailure) { result -> Int in
            do { return try result.get().count } catch let error as Broken { return error.number }
        }
        try await album.run()
        #expect(seen.result == 4 && picture.result == nil)
        await #expect(throws: Broken.self) { try await picture.value }
    }

    @Test("WF-65: a result from another workflow is refused, and nothing is added")
    func foreign() throws {
        let photos = Workflow("photos"), other = Workflow("other")
        try photos.add("cover") { "cover" }
        let stranger = try other.add("stranger") { 1 }
        let album = Workflow("album")
        let error = workflowError { try album.addSubworkflow(photos, returning: stranger) }
        #expect(error?.code == .foreignPrerequisite && error?.subject == "photos")
        #expect(album.taskCount == 0 && photos.enclosingTask == nil)
    }

    @Test("value of a task whose workflow was released before its start says so")
    func released() async throws {
        var workflow: Workflow? = Workflow("gone")
        let task = try #require(try workflow?.add("load") { 1 })
        workflow = nil
        let error = await workflowError { _ = try await task.value }
        #expect(error?.code == .noResult && error?.description.contains("workflow was released") == true)
        let blocking = Workflow("blocked")
        let bad = try blocking.add("bad") { () throws -> Int in throw Broken() }
        let below = try blocking.add("below", after: bad) { $0 }
        await blocking.settle()
        let blocked = await workflowError { _ = try await below.value }
        #expect(blocked?.description == "below: can't run, because a task upstream failed or was cancelled")
    }
}
