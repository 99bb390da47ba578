import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

/// Results that one run takes over from another.
@Suite("Results of other runs", .timeLimit(.minutes(5)))
struct CachedResultTests {
    private let bodies = Bodies()
    private let store: any RunStore = .memory()
    private let clock = ManualClock()

    /// The bodies that the last run has begun.
    private final class Bodies: Sendable {
        private let names = Locked<[String]>([])
        var values: [String] { names.withLock { $0 } }
        func record(_ name: String) { names.withLock { $0.append(name) } }
        func removeAll() { names.withLock { $0 = [] } }
    }

    private struct Page: Codable, Sendable { var path: String, size: Int }

    /// A list, a page of each of its entries, and a sum of all.
    private func site(
        _ paths: [String], _ options: TaskOptions = .cached(for: .seconds(60)), factor: Int = 10
    ) throws -> Workflow {
        let bodies = self.bodies
        let workflow = Workflow("site", options: WorkflowOptions(clock: clock))
        let list = try workflow.add("list") { paths }
        let pages = try workflow.map("page", over: list, options: options, key: { $0 }) { path async in
            bodies.record(path)
            return Page(path: path, size: path.utf8.count * factor)
        }
        try workflow.add("sum", after: pages, options: options) { pages in
            bodies.record("sum")
            return pages.map(\.size).reduce(0, +)
        }
        return workflow
    }

    private func run(
        _ workflow: Workflow, _ key: String, in store: (any RunStore)? = nil
    ) async throws -> DurableReport {
        bodies.removeAll()
        if let store { return try await workflow.run(in: store, key: key) }
        return try await workflow.run(in: self.store, key: key)
    }

    private func result(_ step: String, _ key: String) throws -> String {
        String(decoding: try store.result(of: step, in: RunID("site", key: key)) ?? Data(), as: UTF8.self)
    }

    @Test("DR-23: a result of another run with equal inputs is taken over, and the report names that run")
    func takenOver() async throws {
        let first = try await run(site(["a", "bb"]), "1")
        #expect(first.takenOver.isEmpty && bodies.values.sorted() == ["a", "bb", "sum"])
        let second = try await run(site(["bb", "ccc"]), "2")
        #expect(bodies.values.sorted() == ["ccc", "sum"])
        #expect(second.takenOver == ["page[bb]": RunID("site", key: "1")])
        #expect(Set(second.executed) == ["list", "page[ccc]", "page", "sum"])
        #expect(try result("page[bb]", "2") == #"{"path":"bb","size":20}"# && result("sum", "2") == "50")
        let third = try await run(site(["bb", "ccc"]), "3")
        #expect(bodies.values == [])
        // Not from the second, which has only taken it over itself.
        #expect(third.takenOver["page[bb]"]?.key == "1" && third.takenOver["sum"]?.key == "2")
        #expect(try result("sum", "3") == "50")
    }

    @Test("DR-23: nothing is taken over of another version, of another workflow, too late, or unasked")
    func notTakenOver() async throws {
        _ = try await run(site(["a"]), "1")
        _ = try await run(site(["a"], .init(version: 2, cacheLifetime: .seconds(60)), factor: 7), "2")
        #expect(bodies.values == ["a", "sum"])
        #expect(try result("sum", "2") == "7")
        _ = try await run(site(["a"], .init()), "3")
        #expect(bodies.values == ["a", "sum"])
        let other = Workflow("other", options: WorkflowOptions(clock: clock))
        try other.add("sum", options: .cached(for: .seconds(60))) { 5 }
        #expect(try await run(other, "4").takenOver.isEmpty)
        clock.advance(by: .seconds(60))
        #expect(try await run(site(["a"]), "5").takenOver.count == 2)
        clock.advance(by: .seconds(1))
        #expect(try await run(site(["a"]), "6").takenOver.isEmpty)
        #expect(try await run(site(["a"]), "7").takenOver["sum"]?.key == "6")
    }

    @Test("DR-23: elements of a list that is known beforehand are taken over by what they are, not where")
    func elementsInPlace() async throws {
        func squares(_ numbers: [Int]) throws -> Workflow {
            let bodies = self.bodies
            let workflow = Workflow("site")
            try workflow.map("square", over: numbers, options: .cached(for: .seconds(60))) { number in
                bodies.record("\(number)")
                return number * number
            }
            return workflow
        }
        _ = try await run(squares([1, 2]), "1")
        let report = try await run(squares([3, 2]), "2")
        #expect(bodies.values == ["3"] && report.takenOver.keys.sorted() == ["square[2]"])
        #expect(try result("square", "2") == "[9,4]")
    }

    @Test("DR-23: a set counts by its elements, whatever their order in memory")
    func sets() async throws {
        func counting(_ names: Set<String>) throws -> Workflow {
            let workflow = Workflow("site", options: WorkflowOptions(clock: clock))
            let list = try workflow.add("names") { ["all": names] }
            try workflow.add("count", after: list, options: .cached(for: .seconds(60))) {
                $0["all"]?.count ?? 0
            }
            return workflow
        }
        let names = Set((0..<40).map { "name \($0)" })
        var wide = Set<String>(minimumCapacity: 10_000)
        wide.formUnion(names)
        #expect(Array(wide) != Array(names))
        _ = try await run(counting(names), "1")
        #expect(try await run(counting(wide), "2").takenOver.keys.sorted() == ["count"])
        wide.remove("name 1")
        #expect(try await run(counting(wide), "3").takenOver.isEmpty)
    }

