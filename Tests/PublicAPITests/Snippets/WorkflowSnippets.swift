import Foundation
import Stepline
import SteplineTesting
import Testing

/// The guide's snippets, as a user writes them.
@Suite(.timeLimit(.minutes(5)))
struct WorkflowSnippetTests {
    final class Upload: WorkflowTask, @unchecked Sendable {  // adds nothing
        override func main() {
            let attempt = currentAttempt
            attempt.onCancel {}
            attempt.finish(with: "uploaded")
        }
    }

    @Test("WF-38: the typed form of the guide")
    func typed() async throws {
        let url = "here"
        let written = Recorder<String>()
        @Sendable func fetch(_ url: String) async throws -> String { "a b" }
        @Sendable func extract(_ page: String) throws -> [Substring] { page.split(separator: " ") }
        @Sendable func write(_ page: String, _ links: [Substring]?) {
            written.record("\(page): \(links?.count ?? 0)")
        }
        let workflow = Workflow("mirror")
        let page = try workflow.add("load") { () async throws in try await fetch(url) }
        let links = try workflow.add("links", after: page) { page in try extract(page) }
        try workflow.add("report", after: page, links.allowingFailure) { page, links in
            write(page, try? links.get())
        }
        try await workflow.run()
        #expect(written.values == ["a b: 2"])
    }

    @Test("elements, a condition, a pool")
    func more() async throws {
        let url = "here", names = ["a", "bc"]
        @Sendable func fetch(_ url: String) async throws -> String { "a b" }
        @Sendable func size(of name: String) throws -> Int { name.count }
        let workflow = Workflow("more")
        let sizes = try workflow.map("size", over: names, limit: 8) { name in try size(of: name) }
        let consent = try workflow.addCondition("consent", of: Bool.self)
        try workflow.add("send", after: sizes, consent) { sizes, consent in consent ? sizes.reduce(0, +) : 0 }
        consent.fulfill(with: true)
        let downloads = ConcurrencyPool("downloads", capacity: 4)
        try workflow.add("page", options: .init(priority: .high, pools: [downloads: 1])) { () async throws in
            try await fetch(url)
        }
        try await workflow.run()
        #expect(workflow.tasks(named: "send").first?.result as? Int == 3 && downloads.free == 4)
    }

    @Test("all options of a workflow")
    func allOptions() {
        let options = WorkflowOptions(
            onFailure: .cancelOthers, maximumConcurrency: 8, requiresUniqueNames: true,
            deadline: .seconds(3600), grace: .seconds(5), watchdog: .seconds(60), keptAttempts: 8,
            isRelaxed: false, faults: [], clock: .system, executor: nil, callbackQueue: .main,
            log: .shared)
        #expect(Workflow("nightly", options: options).options.keptAttempts == 8)
    }

    @Test("elements that find elements")
    func growing() async throws {
        let site = ["/": ["/a", "/b"], "/a": ["/b", "/c", "/"]]
        @Sendable func fetch(_ path: String) async throws -> [String] { site[path] ?? [] }
        @Sendable func links(in page: [String]) -> [String] { page }
        let workflow = Workflow("site")
        let pages = try workflow.grow("page", from: ["/"], key: { $0 }, limit: 8, atMost: 500) { path, more in
            let page = try await fetch(path)
            more.add(links(in: page))
            return page.count
        }
        try await workflow.run()
        #expect(pages.result == [2, 3, 0, 0])
        #expect(try pages.settled.count == 4)
    }

    @Test("WF-34: a block with required keys")
    func keys() async throws {
        let workflow = Workflow("page")
        let title = try workflow.add("title") { "Title" }
        let text = try workflow.add("text") { "Text" }
        let keys: Set<PrerequisiteKey> = ["title", "text"]
        let page = BlockTask(name: "page", requiredPrerequisiteKeys: keys) { attempt in
            let parts = ["title", "text"].map { attempt.prerequisiteResult(forKey: PrerequisiteKey($0)) }
            attempt.finish(with: parts.compactMap { $0 as? String }.joined(separator: ": "))
        }
        try workflow.add(page, keyedPrerequisites: ["title": title.task, "text": text.task])
        try await workflow.run()
        #expect(page.result as? String == "Title: Text")
    }

    @Test("WF-4, 72: a block that finishes by itself, and a pipeline behind it")
    func pipelines() async throws {
        let server = try LoopbackServer()
        server.route("/feed", .text("<rss version='2.0'><channel><title>t</title></channel></rss>"))
        let url = server.url("/feed")
        let newest = "newest"
        let workflow = Workflow("feeds")
        let source = try workflow.add(BlockTask(name: "pick") { $0.finish(with: newest) })
        let feed = PipelineTask(name: "feed") {
            Pipeline {
                URLLoadStep(url)
                FeedStep()
            }
        }
        try workflow.add(feed, keyedPrerequisites: ["source": source])
        let result = try await workflow.run()
        #expect(result.ending == .finished)
        #expect((feed.result as? Feed)?.title == "t")
    }

    @Test("WF-4, WF-72: subclasses and pipelines side by side")
    func objects() async throws {
        let workflow = Workflow("order")
        let upload = try workflow.add(Upload(name: "upload"))
        let text = try workflow.add(
            PipelineTask(name: "text") {
                Pipeline { BlockStep { (text: String) in text.uppercased() } }
            }, prerequisites: [upload])
        try await workflow.run()
        #expect(text.result as? String == "UPLOADED")
    }

    @Test("WF-90: the guide's group")
    func groups() async throws {
        let album = ["a", "b"]
        let workflow = Workflow("album")
        let project = try workflow.add(WorkflowTask())
        let submit = WorkflowTask()
        func Upload(_ photo: String) -> WorkflowTask { WorkflowTask(name: photo) }
        let photos = workflow.group("photos")
        for photo in album { try photos.add(Upload(photo), prerequisites: [project]) }
        try workflow.add(submit, prerequisites: photos.tasks)
        try await workflow.run()
        #expect(submit.isFinished && submit.prerequisites.map(\.name) == album)
    }

    @Test("WF-101, WF-102: the guide's report")
    func reports() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).html")
        defer { try? FileManager.default.removeItem(at: file) }
        let workflow = Workflow("mirror", options: WorkflowOptions(keptAttempts: 8))
        let page = try workflow.add("load") { 1 }
        let report = try await workflow.run()
        print(report.criticalPath, report.slack(of: page.task) ?? .zero)
        try workflow.picture(as: .html).write(to: file, atomically: true, encoding: .utf8)
        #expect(report.criticalPath.map(\.name) == ["load"] && report.slack(of: page.task) == .zero)
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    }
}
