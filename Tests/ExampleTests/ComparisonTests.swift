import Foundation
import SteplineTesting
import TestProcesses
import TestSupport
import Testing

@testable import Comparison

/// Runs the programs of the comparison page, and holds all ways of writing one to the same result.
@Suite("Comparison", .timeLimit(.minutes(5)))
struct ComparisonTests {
    typealias Way = Comparison.Way

    @Test(
        "a hundred loads, eight at once: transient failures are retried, lasting ones reported",
        arguments: Way.allCases)
    func load(way: Way) async throws {
        let server = try LoopbackServer()
        for number in 0..<100 {
            let city = LoopbackResponse.text(#"{"name": "City \#(number)"}"#)
            server.route("/\(number)", inTurn: number % 10 == 0 ? [.status(503), city] : [city])
        }
        server.route("/40", .status(404))
        server.route("/50", .status(503))
        server.route("/60", .text("no JSON"))
        let report = try await way.load((0..<100).map { server.url("/\($0)") })

        #expect(report.cities == (0..<100).filter { ![40, 50, 60].contains($0) }.map { "City \($0)" })
        #expect(report.failures.map { $0.url.path() } == ["/40", "/50", "/60"])
        #expect("\(report)".contains("97 cities\n/40 can't be had: "))
        let tries = Dictionary(grouping: server.requests, by: \.target).mapValues(\.count)
        #expect(tries["/10"] == 2 && tries["/40"] == 1 && tries["/50"] == 4 && tries["/60"] == 1)
    }

    @Test(
        "a release that fails or is cancelled while it waits continues at the next attempt",
        arguments: Way.allCases)
    func release(way: Way) async throws {
        let workshop = Workshop()
        let release = try way.release.init(workshop)
        // The build fails: what it needs and what runs beside it stays done.
        await #expect(throws: (any Error).self) { try await release.attempt() }
        #expect(await Set(workshop.done) == ["source", "build", "test"])

        // Built, and packed; then it waits for a word that doesn't come.
        let second = Task { try await release.attempt() }
        await eventually { await workshop.done.contains("pack") }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }

        await release.decide(true)
        #expect(try await release.attempt() == "published: v1 built, v1 tested")
        // A package finished at the instant of the cancel may be unrecorded, and is packed again.
        var done = await workshop.done
        #expect(done.removeLast() == "publish")
        #expect(Set(done) == ["source", "build", "test", "pack"])
        #expect(done.filter { $0 != "pack" }.sorted() == ["build", "build", "source", "test"])
    }

    @Test("a release that is refused isn't published", arguments: Way.allCases)
    func refused(way: Way) async throws {
        let workshop = Workshop()
        let release = try way.release.init(workshop)
        await release.decide(false)
        for _ in 1...2 { await #expect(throws: (any Error).self) { try await release.attempt() } }
        let done = await workshop.done
        #expect(!done.contains("publish") && done.contains("pack"))
    }

    @Test("a survey killed with -9 loads no kept page again", arguments: Way.allCases)
    func survey(way: Way) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "survey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try LoopbackServer()
        let pages = (1...12).map { "page-\($0)" }
        server.route("/pages", .text("[\(pages.map { "\"\($0)\"" }.joined(separator: ","))]"))
        for page in pages { server.route("/\(page)", .text("12345")) }
        // The last of them hang until the program is killed.
        let slow = pages.suffix(4)
        for page in slow { server.route("/\(page)", inTurn: [.text("x").fault(.silence), .text("12345")]) }
        let words = [
            "survey", way.rawValue, server.url().absoluteString, folder.appending(path: "kept").path,
        ]

        let first = Process()
        first.executableURL = try BuiltExample("Comparison").executable
        first.arguments = words
        first.standardOutput = FileHandle.nullDevice
        first.standardError = FileHandle.nullDevice
        let ended = AsyncStream<Int32>.makeStream()
        first.terminationHandler = { ended.continuation.yield($0.terminationStatus) }
        try TestProcess.start(first)
        // Each of the four that hang has the place of one whose size was written down before.
        await server.waitForRequests(1 + pages.count)
        kill(first.processIdentifier, SIGKILL)
        for await status in ended.stream {
            #expect(status == SIGKILL)
            break
        }

        let second = try await BuiltExample("Comparison").run(words)
        #expect(second.output == "60 bytes\n", "\(second.errors)")
        let loads = Dictionary(grouping: server.requests, by: \.target).mapValues(\.count)
        let again = pages.filter { loads["/\($0)"] != 1 }
        #expect(again.filter { !slow.contains($0) }.isEmpty && again.count == slow.count, "\(again)")
    }

    @Test("the command prints its usage")
    func usage() async throws {
        let command = try BuiltExample("Comparison")
        #expect(try await command.run(["release", "by-hand"]).status == 64)
        let release = try await command.run(["release", "stepline"])
        #expect(release.status == 0 && release.output.hasSuffix("published: v1 built, v1 tested\n"))
    }
}
