import Foundation
import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import Testing

/// Maps whose results are kept with their elements.
@Suite(.timeLimit(.minutes(5)))
struct LargeMapTests {
    private struct Broken: Error {}
    private let id = RunID("mirror", key: "k")

    private func make(
        isBroken: Bool = false, count: Int = 4, isStatic: Bool
    ) throws -> (Workflow, TaskRef<[Data]>) {
        let workflow = Workflow("mirror")
        let inner = Workflow("inner")
        let list = try inner.add("list") { Array(0..<count) }
        let page = { @Sendable (number: Int) in Data(repeating: UInt8(number), count: 100_000) }
        let pages =
            try isStatic
            ? inner.map("a/page", over: Array(0..<count), body: page)
            : inner.map("a/page", over: list, key: { "\($0)" }, body: page)
        try inner.add("size", after: pages) { pages in
            if isBroken { throw Broken() }
            return pages.map(\.count).reduce(0, +)
        }
        try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner))
        return (workflow, pages)
    }

    @Test(arguments: [false, true])
    func `DR-4, DR-21: the results of a map's elements are kept once, and the map's names them`(
        isStatic: Bool
    ) async throws {
        let folder = try TestFolder()
        let path = folder.url.appending(path: "store").path
        let store: any RunStore = try .file(path)
        _ = try? await make(isBroken: true, isStatic: isStatic).0.run(in: store, key: "k")
        #expect(try #require(store.step("inner/a/page", of: id)?.resultSize) < 1000)
        let blobs = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: path + "-blobs"), includingPropertiesForKeys: [.fileSizeKey])
        let size = try blobs.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }.reduce(0, +)
        #expect(size == 4 * 100_000)
        let (workflow, pages) = try make(isStatic: isStatic)
        let report = try await workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(report.executed == ["inner/size", "inner"])
        #expect(try store.result(of: "inner/size", in: id, as: Int.self) == 400_000)
        let list = try pages.readValue()
        #expect(list.map(\.first) == (0..<4).map { UInt8($0) })
        #expect(try store.result(of: "inner/a/page", in: id, as: [Data].self) == list)
    }

    @Test(arguments: [false, true])
    func `DR-21: an element whose result is gone is made again, with the map and all that follows`(
        isStatic: Bool
    ) async throws {
        let folder = try TestFolder()
        let path = folder.url.appending(path: "store").path
        try await make(count: 3, isStatic: isStatic).0.run(in: .file(path), key: "k")
        for file in try FileManager.default.contentsOfDirectory(
            at: URL(filePath: path + "-blobs"), includingPropertiesForKeys: nil)
        where try Data(contentsOf: file).first == 1 { try FileManager.default.removeItem(at: file) }
        let report = try await make(count: 3, isStatic: isStatic).0.run(in: .file(path), key: "k")
        #expect(report.executed == ["inner/a/page[1]", "inner/a/page", "inner/size", "inner"])
        #expect(try await make(count: 3, isStatic: isStatic).0.run(in: .file(path), key: "k").executed == [])
    }

    @Test func `DR-21, DR-43: an owner reads the list of a map over a known list that a worker has joined`()
        async throws
    {
        let store = SharedMemoryStore()
        @Sendable func build() throws -> Workflow {
            let workflow = Workflow("mirror")
            let pages = try workflow.map("page", over: Array(0..<10)) {
                Data(repeating: UInt8($0), count: 10_000)
            }
            let sizes = try workflow.map("size", over: pages) { $0.count }
            try workflow.add("sum", after: sizes) { $0.reduce(0, +) }
            return workflow
        }
        let owner = try build()
        try await WorkersBeside.run(owner, in: { store }, workers: 1, build: build)
        #expect(owner.allTasks.last?.result as? Int == 100_000)
        let pages = owner.allTasks.first { $0.name == "page" }?.result as? [Data]
        #expect(pages?.map(\.first) == (0..<10).map { UInt8($0) })
    }

    @Test(arguments: [false, true])
    func `DR-21: a large map without a name runs once`(isStatic: Bool) async throws {
        let store: any RunStore = .memory()
        func run() async throws -> [String] {
            let workflow = Workflow("mirror")
            let list = try workflow.add("list") { [1, 2] }
            let page = { @Sendable (number: Int) in Data(repeating: UInt8(number), count: 100_000) }
            _ =
                try isStatic
                ? workflow.map("", over: [1, 2], body: page) : workflow.map("", over: list, body: page)
            return try await workflow.run(in: store, key: "k").executed
        }
        #expect(try await run().count == 4)
        #expect(try await run() == [])
    }

    @Test func `DR-43: the owner of a map that workers run reads none of its results at its end`()
        async throws
    {
        let store = CountingStore()
        @Sendable func build() throws -> Workflow {
            let workflow = Workflow("mirror")
            let list = try workflow.add("list") { Array(0..<40) }
            let pages = try workflow.map("page", over: list) {
                Data(repeating: UInt8($0), count: 10_000)
            }
            try workflow.add("size", after: pages) { $0.map(\.count).reduce(0, +) }
            return workflow
        }
        let owner = try build()
        try await WorkersBeside.run(owner, in: { store }, workers: 1, build: build)
        // The list that the map is made of.
        #expect(store.reads == 1)
        #expect(owner.allTasks.last?.result as? Int == 400_000)
    }
}

/// A shared store that counts reads of single results.
private final class CountingStore: ForwardingSharedStore {
    let shared: any SharedRunStore = SharedMemoryStore()
    private let count = Locked(0)
    var reads: Int { count.withLock { $0 } }

    func result(of step: String, in id: RunID) throws -> Data? {
        count.withLock { $0 += 1 }
        return try shared.result(of: step, in: id)
    }
}
