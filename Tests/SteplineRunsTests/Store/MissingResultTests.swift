import Foundation
import SteplineRuns
import SteplineWorkflow
import Testing

/// Large results that are removed from beside a store, or damaged there.
@Suite(.timeLimit(.minutes(5)))
struct MissingResultTests {
    private struct Broken: Error {}

    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = folder.url.appending(path: "store").path
    }

    private var blobs: [URL] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                at: URL(filePath: path + "-blobs"), includingPropertiesForKeys: nil)
        }
    }

    /// A page, also inside a subworkflow, and a step after each.
    private func make(isBroken: Bool = false) throws -> Workflow {
        let (workflow, inner) = (Workflow("mirror"), Workflow("inner"))
        let page = try workflow.add("page") { Data(repeating: 1, count: 100_000) }
        try workflow.add("size", after: page) { $0.count }
        let nested = try inner.add("page") { Data(repeating: 2, count: 100_000) }
        let around = SubworkflowTask(name: "inner", subworkflow: inner)
        try workflow.add(around)
        let last = BlockTask(name: "last") { attempt in
            do {
                if isBroken { throw Broken() }
                _ = try nested.readValue()
                attempt.finish()
            } catch { attempt.fail(with: error) }
        }
        try workflow.add(last, prerequisites: [around])
        return workflow
    }

    @Test func `DR-21: a finished run makes results again that were removed, also inside a subworkflow`()
        async throws
    {
        try await make().run(in: .file(path), key: "k")
        for file in try blobs { try FileManager.default.removeItem(at: file) }
        let workflow = try make()
        let report = try await workflow.run(in: .file(path), key: "k")
        #expect(Set(report.executed) == ["page", "size", "inner/page", "inner", "last"])
        #expect(Set(report.unreadable) == ["page", "inner/page"])
        #expect(try blobs.count == 2)
        #expect((workflow.allTasks[0].result as? Data)?.count == 100_000)
        #expect(try await make().run(in: .file(path), key: "k").executed == [])
    }

    @Test func `DR-21: a body that reads a damaged result of a finished subworkflow gets a new one`()
        async throws
    {
        _ = try? await make(isBroken: true).run(in: .file(path), key: "k")
        for file in try blobs { try Data(repeating: 9, count: 100_000).write(to: file) }
        let report = try await make().run(in: .file(path), key: "k", retryingFailures: true)
        #expect(Set(report.executed).isSuperset(of: ["inner/page", "inner", "last"]))
        #expect(report.unreadable.contains("inner/page"))
    }
}
