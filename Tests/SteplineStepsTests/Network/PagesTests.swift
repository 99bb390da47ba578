import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Loads page by page", .timeLimit(.minutes(5)))
struct PagesTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    /// Pages of two records each; the next is named in the header and in the body.
    private func route(pages: Int, leadingTo last: String? = nil) {
        for page in 1...pages {
            let next = page < pages ? "/list?page=\(page + 1)" : last
            let body = """
                {"items": [{"id": \(page * 2 - 1)}, {"id": \(page * 2)}], "next": \(next.map { "\"\($0)\"" } ?? "null")}
                """
            var response = LoopbackResponse.text(body, type: "application/json")
            if let next {
                response = response.header("Link", "</first>; rel=first, <\(next)>; rel=\"prev next\"")
            }
            pagesByNumber.withLock { $0[page] = response }
        }
        server.route("/list") { [pagesByNumber] request in
            let page = request.query.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
            return pagesByNumber.withLock { $0[page] } ?? .status(404)
        }
    }

    private let pagesByNumber = Locked<[Int: LoopbackResponse]>([:])

    private func identifiers(_ pages: URLPages) async throws -> [Int] {
        var found: [Int] = []
        for try await record in try pages.records(at: "/items") { found.append(record["id"]?.int ?? -1) }
        return found
    }

    @Test("pages are found by header, by pointer and by closure, and are one stream of records")
    func ways() async throws {
        route(pages: 5)
        let url = server.url("/list")
        let byClosure = NextPage.found { page in
            page.number < 3 ? try page.request(to: "/list?page=\(page.number + 1)") : nil
        }
        #expect(try await identifiers(URLPages(url, next: .link)) == Array(1...10))
        #expect(try await identifiers(URLPages(url, next: .pointer("/next"))) == Array(1...10))
        #expect(try await identifiers(URLPages(url, next: byClosure)) == Array(1...6))
    }

    @Test("pages that lead in a circle, nowhere, or without end are errors of the page that does")
    func bounds() async throws {
        let url = server.url("/list")
        func code(_ pages: URLPages) async -> URLPageError? {
            do {
                _ = try await identifiers(pages)
                return nil
            } catch {
                return error as? URLPageError
            }
        }
        route(pages: 3, leadingTo: "/list?page=2")
        #expect(await code(URLPages(url, next: .link))?.code == .circle)
        route(pages: 3, leadingTo: "file:///etc/passwd")
        let nowhere = await code(URLPages(url, next: .link))
        #expect(nowhere?.code == .noPlace && nowhere?.page == 3)
        route(pages: 5)
        let tooMany = await code(URLPages(url, next: .link, maximumPages: 4))
        #expect(tooMany?.code == .tooMany && tooMany?.page == 4)
        #expect(await code(URLPages(url, next: .link, maximumPages: 5)) == nil)
        server.route("/list", .text("{}"))
        #expect(await code(URLPages(url, next: .link))?.code == .noRecords)
    }

    @Test("a failed page is a RequestError, and the list is taken up at its request")
    func resumed() async throws {
        route(pages: 4)
        let whole = pagesByNumber.withLock { $0[3] }
        pagesByNumber.withLock { $0[3] = .status(503) }
        var pages = URLPages(server.url("/list"), next: .link).makeAsyncIterator()
        var position = URLRequest(url: server.url("/list"))
        do {
            while let page = try await pages.next() { position = page.request }
            Issue.record("no failure")
        } catch {
            #expect((error as? RequestError)?.statusCode == 503)
        }
        pagesByNumber.withLock { $0[3] = whole }
        #expect(position.url?.query() == "page=2")
        #expect(try await identifiers(URLPages(position, next: .link)) == Array(3...8))
    }

    @Test("a page that is asked for again after its failure has the number of its place in the list")
    func repeated() async throws {
        route(pages: 3)
        let whole = pagesByNumber.withLock { $0[2] }
        pagesByNumber.withLock { $0[2] = .status(503) }
        var pages = URLPages(server.url("/list"), next: .link, maximumPages: 3).makeAsyncIterator()
        #expect(try await pages.next()?.number == 1)
        await #expect(throws: RequestError.self) { _ = try await pages.next() }
        pagesByNumber.withLock { $0[2] = whole }
        #expect(try await pages.next()?.number == 2)
        #expect(try await pages.next()?.number == 3)
        #expect(try await pages.next() == nil)
    }

    @Test("a page beyond the limit isn't loaded by another call")
    func beyondLimit() async throws {
        route(pages: 3)
        var pages = URLPages(server.url("/list"), next: .link, maximumPages: 1).makeAsyncIterator()
        _ = try await pages.next()
        await #expect(throws: URLPageError.self) { _ = try await pages.next() }
        #expect(try await pages.next() == nil)
        #expect(server.requests.count == 1)
    }

    @Test("credentials go to no other origin with a page's link")
    func credentials() async throws {
        let other = try LoopbackServer()
        other.route("/far", .text("[]"))
        server.route("/near", LoopbackResponse.text("[]").header("Link", "<\(other.url("/far"))>; rel=next"))
        var request = URLRequest(url: server.url("/near"))
        var options = LoadOptions()
        options.sensitiveHeaders = ["X-Api-Key"]
        for header in ["Authorization", "X-Api-Key"] { request.setValue("hush", forHTTPHeaderField: header) }
        for try await _ in URLPages(request, next: .link, options: options) {}
        for header in ["Authorization", "X-Api-Key"] {
            #expect(server.requests.map { $0[header] } == ["hush"])
            #expect(other.requests.map { $0[header] } == [nil])
        }
    }

    @Test("credentials in the options go to no other origin with a page's link, and to the first one again")
    func credentialsOfOptions() async throws {
        let other = try LoopbackServer()
        let back = server.url("/back").absoluteString
        let far = other.url("/far").absoluteString
        server.route("/near", LoopbackResponse.text("[]").header("Link", "<\(far)>; rel=next"))
        other.route("/far", LoopbackResponse.text("[]").header("Link", "<\(back)>; rel=next"))
        server.route("/back", .text("[]"))
        var options = LoadOptions()
        options.sensitiveHeaders = ["X-Api-Key"]
        options.isSecret = { $0 == Data("a secret".utf8) }
        options.headers = [
            "authorization": "hush", "Cookie": "a=hush", "x-api-key": "hush", "X-Own": "a secret",
            "X-Plain": "1",
        ]
        let request = URLRequest(url: server.url("/near"))
        for try await _ in URLPages(request, next: .link, options: options) {}
        let step = URLEachRecordStep(request, next: .link, options: options) { _ in }
        let pipeline = Pipeline("pages")
        try pipeline.addStep(step)
        #expect(try await pipeline.run(returning: ContentKey<Int>.body) == 0)
        for header in ["Authorization", "X-Api-Key", "X-Own"] {
            #expect(server.requests.allSatisfy { $0[header] != nil })
            #expect(other.requests.allSatisfy { $0[header] == nil })
        }
        #expect(other.requests.allSatisfy { $0["Cookie"]?.contains("hush") != true && $0["X-Plain"] == "1" })
        #expect(server.requests.count == 4 && other.requests.count == 2)
    }

    @Test("user and password of the first URL are shown for all pages of its origin, and for no other")
    func userAndPassword() async throws {
        let other = try LoopbackServer()
        let second = server.url("/second").absoluteString
        let far = other.url("/far").absoluteString
        func page(_ next: String) -> LoopbackResponse {
            LoopbackResponse.text("[]").header("Link", "<\(next)>; rel=next")
        }
        for (path, next) in [("/first", second), ("/second", "third"), ("/third", far)] {
            server.route(path, user: "m:e", password: "hu@sh", page(next))
        }
        other.route("/far", .text("[]"))
        let text = server.url("/first").absoluteString.replacing("//", with: "//m%3Ae:hu%40sh@")
        for try await _ in URLPages(try #require(URL(string: text)), next: .link) {}
        #expect(server.requests.map(\.target) == ["/first", "/second", "/third"])
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test("as a step each record is handed on in order, and each page told before its records")
    func step() async throws {
        route(pages: 3)
        let reported = Recorder<String>()
        let step = URLEachRecordStep(
            URLRequest(url: server.url("/list")), next: .link, at: "/items",
            onPage: { reported.record("page \($0.number)") }
        ) { record in
            reported.record("\(record["id"]?.int ?? -1)")
        }
        let pipeline = Pipeline("pages")
        try pipeline.addStep(step)
        #expect(try await pipeline.run(returning: ContentKey<Int>.body) == 6)
        #expect(reported.values == ["page 1", "1", "2", "page 2", "3", "4", "page 3", "5", "6"])
        let wrong = URLEachRecordStep(URLRequest(url: server.url("/list")), next: .link, at: "x") { _ in }
        #expect(wrong.configurationProblems.count == 1)
    }

    @Test("cancelling stops the load of a page")
    func cancelled() async throws {
        server.route("/list", LoopbackResponse.text("[]").fault(.silence))
        let url = server.url("/list")
        let task = Task { for try await _ in URLPages(url, next: .link) {} }
        await server.waitForRequests()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForClosedConnections()
    }
}
