import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The snippets of "From BkTask", compiled and run.

final class CountLines: BasicStep<Data, Int>, @unchecked Sendable {
    let separator: UInt8
    init(separator: UInt8) { self.separator = separator }
    override var outputKey: ContentKey<Int> { .lineCount }
    override func process(_ data: Data) throws -> Int {
        data.count { $0 == separator }
    }
    override func makeCopy() -> any Step { CountLines(separator: separator) }
}

@Suite("From BkTask", .timeLimit(.minutes(5)))
struct FromBkTaskSnippets {
    private final class Owner: Sendable {}

    /// A file of three lines.
    private func makeFile() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "bktask-\(UUID().uuidString)")
        try Data("one\ntwo\nthree\n".utf8).write(to: file)
        return file
    }

    @Test("the most basic task, by observers, awaited, and step by step")
    func basic() async throws {
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let owner = Owner()
        do {
            let task = Pipeline("load") {
                FileLoadStep(file)
            }
            task.onSuccess(on: .main, for: owner) { bytes in
                print("loaded \(bytes.count) bytes")
            }
            task.onFailure(on: .main, for: owner) { error in
                print(error)
            }
            try task.start()
            guard case .success = await task.outcome() else {
                Issue.record("it should have succeeded")
                return
            }
            #expect(task.content?.bodyData?.count == 14)
        }
        let bytes = try await Pipeline.loadingFile(file).run()
        #expect(bytes.count == 14)

        let task = Pipeline("load")
        try task.addStep(FileLoadStep(file))
        #expect(try await task.run().bodyData == bytes)
    }

    @Test("quick tasks")
    func quick() async throws {
        let server = try LoopbackServer()
        server.route("/city", .text(#"{"name": "Paris", "population": 2102650}"#))
        let request = URLRequest(url: server.url("/city"))
        let page = Pipeline.loading(request)
        let weather = Pipeline.loadingJSON(request)
        let city = Pipeline.loadingJSON(request, as: City.self)
        #expect(try await page.run().count == 40)
        #expect(try await weather.run()["name"]?.string == "Paris")
        #expect(try await city.run().name == "Paris")
        let tree = Pipeline.loading(request)
        try tree.addStep(JSONObjectStep())
        #expect((try await tree.run().bodyObject as? [String: Any])?["name"] as? String == "Paris")
    }

    @Test("steps made of blocks, and of a class")
    func steps() async throws {
        let queue = OperationQueue()
        let keyed = BlockStep(from: .bodyData, to: .bodyObject) { (data: Data) in data.split(separator: 10) }
        let queued = BlockStep(on: queue) { (lines: [Data]) in lines.map(\.count) }
        let plain = BlockStep { (sizes: [Int]) in sizes.reduce(0, +) }
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = Pipeline("lines")
        for step in [FileLoadStep(file), keyed, queued, plain] as [any Step] { try lines.addStep(step) }
        #expect(try await lines.run(returning: Int.self) == 11)

        let counting = Pipeline("count") {
            FileLoadStep(file)
            CountLines(separator: UInt8(ascii: "\n"))
        }
        let copy = try counting.copy()
        #expect(try await counting.run(returning: .lineCount) == 3)
        #expect(try await copy.run(returning: .lineCount) == 3)
    }

    @Test("a queue whose operations are all cancelled, and a manager in its place")
    func cancellingAll() async throws {
        let server = try LoopbackServer(), request = URLRequest(url: server.url("/search"))
        server.route("/search", .text("never all of it").fault(.silence))
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            let queue = OperationQueue()
            let first = Pipeline("first") { FileLoadStep(file).on(queue) }
            let second = Pipeline("second") { FileLoadStep(file).on(queue) }
            try first.start()
            try second.start()
            queue.cancelAllOperations()
            for pipeline in [first, second] {
                // The pipeline may have ended before the cancel.
                if case .cancelled(let reason) = await pipeline.outcome() {
                    #expect(reason == .queueCancelled)
                }
            }
        }
        let manager = TaskManager()
        let search = Pipeline("search") { URLLoadStep(request) }
        manager.add(search, options: .init(tags: ["search"]))
        manager.cancelAll(tagged: "search", "the user typed on")
        manager.cancelAll()
        try await manager.waitUntilIdle()
        #expect(manager.tasks.isEmpty)
    }

    @Test("the bag, changed from outside while the line runs")
    func changing() async throws {
        let gate = Gate()
        let load = BlockStep { () async in
            await gate.wait()
            return Data("one\n".utf8)
        }
        let task = Pipeline("lines")
        try task.addStep(load)
        try task.addStep(
            BlockStep(to: .lineCount) { (data: Data) in data.count { $0 == UInt8(ascii: "\n") } })
        try task.start()
        await gate.waitForArrivals()

        let change = BlockStep { (bag: Content) in
            var bag = bag
            bag.bodyData = Data("one\ntwo\n".utf8)
            return bag
        }
        try task.insert(change, after: load)
        gate.open()
        #expect(try await task.outcome().get()[.lineCount] == 2)
    }

    @Test("an upload and a download over a session of one's own")
    func transfers() async throws {
        let server = try LoopbackServer()
        server.route("/up", method: "POST") { request in .text(String(decoding: request.body, as: UTF8.self))
        }
        server.route("/up", method: "GET", .text("hello"))
        let file = try makeFile(), copy = file.appendingPathExtension("copy")
        defer { for file in [file, copy] { try? FileManager.default.removeItem(at: file) } }
        let session = URLSession(configuration: .ephemeral), request = URLRequest(url: server.url("/up"))
        let upload = Pipeline("upload") {
            FileLoadStep(file)
            URLUploadStep(request, session: session)
        }
        let download = Pipeline("download") {
            URLDownloadStep(request, to: copy, session: session)
        }
        #expect(try await upload.run() == Data("one\ntwo\nthree\n".utf8))
        _ = try await download.run()
        #expect(try String(contentsOf: copy, encoding: .utf8) == "hello")
    }

    @Test("the sample project")
    func sample() async throws {
        let server = try LoopbackServer()
        server.route(
            "/search",
            .text(
                #"{"results": [{"name": "Oslo", "population": 709000}, {"name": "Paris", "population": 2102650}]}"#
            ))
        let request = URLRequest(url: server.url("/search")), owner = Owner()
        let search = Pipeline("search") {
            URLLoadStep(request)
            JSONDecodeStep<[City]>(at: "/results")
            BlockStep { (cities: [City]) in cities.sorted { $0.population > $1.population } }
        }
        search.onSuccess(on: .main, for: owner) { cities in
            print(cities.map(\.name))
        }
        try search.start()
        _ = await search.outcome()
        #expect((search.output as? [City])?.map(\.name) == ["Paris", "Oslo"])
    }
}
