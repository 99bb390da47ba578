import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// Elements of maps without keys, which a durable run names by content.
@Suite("Elements by content", .timeLimit(.minutes(5)))
struct ElementNamesTests {
    private struct Broken: Error {}

    private struct Page: Codable, Hashable {
        var path: String
        var links: Set<Int> = []
    }

    private enum Color: String, Codable { case red, blue }

    /// A list in both kinds of maps, and in both stores.
    enum Kind: CaseIterable {
        case known, result, recomputed
    }

    private let id = RunID("mirror", key: "k")

    private func withStores(_ body: (any RunStore) async throws -> Void) async throws {
        try await body(.memory())
        let folder = try TemporaryFolder()
        try await body(.file(folder.url.appending(path: "mirror.runs"), durability: .normal))
    }

    /// Makes a map over a list, whose elements fail that aren't in `done`.
    private func mirror<Element: Codable & Hashable & Sendable>(
        _ list: [Element], _ kind: Kind, done: Set<Element>? = nil, _ bodies: Recorder<Element>
    ) throws -> (workflow: Workflow, results: TaskRef<[Element]>) {
        let workflow = Workflow("mirror")
        let body: @Sendable (Element) throws -> Element = { element in
            bodies.record(element)
            if let done, !done.contains(element) { throw Broken() }
            return element
        }
        if kind == .known { return (workflow, try workflow.map("page", over: list, body: body)) }
        let options = TaskOptions(isRecomputed: kind == .recomputed)
        let made = try workflow.add("list", options: options) { list }
        return (workflow, try workflow.map("page", over: made, body: { try body($0) }))
    }

    /// Runs a map over the first list until its last element fails, and then over the second list; returns what ran
    /// then.
    private func edit<Element: Codable & Hashable & Sendable>(
        _ first: [Element], _ second: [Element], _ kind: Kind, in store: any RunStore
    ) async throws -> [Element] {
        let bodies = Recorder<Element>()
        let old = try mirror(first, kind, done: Set(first.dropLast()), bodies)
        _ = try? await old.workflow.run(in: store, key: "k")
        let before = bodies.count
        let new = try mirror(second, kind, bodies)
        try await new.workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(try new.results.readValue() == second)
        return Array(bodies.values.dropFirst(before))
    }

    @Test(
        "DR-4: an edited list without keys keeps the results of its elements, wherever they are now",
        arguments: [Kind.known, .recomputed])
    func edited(_ kind: Kind) async throws {
        try await withStores { store in
            let ran = try await edit(["a", "b", "end"], ["x", "a", "b", "end"], kind, in: store)
            #expect(Set(ran) == ["x", "end"])
            let names = Set(try store.stepsByName(of: id).keys).subtracting(["list"])
            #expect(names == ["page", "page[x]", "page[a]", "page[b]", "page[end]"])
        }
        try await withStores { store in
            let ran = try await edit([1, 2, 3], [3, 2, -1], kind, in: store)
            #expect(Set(ran) == [3, -1])
        }
        try await withStores { store in
            let (a, b, c) = (Page(path: "/a"), Page(path: "/b", links: [1, 2, 3, 4, 5]), Page(path: "/c"))
            let other = Page(path: "/a", links: [1])
            let ran = try await edit([a, b, c], [c, b, other], kind, in: store)
            #expect(Set(ran) == [c, other])
            let steps = try store.stepsByName(of: id)
            #expect(steps[#"page[{"links":[],"path":"/a"}]"#]?.state == .finished)
        }
        try await withStores { store in
            let (first, second): ([Double], [Double]) = ([0.1, -0.0, .infinity], [.infinity, 0.0, 0.1])
            let ran = try await edit(first, second, kind, in: store)
            #expect(Set(ran) == [0.0, .infinity])
        }
        try await withStores { store in
            let (first, second): ([String?], [String?]) = (["null", nil, "end"], [nil, "end", "null"])
            let ran = try await edit(first, second, kind, in: store)
            #expect(ran == ["end"])
        }
        try await withStores { store in
            let ran = try await edit([Color.red, .blue], [.blue, .red], kind, in: store)
            #expect(ran == [.blue])
        }
    }

