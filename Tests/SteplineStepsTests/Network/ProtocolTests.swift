import Foundation
import Stepline
import SteplineRequests
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    /// Protocols besides HTTP.
    @Suite("Protocols", .timeLimit(.minutes(5)), .enabled(if: isOverCurl))
    struct ProtocolTests {
        let server: LoopbackServer

        init() throws { server = try LoopbackServer() }

        @Test("PL-73: a proxy is shown the user and password of the environment, and the server isn't")
        func proxyWithUser() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                setenv("http_proxy", "http://user:pass@127.0.0.1:\(server.port)", 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                server.route("http://example.invalid/x", .text("by proxy"))
                let url = try #require(URL(string: "http://example.invalid/x"))
                let content = try await run(URLLoadStep(url))
                try #require(content.bodyData == Data("by proxy".utf8))
                try #require(server.requests.first?["Proxy-Authorization"] == "Basic dXNlcjpwYXNz")
                try #require(server.requests.first?["Authorization"] == nil)
            }
        }

        @Test("PL-81: a proxy that wants another user is the answer, with its status")
        func refusingProxy() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                setenv("http_proxy", server.url().absoluteString, 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                server.route("http://example.invalid/x", .status(407))
                let url = try #require(URL(string: "http://example.invalid/x"))
                try #require(await requestError(URLLoadStep(url))?.statusCode == 407)
            }
        }

        @Test("PL-73: trailers are read to their end, and the connection is used again")
        func trailers() async throws {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            server.route("/a", .raw(head: head + "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"))
            let content = try await run(URLLoadStep(server.url("/a")))
            #expect(content.bodyData == Data("hello".utf8))
            #expect(content.httpURLResponse?.value(forHTTPHeaderField: "X-Sum") == nil)
        }

        @Test("PL-83: a body is sent without asking for leave first")
        func noExpectation() async throws {
            server.route("/a", .text("a"))
            let body = options { $0.body = .data(Data(count: 2 << 20)) }
            _ = try await run(URLLoadStep(server.url("/a"), options: body))
            #expect(server.requests.map { $0["Expect"] } == [nil] && server.requests[0].bodyCount == 2 << 20)
        }

        @Test(
            "PL-78: data: URLs are read in all their forms",
            arguments: [
                ("data:,a%20b", "a b", "text/plain"), ("data:text/html,%3Cb%3E", "<b>", "text/html"),
                ("data:text/plain;base64,aGVsbG8=", "hello", "text/plain"),
                ("data:application/json;charset=utf-8;base64,e30", "{}", "application/json"),
                ("data:;base64,", "", "text/plain"), ("data:text/plain,a,b;c#d", "a,b;c", "text/plain"),
            ])
        func dataURLs(_ text: String, _ bytes: String, _ type: String) async throws {
            let url = try #require(URL(string: text))
            let content = try await run(URLLoadStep(url))
            #expect(content.bodyData == Data(bytes.utf8) && content[.urlResponse]?.mimeType == type)
        }

        @Test(
            "PL-78: a data: URL that can't be read is an error",
            arguments: ["data:", "data:x;base64,a", "data:;base64,%%%"])
        func badDataURLs(_ text: String) async throws {
            guard let url = URL(string: text) else { return }
            #expect(await requestError(URLLoadStep(url))?.code == .connection)
        }
    }
#endif
