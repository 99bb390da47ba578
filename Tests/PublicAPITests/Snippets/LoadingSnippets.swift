import Foundation
import Stepline
import SteplineTesting
import Testing

// The snippets of the page on loading and parsing, compiled. `SnippetTests` compares the two texts.

struct City: Decodable {
    let name: String
    let population: Int
}

@Suite("Loading guide", .timeLimit(.minutes(5)))
struct LoadingSnippets {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("a city out of a list of results")
    func city() async throws {
        server.route("/search", .text(#"{"results": [{"name": "Paris", "population": 2102650}]}"#))
        let url = server.url("/search")
        let city = try await Pipeline.run {
            URLLoadStep(url)
            JSONDecodeStep<City>(at: "/results/0")
        }
        #expect(city.name == "Paris")
    }

    @Test("options, and a query")
    func options() async throws {
        server.route(
            "/books", .text(#"{"books": [{"title": "Emma", "price": 7}, {"title": "Ulysses", "price": 12}]}"#)
        )
        let url = server.url("/books")
        var options = LoadOptions()
        options.headers["Accept"] = "application/json"
        options.sizeLimit = 10 << 20
        options.idleTimeout = .seconds(15)
        options.redirects = .followWithinOrigin(limit: 3)
        let prices = Pipeline("prices", options: .init(retry: .exponential(attempts: 4))) {
            URLLoadStep(url, options: options)
            JSONParseStep()
            JSONQueryStep("$.books[?@.price < 10].title")
        }
        #expect(try await prices.run().compactMap(\.string) == ["Emma"])
    }

    @Test("XPath with a namespace")
    func xpath() async throws {
        let feed = #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/a"/></entry></feed>"#
        server.route("/atom", .text(feed, type: "application/xml"))
        let url = server.url("/atom")
        let links = try await Pipeline.run {
            URLLoadStep(url)
            XMLParseStep()
            XMLQueryStep(.strings("//a:entry/a:link/@href"), namespaces: ["a": "http://www.w3.org/2005/Atom"])
        }
        #expect(links == ["/a"])
    }

    @Test("accepted statuses and content types")
    func accepted() async throws {
        server.route("/page", .text("<p/>", type: "text/html"))
        var options = LoadOptions()
        options.contentTypes = ["application/json"]
        options.sizeLimit = 1 << 20
        options.idleTimeout = .seconds(10)
        let pipeline = Pipeline.loading(server.url("/page"), options: options)
        let failure = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect(failure?.underlying(as: RequestError.self)?.code == .contentType)
    }

    @Test("words, and a server that misbehaves")
    func network() async throws {
        server.route("/words", .text("one two three"))
        let url = server.url("/words")
        let words: Int = try await Pipeline.run {
            URLLoadStep(url).retrying(.exponential()).timeout(.seconds(30))
            BlockStep { (data: Data) in String(decoding: data, as: UTF8.self).split(separator: " ").count }
        }
        #expect(words == 3)
        do {
            let server = try LoopbackServer()
            server.route("/feed", .text("[]", type: "application/json").etag("\"v1\""))
            server.route("/lost", .pattern(count: 5000).fault(.reset(after: 100)))
            server.route("/private") { request in
                request["Authorization"] == nil ? .status(401) : .text("secret")
            }
            #expect(try await Pipeline.loadingJSON(server.url("/feed")).run().count == 0)
            await #expect(throws: PipelineError.self) {
                try await Pipeline.loading(server.url("/lost")).run()
            }
        }
    }

    @Test("limits, and what types of content are taken")
    func limits() async throws {
        server.route("/page", .text("<p>sorry</p>", type: "text/html"))
        var options = LoadOptions()
        options.contentTypes = ["application/json"]
        options.sizeLimit = 1 << 20
        options.idleTimeout = .seconds(10)
        let loading = Pipeline.loading(server.url("/page"), options: options)
        await #expect(throws: PipelineError.self) { try await loading.run() }
        #expect(loading.error?.underlying(as: RequestError.self)?.code == .contentType)
    }

    @Test("a document with namespaces")
    func document() async throws {
        let data = Data(#"<c xmlns="urn:books"><book id="1">Emma<price>7</price></book></c>"#.utf8)
        let document = try XML.Document(data: data)
        for book in try document.query(.elements("//b:book"), namespaces: ["b": "urn:books"]) {
            print(book["id"] ?? "", book.name, book.namespace ?? "", book.text)
            let prices = try book.query(.strings("b:price"), namespaces: ["b": "urn:books"])
            print(prices)
        }
    }

    @Test("records as they arrive")
    func records() async throws {
        server.route("/list", .text("<list><item id='1'>one</item></list>"))
        let url = server.url("/list")
        for try await item in XML.Stream(of: "item", from: URLChunks(url)) {
            print(item["id"] ?? "", item.text)
        }
        #expect(server.requests.count == 1)
    }

    @Test("page by page")
    func pages() async throws {
        server.route("/pages", .text(#"{"items": [{"id": 1}]}"#, type: "application/json"))
        let url = server.url("/pages")
        for try await record in try URLPages(url, next: .link).records(at: "/items") { print(record) }
        #expect(server.requests.count == 1)
    }

    @Test("certificates of one's own")
    func certificates() {
        var options = LoadOptions()
        options.tls = TLSOptions(authorities: URL(filePath: "/etc/ssl/own.pem"), minimumVersion: .tls13)
        options.tls.clientCertificate = .init(URL(filePath: "client.pem"), key: URL(filePath: "client.key"))
        #expect(options.tls.minimumVersion == .tls13)
    }

    @Test("the parsers by themselves")
    func parsers() throws {
        let data = Data(#"{"books": [{"title": "Emma"}]}"#.utf8)
        let page = Data("<p><a href='x'/></p>".utf8)
        let json = try JSON(parsing: data)
        let titles = try json.query("$.books[*].title").compactMap(\.string)
        let document = try XML.Document(data: page)
        let links = try document.query(.strings("//a/@href"))
        #expect(titles == ["Emma"])
        #expect(links == ["x"])
    }
}