    @Test("DR-23: a result made by a clock that was ahead isn't taken over, and hides no other")
    func clockAhead() async throws {
        let ahead = ManualClock()
        ahead.advance(by: .seconds(86_400))
        func make(_ clock: ManualClock) throws -> Workflow {
            let workflow = Workflow("site", options: WorkflowOptions(clock: clock))
            try workflow.add("sum", options: .cached(for: .seconds(60))) { 5 }
            return workflow
        }
        _ = try await run(make(ahead), "1")
        #expect(try await run(make(clock), "2").takenOver.isEmpty)
        #expect(try await run(make(clock), "3").takenOver["sum"]?.key == "2")
    }

    @Test("DR-23: the input of the run, and prerequisites of the enclosing task, are part of the cache key")
    func around() async throws {
        func nested(_ number: Int) throws -> Workflow {
            let bodies = self.bodies
            let workflow = Workflow("site"), inner = Workflow("inner")
            let first = try workflow.add("number") { number }
            try inner.add("double", options: .cached(for: .seconds(60))) {
                bodies.record("double")
                return try first.readValue() * 2
            }
            try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner), prerequisites: [first.task])
            return workflow
        }
        _ = try await run(nested(1), "1")
        #expect(try await run(nested(2), "2").takenOver.isEmpty && result("inner/double", "2") == "4")
        #expect(try await run(nested(2), "3").takenOver.keys.sorted() == ["inner/double"])
        try store.open(RunID("site", key: "4"), input: Data("x".utf8), as: .test(), at: moment()).close()
        #expect(try await run(nested(2), "4").takenOver.isEmpty)
    }

    @Test("DR-23: a failure is taken over by nobody, and a failed prerequisite leaves nothing to go by")
    func failures() async throws {
        func flaky(_ fails: Bool) throws -> Workflow {
            let bodies = self.bodies
            let workflow = Workflow("site")
            let options = TaskOptions.cached(for: .seconds(60))
            let price = try workflow.add("price", options: options) {
                bodies.record("price")
                if fails { throw Failure() }
                return 42
            }
            try workflow.add("text", after: price.allowingFailure, options: options) { price in
                bodies.record("text")
                return (try? price.get()).map { "\($0)" } ?? "none"
            }
            return workflow
        }
        _ = try? await run(flaky(true), "1")
        #expect(try result("text", "1") == "none")
        _ = try await run(flaky(false), "2")
        #expect(bodies.values == ["price", "text"])
        #expect(try result("text", "2") == "42")
        _ = try? await run(flaky(true), "3")
        #expect(bodies.values == [])
    }

    @Test("DR-23: a result whose files are gone isn't taken over")
    func filesGone() async throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "made")
        func making() throws -> Workflow {
            let bodies = self.bodies
            let workflow = Workflow("site")
            try workflow.add("make", options: .init(produces: [file], cacheLifetime: .seconds(60))) {
                bodies.record("make")
                try Data("x".utf8).write(to: file)
            }
            return workflow
        }
        _ = try await run(making(), "1")
        #expect(try await run(making(), "2").takenOver.count == 1)
        try FileManager.default.removeItem(at: file)
        #expect(try await run(making(), "3").takenOver.isEmpty && bodies.values == ["make"])
    }

    @Test("DR-23: a run that goes on keeps what it took over; one that is cut off at any write ends the same")
    func cut() async throws {
        _ = try await run(site(["a", "bb"]), "before")
        for number in 1...12 {
            let key = "cut \(number)"
            for cut in [CuttingStore.Cut.after(number), .before(number), .never] {
                _ = try? await run(site(["bb", "a", "ccc"]), key, in: CuttingStore(store, cut))
                #expect(bodies.values.allSatisfy { $0 == "ccc" || $0 == "sum" })
            }
            #expect(try result("sum", key) == "60")
            // The next run then makes the page again.
            _ = try store.forget(RunID("site", key: key))
        }
    }

    @Test("DR-2, DR-23: the check reports results that can't be cached")
    func checked() throws {
        struct Opaque: Sendable { var number = 1 }
        let cached = TaskOptions.cached(for: .seconds(60))
        let workflow = Workflow("site")
        let opaque = try workflow.add("opaque", options: .init(isRecomputed: true)) { [Opaque()] }
        try workflow.add("after", after: opaque, options: cached) { $0.count }
        try workflow.map("each", over: opaque, options: cached, key: { "\($0.number)" }) { $0.number }
        try workflow.add("again", options: .init(isRecomputed: true, cacheLifetime: .seconds(60))) { 1 }
        let issues = workflow.checkDurability()
        #expect(issues.map(\.code) == [.notCacheable, .notCacheable, .notCacheable])
        #expect(issues.compactMap(\.place).sorted() == ["after", "again", "each"])
        #expect(throws: WorkflowError.self) {
            try workflow.add("negative", options: .cached(for: .seconds(-1))) { 1 }
        }
    }

    private struct Failure: Error {}
}
