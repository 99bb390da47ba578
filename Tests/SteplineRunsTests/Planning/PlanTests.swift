import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Plans of durable runs", .timeLimit(.minutes(5)))
struct PlanTests {
    private struct Broken: Error {}
    private let store: any RunStore = .memory()
    private let id = RunID("mirror", key: "k")

    /// A chain of an index, a page and a report, of the given versions.
    private func mirror(
        index: Int = 1, page: Int = 1, isBroken: Bool = false, isRecomputed: Bool = false
    ) throws -> Workflow {
        let workflow = Workflow("mirror")
        var options = TaskOptions(version: index)
        options.isRecomputed = isRecomputed
        let first = try workflow.add("index", options: options) { 1 }
        let second = try workflow.add("page", after: first, options: TaskOptions(version: page)) { number in
            if isBroken { throw Broken() }
            return number + 1
        }
        try workflow.add("report", after: second) { $0 + 1 }
        return workflow
    }

    private func plan(_ workflow: Workflow, retryingFailures: Bool = false) async throws -> DurablePlan {
        try await workflow.plan(in: store, key: "k", retryingFailures: retryingFailures)
    }

    private func lines(_ plan: DurablePlan) -> [String] { plan.steps.map { "\($0)" } }

    @Test("DR-63: all steps of a new run are planned, the store stays empty, and the workflow can be run")
    func new() async throws {
        let workflow = try mirror()
        let plan = try await plan(workflow)
        #expect(plan.isNew && plan.id == id && plan.names(.runs) == ["index", "page", "report"])
        #expect(plan.steps.allSatisfy { $0.reason == .new })
        #expect(try store.runs(of: nil).isEmpty)
        #expect(try await workflow.run(in: store, key: "k").executed == ["index", "page", "report"])
        let after = try await self.plan(mirror())
        #expect(!after.isNew && after.names(.kept) == ["index", "page", "report"])
        #expect(after.steps.allSatisfy { $0.reason == .finished })
    }

