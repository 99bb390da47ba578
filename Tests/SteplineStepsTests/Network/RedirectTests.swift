import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redirects", .timeLimit(.minutes(5)))
struct RedirectTests {
    let server: LoopbackServer
    let other: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        other = try LoopbackServer()
        server.route("/end", .text("end"))
        other.route("/end", .text("other end"))
    }

    private func load(_ path: String, _ redirects: RedirectPolicy = .follow()) async throws -> Content {
        try await run(URLLoadStep(server.url(path), options: options { $0.redirects = redirects }))
    }

    private func code(_ path: String, _ redirects: RedirectPolicy = .follow()) async -> RequestError.Code? {
        await requestError(URLLoadStep(server.url(path), options: options { $0.redirects = redirects }))?.code
    }

    @Test(
        "PL-79: redirects are followed, relative ones too; the final URL is the response's",
        arguments: [
            301, 302, 303, 307, 308,
        ])
    func follows(_ status: Int) async throws {
        server.route("/a/b", .redirect(to: "c?x=1", status: status))
        server.route("/a/c", .redirect(to: "/end", status: status))
        let content = try await load("/a/b")
        #expect(content.bodyData == Data("end".utf8))
        #expect(content[.urlResponse]?.url == server.url("/end"))
        #expect(server.requests.map(\.target) == ["/a/b", "/a/c?x=1", "/end"])
    }

    @Test("PL-79: past the limit there are too many redirects")
    func limit() async throws {
        server.routeEndlessRedirects("/round")
        #expect(await code("/round") == .tooManyRedirects)
        #expect(server.requests.count == 11)
        #expect(await code("/round", .follow(limit: 0)) == .tooManyRedirects)
        #expect(await code("/round", .follow(limit: 30)) == .tooManyRedirects)
        #expect(server.requests.count == 43)
    }

    @Test("PL-79: refused redirects are the response, with their body")
    func refuses() async throws {
        server.route("/moved", .text("over there", status: 302).header("Location", "/end"))
        let content = try await load("/moved", .refuse)
        #expect(content.httpURLResponse?.statusCode == 302)
        #expect(content.bodyData == Data("over there".utf8))
        #expect(server.requests.count == 1)
    }

    @Test("PL-79: within the origin only")
    func withinOrigin() async throws {
        server.route("/in", .redirect(to: "/end"))
        server.route("/out", .redirect(to: other.url("/end").absoluteString))
        #expect(try await load("/in", .followWithinOrigin()).bodyData == Data("end".utf8))
        #expect(await code("/out", .followWithinOrigin()) == .redirectRefused)
        #expect(other.requests.isEmpty)
    }

    @Test("PL-79: to another origin no credentials are sent along, within it they are")
    func credentials() async throws {
        server.route("/in", .redirect(to: "/out"))
        server.route("/out", .redirect(to: other.url("/end").absoluteString))
        let headers = ["Authorization": "Bearer hush", "Cookie": "a=hush", "X-Plain": "1"]
        _ = try await run(URLLoadStep(request(server.url("/in"), headers: headers)))
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer hush", "Bearer hush"])
        let last = try #require(other.requests.first)
        #expect(
            last["Authorization"] == nil && last["Cookie"]?.contains("hush") != true && last["X-Plain"] == "1"
        )
    }

    @Test("PL-79: user and password of a URL are dropped too")
    func userInfo() async throws {
        server.route("/out", .redirect(to: other.url("/end").absoluteString))
        let text = server.url("/out").absoluteString.replacing("//", with: "//me:hush@")
        _ = try await run(URLLoadStep(try #require(URL(string: text))))
        #expect(server.requests.first?["Authorization"] != nil)
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test(
        "PL-79: no redirect to another scheme is followed",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x", "https:///", "javascript:x",
        ])
    func schemes(_ place: String) async throws {
        server.route("/bad", .redirect(to: place))
        #expect(await code("/bad") == .redirectRefused)
    }

    @Test(
        "PL-79: a redirect without Location fails; it is the response where none is followed or every status is taken",
        arguments: [301, 302, 303, 307, 308])
    func withoutLocation(_ status: Int) async throws {
        server.route("/bad", .text("body", status: status))
        let error = await requestError(URLLoadStep(server.url("/bad"), options: options { _ in }))
        #expect(error?.code == .redirectRefused)
        #expect("\(String(describing: error))".contains("status \(status) without Location"))
        // Over URLSession such a response has no body.
        #expect(try await load("/bad", .refuse).httpURLResponse?.statusCode == status)
        let content = try await run(URLLoadStep(server.url("/bad"), options: options { $0.status = .any }))
        #expect(content.httpURLResponse?.statusCode == status)
    }

    @Test(
        "PL-79, PL-83: 307 and 308 send method and body again, 301 to 303 become a GET",
        arguments: [
            (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
        ])
    func bodies(_ status: Int, _ method: String) async throws {
        server.route("/post", .redirect(to: "/end", status: status))
        let body = RequestBody.data(pattern(70_000))
        let step = URLLoadStep(server.url("/post"), options: options { $0.body = body })
        _ = try await run(step)
        let last = try #require(server.requests.last)
        #expect(last.method == method)
        #expect(last.body == (method == "POST" ? pattern(70_000) : Data()))
    }
}