    @Test(
        "DR-4: equal elements are counted, and none stands for another one",
        arguments: [Kind.known, .recomputed])
    func duplicates(_ kind: Kind) async throws {
        try await withStores { store in
            let ran = try await edit(
                ["a", "a", "a (2)", "end"], ["a (2)", "a", "a", "a", "end"], kind, in: store)
            #expect(ran.sorted() == ["a", "end"])
            let names = Set(try store.stepsByName(of: id).keys).subtracting(["list", "page", "page[end]"])
            #expect(names == ["page[a]", "page[a (2)]", "page[a (3)]", "page[a (2) (1)]"])
        }
    }

    @Test(
        "DR-4: long elements have short names, and control characters don't reach them",
        arguments: Kind.allCases)
    func long(_ kind: Kind) async throws {
        let long = String(repeating: "ü", count: 3000)
        let list = [long + "1", long + "2", "a\nb", #""a\nb""#, "", String(repeating: "😀", count: 33)]
        let store: any RunStore = .memory()
        let (workflow, results) = try mirror(list, kind, Recorder())
        try await workflow.run(in: store, key: "k")
        #expect(try results.readValue() == list)
        let names = try store.stepsByName(of: id).keys.filter { $0.hasPrefix("page[") }
        #expect(names.count == list.count && names.allSatisfy { $0.utf8.count < 150 })
        #expect(names.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } })
        #expect(names.contains(#"page["a\nb"]"#) && names.contains("page[]"))
    }

    @Test("DR-4: URLs and identifiers are named by their text, and data by base64")
    func texts() async throws {
        let store: any RunStore = .memory()
        let workflow = Workflow("mirror")
        let url = try #require(URL(string: "https://example.com/a?b=c"))
        let identifier = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        try workflow.map("url", over: [url]) { $0.path }
        try workflow.map("id", over: [identifier]) { "\($0)" }
        try workflow.map("data", over: [Data([0xff, 0])]) { $0.count }
        try await workflow.run(in: store, key: "k")
        let names = try store.stepsByName(of: id).keys.filter { $0.hasSuffix("]") }.sorted()
        #expect(
            names == [
                "data[/wA=]", "id[E621E1F8-C36C-495A-93FC-0C247A3E6E5F]", "url[https://example.com/a?b=c]",
            ])
    }

    @Test("DR-4: a failed element of a known list has the same name in the error, the events and the store")
    func sameName() async throws {
        let workflow = Workflow("mirror")
        let pages = try workflow.map("page", over: ["a", "b"]) { if $0 == "b" { throw Broken() } }
        let object = try #require(workflow.tasks(named: "page[1]").first)
        let store: any RunStore = .memory()
        let error = await #expect(throws: WorkflowError.self) { try await workflow.run(in: store, key: "k") }
        #expect(error?.report?.failures.map(\.task.name).sorted() == ["page", "page[b]"])
        #expect("\(pages.task.error.map { "\($0)" } ?? "")".contains("page[b]") && object.name == "page[b]")
    }

    @Test(
        "DR-4: elements of a known list that aren't Codable are named by place; those of a result are refused"
    )
    func notCodable() async throws {
        struct Opaque: Sendable { let text: String }
        let store: any RunStore = .memory()
        let known = Workflow("mirror")
        try known.map("page", over: [Opaque(text: "a")]) { $0.text }
        try await known.run(in: store, key: "k")
        #expect(try store.stepsByName(of: id)["page[0]"] != nil)
        let workflow = Workflow("other")
        let list = try workflow.add("list", options: TaskOptions(isRecomputed: true)) { [Opaque(text: "a")] }
        try workflow.map("page", over: list) { $0.text }
        let issues = workflow.checkDurability()
        #expect(issues.map(\.code) == [.notStorable] && issues.map(\.place) == ["page"])
        await #expect(throws: WorkflowError.self) { try await workflow.run(in: store, key: "k") }
        let keyed = Workflow("keyed")
        let other = try keyed.add("list", options: TaskOptions(isRecomputed: true)) { [Opaque(text: "a")] }
        try keyed.map("page", over: other, key: \.text) { $0.text }
        #expect(keyed.checkDurability().isEmpty)
    }

    @Test("DR-4: without a store elements are named by place")
    func notDurable() async throws {
        let (workflow, _) = try mirror(["a", "b"], .known, Recorder())
        #expect(workflow.checkDurability().isEmpty)
        try await workflow.run()
        #expect(workflow.allTasks.map(\.name) == ["page[0]", "page[1]", "page"])
    }
}
