import Foundation
import SteplineTesting
import TestSupport
import Testing

/// Answers of servers that mean harm, and what becomes of the URLs beside them.
@Suite("fetch: hostile servers", .timeLimit(.minutes(5)))
struct FetchHostileTests {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    @Test(
        "no hostile answer ends the process: all other files are complete, and no partial file is left",
        arguments: [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\0: z\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200", "HTTP/1.1 abc\r\n\r\n",
        ])
    func hostile(_ answer: String) async throws {
        server.route("/hostile", .raw(head: answer))
        var urls = [server.url("/hostile").absoluteString]
        for number in 0..<8 {
            server.route("/\(number)", .pattern(count: 10_000 + number))
            urls.append(server.url("/\(number)").absoluteString)
        }
        let result = try await Command.run(
            ["fetch", "-o", "out/", "--retries", "0"] + urls, in: folder.url, as: .process)
        #expect(!result.wasSignalled && result.status == 1, "\(result.errors)")
        #expect(result.complaints.count == 1 && result.errors.contains("/hostile"))
        #expect(try folder.names(in: "out") == (0..<8).map(String.init))
    }

    @Test("an address of IPv6 is one that can be fetched")
    func sixthVersion() async throws {
        let result = try await Command.run(["fetch", "http://[::1]:1/", "--retries", "0"])
        #expect(result.status == 1 && result.errors.lowercased().contains("connect"), "\(result.errors)")
    }

    @Test("the failure contains the server's Retry-After")
    func retryAfter() async throws {
        server.route("/busy", LoopbackResponse.status(503).header("Retry-After", "120"))
        let url = server.url("/busy").absoluteString
        let result = try await Command.run(["fetch", url, "--retries", "0"])
        #expect(result.errors.contains("status 503") && result.errors.contains("120 seconds"))
    }

    @Test("a symbolic link in the folder of results is not followed out of it")
    func links() async throws {
        let victim = folder.url.appending(path: "victim")
        let out = folder.url.appending(path: "out")
        try Data("precious".utf8).write(to: victim)
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: out.appending(path: "x"), withDestinationURL: victim)
        server.route("/x", .text("evil"))
        let url = server.url("/x").absoluteString
        for more in [[], ["--resume"], ["--format", "json", "--json"]] {
            let result = try await Command.run(
                ["fetch", url, "-o", "out/", "--retries", "0"] + more, in: folder.url)
            if more.isEmpty || more == ["--resume"] { #expect(result.status == 1, "\(more)") }
            #expect(try folder.text("victim") == "precious")
        }
    }
}
