import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

@Suite("Maps that grow in durable runs", .timeLimit(.minutes(5)))
struct GrowingRunTests {
    private struct Broken: Error {}
    private let id = RunID("site", key: "k")
    private let bodies = Recorder<Int>()

    /// Each page links to twice its number, and to one more than that.
    private func site(
        from start: [Int] = [1], count: Int = 15, failing: Int? = nil, atMost: Int? = nil, depth: Int? = nil,
        version: Int = 1
    ) throws -> (workflow: Workflow, pages: TaskRef<[String]>) {
        let workflow = Workflow("site")
        let bodies = self.bodies
        let pages = try workflow.grow(
            "page", from: start, key: { "\($0)" }, limit: 2, atMost: atMost, depth: depth,
            options: TaskOptions(version: version)
        ) { page, more in
            bodies.record(page)
            more.add([2 * page, 2 * page + 1].filter { $0 <= count })
            if page == failing { throw Broken() }
            return "page \(page)"
        }
        try workflow.add("report", after: pages) { $0.sorted() }
        return (workflow, pages)
    }

    private func expected(_ pages: some Sequence<Int>) -> Set<String> { Set(pages.map { "page \($0)" }) }

    @Test(
        "DR-13, DR-73: cut off again and again, a map that grows goes on with exactly what was stored",
        arguments: Chaos.seeds(4, most: 50), [false, true])
    func cutOff(_ seed: UInt64, isInFile: Bool) async throws {
        let folder = try TestFolder()
        try await RunStoreRequirement.growth(seed: seed).check {
            isInFile ? try .file(folder.path("\(seed).runs")) : .memory()
        }
    }

