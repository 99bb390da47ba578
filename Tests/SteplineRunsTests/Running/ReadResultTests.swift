import Foundation
import SteplineJSON
import SteplineRunsTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// Results that are read without the workflow that has made them.
@Suite(.timeLimit(.minutes(5)))
struct ReadResultTests {
    private struct Page: Codable, Sendable, Equatable { var path: String }
    private struct Broken: Error {}

    private let store: any RunStore = .memory()
    private let id = RunID("mirror", key: "k")

    private func run() async throws {
        let workflow = Workflow("mirror")
        let pages = try workflow.map("page", over: ["/a", "/b"]) { Page(path: $0) }
        try workflow.add("total", after: pages) { $0.count }
        try workflow.add("text") { "42" }
        try workflow.add("bytes") { Data([0xFF, 1]) }
        try workflow.add("nothing") {}
        try workflow.add("bad") { throw Broken() }
        _ = try? await workflow.run(in: store, key: "k")
    }

    @Test func `DR-60: a finished step's result is read by its type, and another type is an error`()
        async throws
    {
        try await run()
        #expect(try store.result(of: "total", in: id, as: Int.self) == 2)
        #expect(try store.result(of: "page", in: id, as: [Page].self).map(\.path) == ["/a", "/b"])
        #expect(try store.result(of: "page[/b]", in: id, as: Page.self) == Page(path: "/b"))
        #expect(try store.result(of: "text", in: id, as: String.self) == "42")
        #expect(try store.result(of: "bytes", in: id, as: Data.self) == Data([0xFF, 1]))
        try store.result(of: "nothing", in: id, as: Void.self)
        func code(_ body: () throws -> Void) -> RunStoreError.Code? {
            do { try body() } catch { return (error as? RunStoreError)?.code }
            return nil
        }
        // Any bytes decode as a String.
        let codes: [RunStoreError.Code?] = [
            code { _ = try store.result(of: "total", in: id, as: String.self) },
            code { _ = try store.result(of: "total", in: id, as: Data.self) },
            code { _ = try store.result(of: "total", in: id, as: Void.self) },
            code { _ = try store.result(of: "total", in: id, as: Page.self) },
            code { _ = try store.result(of: "bad", in: id, as: Int.self) },
        ]
        #expect(codes == [.wrongType, .wrongType, .wrongType, .wrongType, .notFinished])
        do { _ = try store.result(of: "total", in: id, as: Page.self) } catch {
            #expect(
                "\(error)".hasPrefix(#"memory: the result of step "total" of mirror/k is no Page: it is 2"#))
        }
    }

    @Test func `DR-22, DR-60: the line that tells of a step's files is no part of its result`() async throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "made")
        let workflow = Workflow("mirror")
        try workflow.add("make", options: TaskOptions(produces: [file])) {
            try Data("x".utf8).write(to: file)
            return "made"
        }
        try await workflow.run(in: store, key: "k")
        try FileManager.default.removeItem(at: file)
        #expect(try store.result(of: "make", in: id, as: String.self) == "made")
        #expect(try store.resultText(of: "make", in: id) == #""made""#)
    }

    @Test func `DR-60: runs result writes JSON, of texts and data as well`() async throws {
        try await run()
        let texts = try ["total", "page", "text", "bytes", "nothing"].map {
            try store.resultText(of: $0, in: id)
        }
        #expect(texts == ["2", #"[{"path":"\/a"},{"path":"\/b"}]"#, #""42""#, #""/wE=""#, "null"])
    }
}
