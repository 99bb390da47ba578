import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Headers that must not go astray", .timeLimit(.minutes(5)))
struct HeaderSafetyTests {
    let server: LoopbackServer
    let other: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        other = try LoopbackServer()
    }

    @Test(
        "PL-83: a header that can't be sent fails the load before anything is, by its name",
        arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b"])
    func unsendable(_ value: String) async throws {
        server.route("/a", .text("a"))
        let load = URLLoadStep(
            server.url("/a"), options: options { $0.headers = ["Authorization": value, "X-Fine": "1"] })
        let error = try #require(await requestError(load))
        #expect(error.code == .header && error.description.contains("Authorization"), "\(error)")
        #expect(!error.description.contains("X-Evil") && server.requests.isEmpty)
    }

    @Test("PL-79: a Host of one's own stays with its origin, as credentials do")
    func hostOverride() async throws {
        server.route("/a", .redirect(to: "/b", status: 307))
        server.route("/b", .redirect(to: other.url("/c").absoluteString, status: 307))
        other.route("/c", .text("c"))
        let headers = [
            "Host": "virtual.example", "Cookie": "mine=1", "Authorization": "hush", "X-Plain": "p",
        ]
        _ = try await run(URLLoadStep(server.url("/a"), options: options { $0.headers = headers }))
        #expect(server.requests.map { $0["Host"] } == ["virtual.example", "virtual.example"])
        let last = try #require(other.requests.first)
        #expect(last["Host"] == "127.0.0.1:\(other.port)" && last["X-Plain"] == "p")
        // A session may have cookies of its own, from other loads of this process.
        #expect(last["Cookie"]?.contains("mine") != true && last["Authorization"] == nil)
    }

    @Test(
        "PL-79: a redirect to a place that can't be read is an error, not an empty success",
        arguments: ["", " ", "http://[::1", "http://%zz/", "//", "http://a b/", "http://", ":"])
    func noPlace(_ place: String) async throws {
        server.route("/from", .raw(head: "HTTP/1.1 302 Found\r\nLocation: \(place)\r\n\r\n"))
        let error = await requestError(URLLoadStep(server.url("/from")))
        let known: [RequestError.Code] = [.redirectRefused, .badURL, .connection]
        #expect(error.map { known.contains($0.code) } == true, "\(String(describing: error))")
    }
}
