import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Crawls in processes of their own, killed and interrupted.
///
/// `STEPLINE_ROUNDS` is the number of pages of the killed crawl, if there are fewer.
@Suite(
    "stepline crawl, killed and interrupted", .timeLimit(.minutes(Chance.givenRounds == nil ? 5 : 60)))
struct KilledCrawlTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "killed with -9 again and again: each page has one row, and at most the loads in flight are repeated")
    func killed() async throws {
        let site = try CrawlSite(max(200, min(Chance.rounds(0), 100_000)))
        let (jobs, kills) = (4, site.count / 20 > 50 ? 50 : 10)
        let words = [
            "crawl", site.start, "--store", "c.runs", "--to", "pages.jsonl", "--select", "title, h1",
            "--jobs", "\(jobs)", "--at-most", "1000000", "--quiet",
            // A page that was in flight at three kills fails, and is loaded by this.
            "--retrying-failures",
        ]
        var random = StableRandom(seed: Chance.seed)
        for _ in 1...kills {
            let command = try StartedCommand(words, in: folder.url)
            // From robots.txt on, up to the share of pages that leaves some for the last process.
            let more = Int.random(in: 1...(site.count / kills), using: &random)
            await site.server.waitForRequests(site.server.requests.count + more)
            command.signal(SIGKILL)
            let end = await command.result()
            #expect(end.wasSignalled && end.errors.isEmpty, "\(end.errors)")
        }
        let last = try await StartedCommand(words, in: folder.url).result()
        #expect(last.status == 0, "\(last.errors)")
        #expect(try folder.sortedLines("pages.jsonl") == site.rows())
        let requests = site.requests
        #expect(requests.values.reduce(0) { $0 + $1 - 1 } <= kills * jobs)
        #expect((0..<site.count).allSatisfy { requests["/\($0)", default: 0] > 0 })
    }

    /// A site whose first pages hold their answers until the gate opens, and then link to further pages.
    private func heldSite(_ gate: Gate) throws -> LoopbackServer {
        let server = try LoopbackServer()
        func page(_ path: String, links: [String]) -> LoopbackResponse {
            .text(
                "<title>\(path)</title>" + links.map { "<a href='\($0)'>x</a>" }.joined(), type: "text/html")
        }
        server.route("/robots.txt", .status(404))
        server.route("/", page("/", links: ["/1", "/2", "/3"]))
        for path in ["/1", "/2"] {
            server.route(path, page(path, links: ["/3", "/4"]).fault(.hold(after: 10, gate)))
        }
        for path in ["/3", "/4"] { server.route(path, page(path, links: [])) }
        return server
    }

    @Test(
        "the first Ctrl-C finishes and keeps the loads in flight and begins no other; the next command goes on",
        arguments: [true, false])
    func interrupted(isKept: Bool) async throws {
        let gate = Gate()
        let server = try heldSite(gate)
        let file = folder.url.appending(path: "pages.jsonl").path
        let store = isKept ? ["--store", folder.url.appending(path: "c.runs").path] : []
        let words = ["crawl", server.url().absoluteString, "--jobs", "2", "--to", file] + store
        let terminal = try Terminal(words)
        #expect(await terminal.waits(for: "1 page done, 1 queued, "))
        await server.waitForRequests(4)
        terminal.send(SIGINT)
        #expect(await terminal.waits(for: "stopping (again to end at once)"))
        gate.open()
        #expect(await terminal.exitCode() == 130)
        #expect(await terminal.waits(for: "stepline: interrupted\r\n"))
        #expect(await terminal.waits(for: "3 pages done, 2 queued in "))
        #expect(server.requests.map(\.target).sorted() == ["/", "/1", "/2", "/robots.txt"])
        #expect(try folder.sortedLines("pages.jsonl").count == 3)
        guard isKept else { return }
        #expect(await terminal.waits(for: "to continue, run the same command again"))
        let next = try await Command.run(words, in: folder.url)
        #expect(next.status == 0, "\(next.errors)")
        #expect(try folder.sortedLines("pages.jsonl").count == 5)
        let loaded = server.requests.map(\.target).filter { $0 != "/robots.txt" }
        #expect(loaded.sorted() == ["/", "/1", "/2", "/3", "/4"])
    }

    @Test("the second Ctrl-C ends at once, and the loads that were in flight are repeated")
    func interruptedTwice() async throws {
        let gate = Gate()
        let server = try heldSite(gate)
        let words = [
            "crawl", server.url().absoluteString, "--jobs", "2", "--to",
            folder.url.appending(path: "pages.jsonl").path, "--store",
            folder.url.appending(path: "c.runs").path,
        ]
        let terminal = try Terminal(words)
        #expect(await terminal.waits(for: "1 page done"))
        await server.waitForRequests(4)
        terminal.send(SIGINT)
        #expect(await terminal.waits(for: "stopping (again to end at once)"))
        terminal.send(SIGINT)
        #expect(await terminal.exitCode() == 130)
        gate.open()
        #expect(try await Command.run(words, in: folder.url).status == 0)
        #expect(try folder.sortedLines("pages.jsonl").count == 5)
    }

    @Test(
        "a file that can't grow ends the crawl with its error, and begins no further load",
        .enabled(if: !Sanitizers.areAtWork, "ThreadSanitizer writes a larger file when a program begins"))
    func fullFile() async throws {
        let site = try CrawlSite(200)
        let command = try Command.executable().path
        let result = try await Command.run(
            ["-c", "ulimit -f 1; exec '\(command)' crawl \(site.start) --to pages.jsonl --jobs 2"],
            program: URL(filePath: "/bin/sh"), in: folder.url)
        #expect(result.status == 1 && !result.wasSignalled)
        #expect(
            result.complaints.last == "stepline: --to pages.jsonl can't be written: File too large",
            "\(result.errors)")
        #expect(site.server.requests.count < 200)
    }

    @Test("a closed stdout ends the crawl with 141, and the next command writes all rows")
    func closedOutput() async throws {
        let site = try CrawlSite(60)
        let words = "crawl \(site.start) --store c.runs --select 'title, h1' --quiet"
        let command = try Command.executable().path
        let result = try await Command.run(
            ["-c", "{ '\(command)' \(words); echo $? >code; } | head -n 2"],
            program: URL(filePath: "/bin/sh"), in: folder.url)
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(try ["0\n", "141\n"].contains(folder.text("code")))
        let next = try await Command.run(
            ["crawl", site.start, "--store", "c.runs", "--select", "title, h1"], in: folder.url)
        #expect(next.status == 0, "\(next.errors)")
        #expect(next.output.filledLines.sorted() == site.rows())
    }
}