    @Test("DR-73: a failed element adds nothing; the next run runs it alone, and what it finds then")
    func failed() async throws {
        let store: any RunStore = .memory()
        await #expect(throws: WorkflowError.self) {
            try await site(failing: 3).workflow.run(in: store, key: "k")
        }
        #expect(Set(bodies.values) == [1, 2, 3, 4, 5, 8, 9, 10, 11])
        await #expect(throws: WorkflowError.self) { try await site().workflow.run(in: store, key: "k") }
        #expect(bodies.count == 9)
        let (workflow, pages) = try site()
        let report = try await workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(
            Set(report.executed)
                == Set([3, 6, 7, 12, 13, 14, 15].map { "page[\($0)]" } + ["page", "report"]))
        #expect(try Set(pages.readValue()) == expected(1...15))
        #expect(bodies.count == 16)
    }

    @Test("DR-73: a finished run runs nothing, and its results are read one by one and as a list")
    func finished() async throws {
        let store: any RunStore = .memory()
        try await site().workflow.run(in: store, key: "k")
        let (workflow, pages) = try site()
        #expect(try await workflow.run(in: store, key: "k").executed == [])
        #expect(try Set(pages.readValue()) == expected(1...15))
        #expect(try store.result(of: "page[7]", in: id, as: String.self) == "page 7")
        #expect(try store.result(of: "page", in: id, as: [String].self).count == 15)
    }

    @Test("DR-73: a reader of results that begins before the run is opened gets those of an earlier process")
    func readEarly() async throws {
        let store: any RunStore = .memory()
        try await site().workflow.run(in: store, key: "k")
        let (workflow, pages) = try site()
        // Both begin to wait for the end of the map here, which the run restores.
        var results = pages.asTheyFinish.makeAsyncIterator()
        async let value = pages.value
        try await workflow.run(in: store, key: "k")
        var found: [String] = []
        while let result = await results.next(isolation: nil) { found.append(result) }
        #expect(Set(found) == expected(1...15) && found.count == 15)
        #expect(try await Set(value) == expected(1...15))
    }

    @Test("DR-73: with more first elements, or higher limits, a finished run goes on; what is kept stands")
    func extended() async throws {
        let store: any RunStore = .memory()
        try await site(atMost: 4).workflow.run(in: store, key: "k")
        #expect(bodies.count == 4)
        let (deeper, _) = try site(atMost: 100, depth: 2)
        try await deeper.run(in: store, key: "k")
        #expect(Set(bodies.values) == Set(1...7) && bodies.count == 7)
        let (wider, pages) = try site(from: [1, 100], depth: 2)
        let report = try await wider.run(in: store, key: "k")
        #expect(Set(report.executed) == ["page[100]", "page", "report"])
        #expect(try Set(pages.readValue()) == expected([1, 2, 3, 4, 5, 6, 7, 100]))
        let (narrower, rest) = try site(from: [100])
        try await narrower.run(in: store, key: "k")
        #expect(try rest.readValue() == ["page 100"])
        let (newer, all) = try site(version: 2)
        #expect(try await newer.run(in: store, key: "k").restored == [])
        #expect(try Set(all.readValue()) == expected(1...15))
    }

    @Test("DR-73: a run that was cut off keeps the limit on the number: what has finished keeps its place")
    func limitAcrossRuns() async throws {
        for number in 2...9 {
            let store: any RunStore = .memory()
            let bodies = Recorder<Int>()
            func make() throws -> (Workflow, TaskRef<[Int]>) {
                let workflow = Workflow("site")
                let pages = try workflow.grow(
                    "page", from: [1], key: { "\($0)" }, limit: 1, atMost: 6,
                    priority: { $0 % 2 == 0 ? .low : .high }
                ) { page, more in
                    bodies.record(page)
                    more.add((1...3).map { page * 10 + $0 })
                    return page
                }
                return (workflow, pages)
            }
            _ = try? await make().0.run(in: CuttingStore(store, .after(number)), key: "k")
            let committed = try store.stepsByName(of: id).values.filter { $0.state == .finished }.map(\.name)
            let (workflow, pages) = try make()
            try await workflow.run(in: store, key: "k")
            let names = try pages.readValue().map { "page[\($0)]" }
            #expect(names.count == 6)
            #expect(Set(committed).subtracting(["page"]).isSubset(of: names), "cut off after \(number)")
        }
    }

    @Test("DR-73: an element whose result is damaged runs again, and what it has found stands")
    func damaged() async throws {
        let folder = try TestFolder()
        let path = folder.url.appending(path: "store").path
        @Sendable func make() throws -> (Workflow, TaskRef<[Data]>) {
            let workflow = Workflow("site")
            let pages = try workflow.grow("page", from: [UInt8(1)], key: { "\($0)" }) { page, more in
                if page < 4 { more.add(page + 1) }
                return Data(repeating: page, count: 100_000)
            }
            return (workflow, pages)
        }
        try await make().0.run(in: .file(path), key: "k")
        let blobs = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: path + "-blobs"), includingPropertiesForKeys: nil)
        for file in blobs where try Data(contentsOf: file).last == 2 {
            try FileManager.default.removeItem(at: file)
        }
        let (workflow, pages) = try make()
        let report = try await workflow.run(in: .file(path), key: "k")
        #expect(report.executed == ["page[2]", "page"])
        #expect(try pages.readValue().map(\.first) == [1, 2, 3, 4])
    }

    @Test("DR-73: a reset within a durable run starts again from the first elements")
    func reset() async throws {
        let store: any RunStore = .memory()
        let links = Locked([1: [2, 3], 2: [4]])
        let workflow = Workflow("site")
        let gate = Gate()
        let pages = try workflow.grow("page", from: [1], key: { "\($0)" }, limit: 1) { page, more in
            more.add(links.withLock { $0[page] ?? [] })
            return page
        }
        try workflow.add("wait", after: pages) { _ in await gate.wait() }
        let run = Task { try await workflow.run(in: store, key: "k") }
        await gate.waitForArrivals()
        links.withLock { $0 = [1: [5, 4], 4: [3]] }
        pages.task.reset()
        try pages.task.start()
        gate.open()
        _ = try await run.value
        #expect(pages.result == [1, 5, 4, 3])
        #expect(try store.result(of: "page", in: id, as: [Int].self) == [1, 5, 4, 3])
    }

    @Test("DR-23, DR-73: a result that is taken over from another run brings what was found with it")
    func takenOver() async throws {
        let store: any RunStore = .memory()
        for key in ["1", "2"] {
            let workflow = Workflow("site")
            let bodies = self.bodies
            let pages = try workflow.grow(
                "page", from: [1], key: { "\($0)" }, options: .cached(for: .seconds(3600))
            ) { page, more in
                bodies.record(page)
                more.add([2 * page, 2 * page + 1].filter { $0 <= 7 })
                return page
            }
            try await workflow.run(in: store, key: key)
            #expect(try Set(pages.readValue()) == Set(1...7))
        }
        #expect(bodies.count == 7)
    }

    @Test("DR-73: elements that can't be stored, and keys that are too long, are refused with their names")
    func refused() async throws {
        struct Page: Sendable { let number: Int }
        let workflow = Workflow("site")
        try workflow.grow("page", from: [Page(number: 1)], key: { "\($0.number)" }) { page, _ in page.number }
        #expect(workflow.checkDurability().map(\.code) == [.notStorable])
        await #expect(throws: WorkflowError.self) { try await workflow.run(in: MemoryRunStore(), key: "k") }
        let long = Workflow("site")
        let pages = try long.grow("page", from: ["a"], key: { $0 }) { page, more in
            more.add(String(repeating: "x", count: 2000))
            return page
        }
        await #expect(throws: WorkflowError.self) { try await long.run(in: MemoryRunStore(), key: "k") }
        let cause = (pages.task.error as? WorkflowError)?.underlying as? WorkflowError
        #expect(cause?.code == .invalidOption && cause?.description.contains("1 KiB") == true)
    }

    /// The steps of the run and the number of pages that the owner loads, in a run with two workers.
    private func share(
        in kind: LostWorkerTests.Kind = .memory, atMost: Int? = nil, depth: Int? = nil,
        isStored: Bool = true, withOwner: Bool = false
    ) async throws -> (steps: [String: StepRecord], ofOwner: Int, report: [String]) {
        let store = try await kind.make()
        let ofOwner = Recorder<Int>()
        @Sendable func make(_ began: Recorder<Int>) throws -> Workflow {
            let workflow = Workflow("site")
            let options = TaskOptions(isRecomputed: !isStored)
            @Sendable func load(_ page: Int, _ more: GrowingList<Int>) -> String {
                began.record(page)
                more.add([2 * page, 2 * page + 1, page / 2].filter { (1...15).contains($0) })
                return "page \(page) \(more.depth)"
            }
            let key: @Sendable (Int) -> String = { "\($0)" }
            let pages =
                withOwner
                ? try workflow.growWithOwner(
                    "page", from: [1], key: key, limit: 2, atMost: atMost, options: options, body: load)
                : try workflow.grow(
                    "page", from: [1], key: key, limit: 2, atMost: atMost, depth: depth, options: options,
                    body: load)
            try workflow.add("report", after: pages) { $0.sorted() }
            return workflow
        }
        let bodies = bodies
        try await WorkersBeside.run(make(ofOwner), in: { store }, workers: 2) { try make(bodies) }
        return (
            try store.stepsByName(of: id), ofOwner.count,
            try store.result(of: "report", in: id, as: [String].self)
        )
    }

    @Test(
        "DR-41, DR-73: workers run the elements, each once, and know how deep they lie",
        arguments: LostWorkerTests.Kind.present)
    func workers(kind: LostWorkerTests.Kind) async throws {
        let (steps, ofOwner, report) = try await share(in: kind)
        #expect(ofOwner == 0 && bodies.values.sorted() == Array(1...15))
        #expect((1...15).allSatisfy { steps["page[\($0)]"]?.worker != nil })
        let depths = (1...15).map { "page \($0) \(Int.bitWidth - 1 - $0.leadingZeroBitCount)" }
        #expect(report == depths.sorted())
    }

    @Test("DR-41, DR-73: limits on number and depth hold with workers")
    func limitedWorkers() async throws {
        #expect(try await share(atMost: 5).report.count == 5)
        #expect(try await share(depth: 2).report.count == 7)
    }

    @Test(
        "DR-41, DR-73: elements that must stay with the owner run there, and their dependents in a worker",
        arguments: [false, true])
    func staying(isStored: Bool) async throws {
        let (steps, ofOwner, report) = try await share(isStored: isStored, withOwner: isStored)
        #expect(ofOwner == 15 && report.count == 15)
        #expect(steps["page[3]"]?.worker == nil && steps["report"]?.worker != nil)
    }

    @Test("DR-41, DR-73: an element that fails on a worker adds nothing, and its next attempt what it finds")
    func failedOnWorker() async throws {
        let store = SharedMemoryStore()
        let failures = Locked(1)
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("site")
            try workflow.grow(
                "page", from: ["a"], key: { $0 },
                options: TaskOptions(retry: .constant(attempts: 2, delay: .zero) { _ in true })
            ) { page, more in
                guard page == "a" else { return page }
                let isFirst = failures.withLock { left in
                    left -= 1
                    return left == 0
                }
                more.add(isFirst ? "first" : "second")
                if isFirst { throw Broken() }
                return page
            }
            return workflow
        }
        try await WorkersBeside.run(make(), in: { store }, workers: 1) { try make() }
        let steps = try store.stepsByName(of: id)
        #expect(Set(steps.keys) == ["page", "page[a]", "page[second]"] && steps["page[a]"]?.attempt == 2)
    }

    @Test("DR-41, DR-73: an element that a worker's program names otherwise is refused by it")
    func otherKey() async throws {
        let store = SharedMemoryStore()
        let refused = OneShot<String>()
        @Sendable func make(_ prefix: String) throws -> Workflow {
            let workflow = Workflow("site")
            try workflow.grow("page", from: [1], key: { prefix + "\($0)" }) { page, _ in page }
            return workflow
        }
        let worker = StepWorker(of: "site", in: store, WorkerSettings(slots: 1)) { _ in
            try make("other ")
        } tell: { news in
            if case .unknown(let claim, _) = news { refused.fulfill(claim.offer.step) }
        }
        let working = Task { try await worker.run() }
        let owner = try make("")
        let running = Task {
            try await owner.run(in: store, key: "k", retryingFailures: false, input: nil, on: .workers) { _ in
            }
        }
        #expect(await refused.value == "page[1]")
        owner.cancel()
        _ = await running.result
        worker.leave()
        try await working.value
        #expect(try store.stepsByName(of: id)["page[1]"]?.state == .cancelled)
    }

    @Test("DR-41, DR-73: a key that is too long fails the element on its worker, with the reason")
    func longKeyOnWorker() async throws {
        let store = SharedMemoryStore()
        @Sendable func make() throws -> (workflow: Workflow, pages: TaskRef<[String]>) {
            let workflow = Workflow("site")
            let pages = try workflow.grow("page", from: ["a"], key: { $0 }) { page, more in
                more.add(String(repeating: "x", count: 2000))
                return page
            }
            return (workflow, pages)
        }
        let owner = try make()
        await #expect(throws: WorkflowError.self) {
            try await WorkersBeside.run(owner.workflow, in: { store }, workers: 1) { try make().workflow }
        }
        let failure = try store.stepsByName(of: id)["page[a]"]?.failure
        #expect(failure?.message.contains("1 KiB") == true, "\(String(describing: failure))")
        #expect(owner.pages.task.state == .failed)
    }

    @Test("DR-41, DR-73: elements without a result are run by workers, too")
    func nothingOnWorker() async throws {
        let store = SharedMemoryStore()
        let bodies = self.bodies
        @Sendable func make() throws -> (workflow: Workflow, pages: TaskRef<[Void]>) {
            let workflow = Workflow("site")
            let pages = try workflow.grow("page", from: [1], key: { "\($0)" }) { page, more in
                bodies.record(page)
                more.add([2 * page, 2 * page + 1].filter { $0 < 8 })
            }
            return (workflow, pages)
        }
        let owner = try make()
        try await WorkersBeside.run(owner.workflow, in: { store }, workers: 2) { try make().workflow }
        #expect(try owner.pages.readValue().count == 7 && bodies.count == 7)
    }

    @Test(
        "DR-43, DR-73: the next owner takes away offers that are no elements of its list, or of another version"
    )
    func adopted() async throws {
        let store = SharedMemoryStore()
        let now = Date()
        let opened = try #require(
            try store.open(id, input: nil, as: RunOwner(since: now), at: now) as? any SharedRun)
        try opened.leave(toWorkers: true)
        let int = try #require(ResultCodec(of: Int.self))
        try opened.offer(
            [1, 2, 9].map { page in
                StepOffer(
                    step: "page[\(page)]", task: "page", version: page == 1 ? 1 : 2, attempt: 1, token: 7,
                    links: 0, failures: 0, interruptions: 0, priority: 2, cacheKey: nil,
                    element: try GrownBytes.element(page, depth: 0, int))
            })
        opened.close()
        let (workflow, pages) = try site(count: 3, version: 2)
        let running = Task {
            try await workflow.run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        await eventually {
            store.offers(of: id).map { "\($0.offer.step) \($0.offer.version)" } == ["page[1] 2"]
        }
        let worker = StepWorker(of: "site", in: store, WorkerSettings(slots: 2)) { _ in
            try site(count: 3, version: 2).workflow
        }
        let working = Task { try await worker.run() }
        _ = try await running.value
        worker.leave()
        try await working.value
        #expect(try Set(pages.readValue()) == expected(1...3) && bodies.count == 3)
        let steps = try store.stepsByName(of: id)
        // An offer that was taken away may have ended before: the next attempt has a later number.
        #expect(steps["page[9]"] == nil && steps["page[2]"]?.attempt == 2)
    }
}
