import Foundation
import Stepline
import SteplineTesting
import Testing

@testable import SteplineSteps

@Suite("The kept robots.txt of a crawl", .timeLimit(.minutes(1)))
struct RobotsFilesTests {
    private let clock = ManualClock()
    private let network = TransportDouble()

    private func files(mostBytes: Int = 64 << 20) throws -> RobotsFiles {
        var crawl = Crawl(from: try site("a"), agent: "notes-bot", atMost: 1)
        crawl.load.transport = network
        return RobotsFiles(crawl, clock: clock, mostBytes: mostBytes)
    }

    private func site(_ name: String) throws -> URL { try #require(URL(string: "http://\(name).example/")) }

    @Test("rules beyond the limit of memory are removed, and are loaded again when they are needed")
    func memory() async throws {
        let text = "User-agent: *\n" + (1...100).map { "Disallow: /\($0)\n" }.joined()
        network.on { _ in
            true
        } answer: { _, _ in
            .text(text)
        }
        // Each site takes some 21,000 bytes.
        let files = try files(mostBytes: 50_000)
        var counts: [Int] = []
        for name in ["a", "b", "a", "b", "c", "c", "a"] {
            _ = try await files.rules(of: site(name))
            counts.append(network.requests.count)
        }
        #expect(counts == [1, 2, 2, 2, 3, 3, 4])
    }

    @Test("the pause after a failure doubles up to a minute, and is what the error asks for")
    func pauses() async throws {
        network.on { _ in
            true
        } answer: { _, number in
            number == 7 ? .text("") : .status(503)
        }
        let files = try files()
        let page = try site("a")
        func asked() async -> RetryAfter? {
            do {
                _ = try await files.rules(of: page)
                return nil
            } catch {
                return error.retryAfter
            }
        }
        for seconds in [5, 10, 20, 40, 60, 60] {
            #expect(await asked() == .delay(.seconds(seconds)))
            clock.advance(by: .seconds(seconds - 2))
            let count = network.requests.count
            #expect(await asked() == .delay(.seconds(2)))
            #expect(network.requests.count == count)
            clock.advance(by: .seconds(2))
        }
        #expect(await asked() == nil)
        clock.advance(by: .seconds(86_400))
        #expect(await asked() == .delay(.seconds(5)))
    }

    @Test("a server that asks for a longer pause gets it, up to an hour")
    func askedPause() async throws {
        network.on(
            "GET", "http://a.example/robots.txt", .status(503).header("Retry-After", "30"),
            .status(503).header("Retry-After", "90000"))
        let files = try files()
        let page = try site("a")
        for seconds in [30, 60] {
            let error = await #expect(throws: CrawlError.self) { try await files.rules(of: page) }
            #expect(error?.retryAfter == .delay(.seconds(seconds)) && error?.isTransient == true)
            clock.advance(by: .seconds(seconds))
        }
    }
}