    @Test("DR-63: a changed version, and the steps after it, are planned with their reasons")
    func version() async throws {
        try await mirror().run(in: store, key: "k")
        #expect(
            try await lines(plan(mirror(page: 2))) == [
                "index is kept: it has finished", "page runs: its version changed from 1 to 2",
                "report runs: page runs",
            ])
        #expect(try await mirror(page: 2).run(in: store, key: "k").executed == ["page", "report"])
    }

    @Test("DR-6, DR-63: new steps and changed prerequisites or types run, and removed elements are gone")
    func definitions() async throws {
        func make(_ isNew: Bool) throws -> Workflow {
            let workflow = Workflow("mirror")
            let first = try workflow.add("first") { 1 }
            let second = try workflow.add("second") { 2 }
            try workflow.add("linked", after: isNew ? second : first) { $0 }
            if isNew { try workflow.add("typed") { "1" } } else { try workflow.add("typed") { 1 } }
            if isNew { try workflow.add("new") { 3 } }
            try workflow.map("each", over: isNew ? ["a", "c"] : ["a", "b", "c"]) { $0 }
            return workflow
        }
        try await make(false).run(in: store, key: "k")
        let plan = try await plan(make(true))
        let reasons = ["linked", "typed", "new", "each", "each[a]", "each[c]"].map { plan[$0]?.reason }
        #expect(
            reasons == [
                .prerequisitesChanged, .resultTypeChanged, .new, .prerequisitesChanged, .finished, .finished,
            ])
        #expect(plan.names(.gone) == ["each[b]"])
        let report = try await make(true).run(in: store, key: "k")
        #expect(Set(report.executed) == Set(plan.names(.runs)))
        #expect(try store.result(of: "linked", in: id, as: Int.self) == 2)
    }

    @Test("DR-5: a changed type of a result that isn't stored runs its dependents again")
    func unstoredType() async throws {
        func make<Value: Sendable>(_ value: Value) throws -> Workflow {
            let workflow = Workflow("mirror")
            let list = try workflow.add("list", options: TaskOptions(isRecomputed: true)) { value }
            try workflow.add("text", after: list) { "\($0)" }
            return workflow
        }
        try await make(1).run(in: store, key: "k")
        #expect(try await make(2).run(in: store, key: "k").executed.isEmpty)
        #expect(try await plan(make("2"))["list"]?.reason == .resultTypeChanged)
        #expect(try await make("2").run(in: store, key: "k").executed == ["list", "text"])
        #expect(try store.result(of: "text", in: id, as: String.self) == "2")
    }

    @Test("DR-63: a failed step stays failed and its dependents are skipped, until failures are retried")
    func failures() async throws {
        _ = try? await mirror(isBroken: true).run(in: store, key: "k")
        #expect(
            try await lines(plan(mirror())) == [
                "index is kept: it has finished", "page is kept: it failed before, and stays failed",
                "report is skipped: page has no result, and won't",
            ])
        let retried = try await plan(mirror(), retryingFailures: true)
        #expect(retried["page"]?.reason == .failedBefore && retried["report"]?.reason == .new)
        #expect(retried.names(.runs) == ["page", "report"])
    }

    @Test("DR-63: a step that began and didn't end is interrupted")
    func interrupted() async throws {
        let cutting = CuttingStore(store, .after(2))
        _ = try? await mirror().run(in: cutting, key: "k")
        let plan = try await plan(mirror())
        let begun = try store.stepsByName(of: id).values.filter { $0.state == .running }.map(\.name)
        #expect(!plan.names(.runs).isEmpty)
        for name in begun { #expect(plan[name]?.reason == .interrupted) }
        #expect(Set(try await mirror().run(in: store, key: "k").executed) == Set(plan.names(.runs)))
    }

    @Test("DR-63: a missing file and an unreadable result are told apart")
    func damage() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func make() throws -> Workflow {
            let workflow = Workflow("mirror")
            var options = TaskOptions()
            options.produces = [file]
            let saved = try workflow.add("saved", options: options) {
                try Data("x".utf8).write(to: file)
                return 1
            }
            let read = try workflow.add("read") { 2 }
            try workflow.add("sum", after: saved, read) { $0 + $1 }
            return workflow
        }
        try await make().run(in: store, key: "k")
        #expect(try await plan(make()).names(.runs).isEmpty)
        try FileManager.default.removeItem(at: file)
        let plan = try await plan(make())
        #expect(plan["saved"]?.reason == .fileGone && plan["sum"]?.because == ["saved"])
        #expect(plan["read"]?.action == .kept)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(Set(try await make().run(in: store, key: "k").executed) == ["saved", "sum"])
    }

    @Test("DR-63: a result that isn't stored is made again for the steps that need it")
    func recomputed() async throws {
        _ = try? await mirror(isBroken: true, isRecomputed: true).run(in: store, key: "k")
        let plan = try await plan(mirror(isRecomputed: true), retryingFailures: true)
        #expect(plan["index"]?.reason == .resultNotStored && plan["index"]?.because == ["page"])
        #expect("\(try #require(plan["index"]))" == "index runs: page needs its result, which isn't stored")
    }

    @Test("DR-23, DR-63: a result of another run is planned with that run, and only if its inputs are known")
    func cached() async throws {
        func make(_ version: Int = 1) throws -> Workflow {
            let workflow = Workflow("mirror")
            let options = TaskOptions.cached(for: .seconds(3600))
            let first = try workflow.add("first", options: options) { 1 }
            let second = try workflow.add("second", after: first, options: options) { $0 + 1 }
            let third = try workflow.add("third", after: second, options: TaskOptions(version: version)) {
                $0
            }
            try workflow.add("fourth", after: third, options: options) { $0 }
            return workflow
        }
        try await make().run(in: store, key: "1")
        let plan = try await plan(make())
        #expect(plan.names(.restored) == ["first", "second"])
        #expect(plan["second"]?.source == RunID("mirror", key: "1"))
        #expect("\(try #require(plan["first"]))" == "first is restored: mirror/1 has its result")
        #expect(plan["third"]?.action == .runs && plan["third"]?.mayBeRestored == false)
        #expect(plan["fourth"]?.action == .runs && plan["fourth"]?.mayBeRestored == true)
        let report = try await make().run(in: store, key: "k")
        #expect(Set(report.takenOver.keys) == ["first", "second", "fourth"] && report.executed == ["third"])
    }

    @Test("DR-6: steps of the store that the workflow doesn't have are gone, in plan and report")
    func gone() async throws {
        func make(_ name: String) throws -> Workflow {
            let workflow = Workflow("mirror")
            let first = try workflow.add(name) { 1 }
            try workflow.add("last", after: first) { $0 }
            return workflow
        }
        try await make("pages of 2026-11-21").run(in: store, key: "k")
        let plan = try await plan(make("pages of 2026-11-22"))
        #expect(plan.names(.gone) == ["pages of 2026-11-21"] && plan.steps.last?.reason == .notInWorkflow)
        for _ in 0..<2 {
            let report = try await make("pages of 2026-11-22").run(in: store, key: "k")
            #expect(report.gone == ["pages of 2026-11-21"])
        }
    }

    @Test("DR-63: a finished subworkflow runs for the steps inside it that run")
    func inside() async throws {
        func make(_ version: Int) throws -> Workflow {
            let (workflow, inner) = (Workflow("mirror"), Workflow("inner"))
            let first = try inner.add("first", options: TaskOptions(version: version)) { 1 }
            try inner.add("second", after: first) { $0 }
            try inner.add("other") { 1 }
            try workflow.add(SubworkflowTask(name: "crawl", subworkflow: inner))
            return workflow
        }
        try await make(1).run(in: store, key: "k")
        let plan = try await plan(make(2))
        #expect(plan.steps.map(\.name) == ["crawl", "crawl/first", "crawl/second", "crawl/other"])
        #expect(plan["crawl"]?.reason == .stepInsideRuns)
        #expect(plan["crawl"]?.because == ["crawl/first", "crawl/second"])
        #expect(plan["crawl/other"]?.action == .kept)
    }

    @Test("DR-63: elements of a map are kept, run for a new version, or run with their list")
    func elements() async throws {
        func make(list: Int = 1, page: Int = 1) throws -> Workflow {
            let workflow = Workflow("mirror")
            let names = try workflow.add("list", options: TaskOptions(version: list)) { ["a", "b"] }
            try workflow.map("page", over: names, options: TaskOptions(version: page), key: { $0 }) {
                $0.utf8.count + page
            }
            return workflow
        }
        try await make().run(in: store, key: "k")
        let kept = try await plan(make())
        #expect(kept.names(.kept) == ["list", "page", "page[a]", "page[b]"])
        let pages = try await plan(make(page: 2))
        #expect(pages.names(.runs) == ["page", "page[a]", "page[b]"])
        #expect(pages["page[a]"]?.reason == .definitionChanged)
        let lists = try await plan(make(list: 2))
        #expect(lists["page[a]"]?.reason == .prerequisiteRuns && lists["page[a]"]?.because == ["list"])
    }

    @Test("DR-63: a cleanup is planned only if a task that it guards begins or has begun")
    func cleanups() async throws {
        func make() throws -> Workflow {
            let (workflow, inner) = (Workflow("mirror"), Workflow("inner"))
            let first = try inner.add("first") { () throws -> Int in throw Broken() }
            let second = try inner.add("second", after: first) { $0 }
            try inner.addCleanup("used", after: [first.task]) {}
            try inner.addCleanup("unused", after: [second.task]) {}
            try workflow.add(SubworkflowTask(name: "crawl", subworkflow: inner))
            return workflow
        }
        let plan = try await plan(make())
        #expect(plan.names(.runs) == ["crawl", "crawl/first", "crawl/second", "crawl/used", "crawl/unused"])
        _ = try? await make().run(in: store, key: "k")
        let after = try await self.plan(make())
        #expect(after["crawl/unused"]?.action == .skipped && after.names(.runs).isEmpty)
    }

    @Test(
        "DR-63: after a failure with cancelOthers no task is planned or begins, nor a cleanup of an earlier one",
        arguments: 1...10)
    func cleanupsOfCancelled(_ round: Int) async throws {
        let bodies = Recorder<String>()
        func make(_ version: Int) throws -> (Workflow, tidy: WorkflowTask) {
            let workflow = Workflow("mirror", options: WorkflowOptions(onFailure: .cancelOthers))
            let (outer, inner) = (Workflow("outer"), Workflow("inner"))
            let options = TaskOptions(version: version)
            let first = try inner.add("first", options: options) { bodies.record("first") }
            let tidy = try inner.addCleanup("tidy", after: [first.task], options: options) {
                bodies.record("tidy")
            }
            try outer.add(SubworkflowTask(name: "inner", subworkflow: inner))
            let crawl = try workflow.add(SubworkflowTask(name: "outer", subworkflow: outer))
            let hasEnded = Gate()
            crawl.onEnd(on: nil) { _ in hasEnded.open() }
            try workflow.add("broken") {
                await hasEnded.wait()
                throw Broken()
            }
            return (workflow, tidy.task)
        }
        _ = try? await make(1).0.run(in: store, key: "k")
        let (workflow, tidy) = try make(2)
        let plan = try await plan(make(2).0)
        #expect(plan["outer"]?.because == ["broken"] && plan.names(.runs).isEmpty)
        _ = try? await workflow.run(in: store, key: "k")
        #expect(bodies.values == ["first", "tidy"] && tidy.state == .ready)
    }

    @Test("DR-63: a plan is refused as the run would be: in progress, cancelled, invalid or run already")
    func refused() async throws {
        func code(_ workflow: Workflow, _ key: String = "k") async -> String? {
            do {
                _ = try await workflow.plan(in: store, key: key)
                return nil
            } catch let error as DurableRunError {
                return error.code.description
            } catch {
                return (error as? RunStoreError).map { "\($0.code)" } ?? "\(error)"
            }
        }
        #expect(try await code(mirror(), "") == "invalidKey")
        let used = try mirror()
        try await used.run(in: store, key: "used")
        #expect(await code(used) == "notFresh")
        let open = try store.open(id, input: nil, as: RunOwner(since: .now), at: .now)
        #expect(try await code(mirror()) == "inProgress")
        try open.end(.cancelled("enough"), at: .now)
        #expect(try await code(mirror()) == "cancelled")
        #expect(try await plan(mirror(), retryingFailures: true).names(.runs).count == 3)
    }

    @Test("DR-63: a plan leaves the files of a store as they are")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appending(path: "mirror.runs")
        func contents() async throws -> [String: Data] {
            // SQLite removes its log when the last connection closes.
            await eventually { !FileManager.default.fileExists(atPath: place.path + "-wal") }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return try Dictionary(
                uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
        }
        do { _ = try await mirror().run(in: .file(place), key: "k") }
        let before = try await contents()
        do {
            let plan = try await mirror(page: 2).plan(in: .file(place), key: "k")
            #expect(plan.names(.runs) == ["page", "report"])
        }
        #expect(try await contents() == before)
    }

    @Test("DR-63: a plan of 10,000 tasks takes at most half a second", .soakOnly)
    func speed() async throws {
        func make(_ version: Int) throws -> Workflow {
            let workflow = Workflow("mirror")
            var before: TaskRef<Int>?
            for number in 0..<10_000 {
                let options = TaskOptions(version: number == 5_000 ? version : 1)
                if let last = before, number % 10 != 0 {
                    before = try workflow.add("t\(number)", after: last, options: options) { $0 }
                } else {
                    before = try workflow.add("t\(number)", options: options) { number }
                }
            }
            return workflow
        }
        try await make(1).run(in: store, key: "k")
        let workflow = try make(2)
        let clock = ContinuousClock()
        var best = Duration.seconds(3600)
        for _ in 0..<5 {
            let begin = clock.now
            let plan = try await plan(workflow)
            best = min(best, clock.now - begin)
            #expect(plan.names(.runs).count == 10 && plan.steps.count == 10_000)
        }
        print("a plan of 10,000 tasks: \(best)")
        // A debug build is several times slower.
        #if DEBUG
            #expect(best < .milliseconds(1500))
        #else
            #expect(best < .milliseconds(500))
        #endif
    }
}
