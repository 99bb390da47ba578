import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Answers to what wasn't asked", .timeLimit(.minutes(5)))
struct UnaskedAnswerTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("PL-80: an unrequested 206 is an error, and isn't taken for the whole")
    func part() async throws {
        server.route(
            "/a", LoopbackResponse.text("fragment", status: 206).header("Content-Range", "bytes 5-12/99"))
        #expect(await requestError(URLLoadStep(server.url("/a")))?.code == .status)
        let asking = options { $0.headers["Range"] = "bytes=5-12" }
        let content = try await run(URLLoadStep(server.url("/a"), options: asking))
        #expect(content.bodyData == Data("fragment".utf8))
    }

    @Test("PL-75, PL-86: 304 is an error unless the request is conditional or the policy accepts any status")
    func notModified() async throws {
        server.route("/a", .status(304))
        #expect(await requestError(URLLoadStep(server.url("/a")))?.code == .status)
        let own = URLLoadStep(request(server.url("/a"), headers: ["If-None-Match": "\"v1\""]))
        let asking = ["If-None-Match", "If-Modified-Since"].map { name in
            URLLoadStep(server.url("/a"), options: options { $0.headers[name] = "\"v1\"" })
        }
        let all = URLLoadStep(server.url("/a"), options: options { $0.status = .any })
        for step in [own, all] + asking {
            let content = try await run(step)
            #expect(content.httpURLResponse?.statusCode == 304 && content.bodyData == Data())
        }
    }

    @Test("PL-81: a head of many lines is refused before they cost much", .overCurl)
    func manyLines() async throws {
        let lines = (0..<100_000).map { _ in "A:b\r\n" }.joined()
        server.route("/a", .raw(head: "HTTP/1.1 200 OK\r\n\(lines)\r\n"))
        let error = await requestError(URLLoadStep(server.url("/a")))
        #expect(error?.code == .connection)
        #expect(error?.underlying(as: URLError.self)?.localizedDescription.contains("lines") == true)
    }

    @Test(
        "PL-81: all spellings of an address lead to it", .overCurl,
        arguments: ["127.1", "0x7f.0.0.1", "2130706433", "0177.0.0.1", "127.0.0.1"])
    func spellings(_ host: String) async throws {
        server.route("/a", .text("a"))
        let url = try #require(URL(string: "http://\(host):\(server.port)/a"))
        #expect(try await run(URLLoadStep(url)).bodyData == Data("a".utf8))
    }

    @Test(
        "PL-81: all spellings of an address of IPv6 are connected to", .overCurl,
        arguments: ["0:0:0:0:0:0:0:1", "::0001", "0::1", "::ffff:127.0.0.1", "::FFFF:7f00:1"])
    func longSpellings(_ host: String) async throws {
        let url = try #require(URL(string: "http://[\(host)]:1/"))
        let cause = await requestError(URLLoadStep(url))?.underlying(as: URLError.self)
        #expect(cause?.code == .cannotConnectToHost)
    }
}
