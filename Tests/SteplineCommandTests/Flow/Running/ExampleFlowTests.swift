import Foundation
import SteplineJSON
import SteplineRuns
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

/// The files under `Fixtures/flows` that no other test runs.
@Suite("Example flows", .timeLimit(.minutes(5)))
struct ExampleFlowTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private var base: String { "http://127.0.0.1:\(server.port)" }

    private func lines(_ run: FlowCommandRun, _ file: String) throws -> [String] {
        try run.folder.text(file).split(separator: "\n").map(String.init)
    }

    /// The names of an example that is also there in YAML.
    private static func both(_ name: String) -> [String] {
        LibYAML.isNeeded ? [name + ".json5", name + ".yaml"] : [name + ".json5"]
    }

    /// Files in YAML are run by the command's binary.
    private func place(_ name: String) -> Command.Place { name.hasSuffix(".yaml") ? .process : .inProcess }

    @Test(
        "an example in YAML has the tasks of that in JSON5, and they keep their versions",
        .enabled(if: LibYAML.isNeeded, "\(LibYAML.absence)"), arguments: FlowFixtures.acceptedInYAML)
    func yaml(name: String) throws {
        func meanings(_ name: String) throws -> [String: UInt64] {
            var issues = FlowIssues()
            let file = FlowReader.read(try FlowFixtures.source(name), &issues)
            #expect(issues.all.isEmpty)
            return Dictionary(
                try #require(file).tasks.map { ($0.name, $0.meaning) }, uniquingKeysWith: { $1 })
        }
        let yaml = try meanings(name)
        #expect(yaml == (try meanings(name.replacing(".yaml", with: ".json5"))) && yaml.count >= 3)
    }

    @Test(
        "check finds no mistake in any example, and the guide names each",
        arguments: FlowFixtures.accepted + (LibYAML.isNeeded ? FlowFixtures.acceptedInYAML : []))
    func check(name: String) async throws {
        let result = try await Command.run(["check", name], in: FlowFixtures.folder)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasPrefix("\(name): no mistakes, "), "\(result.output)")
        let guide = FlowFixtures.repository.appending(
            path: "Sources/Stepline/Documentation.docc/WorkflowFiles.md")
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("`\(name)`"))
    }

    @Test("the tested examples are those of the folder, at least ten")
    func all() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: FlowFixtures.folder.path)
        #expect(names.filter { $0.hasSuffix(".json5") }.sorted() == FlowFixtures.accepted)
        #expect(names.filter { $0.hasSuffix(".yaml") }.sorted() == FlowFixtures.acceptedInYAML)
        #expect(FlowFixtures.accepted.count >= 10)
    }

    @Test("the flow at the top of the guide has six lines, and prints what the guide shows")
    func firstScreen() async throws {
        let guide = try String(
            contentsOf: FlowFixtures.repository.appending(
                path: "Sources/Stepline/Documentation.docc/WorkflowFiles.md"), encoding: .utf8)
        let blocks = guide.split(separator: "```", omittingEmptySubsequences: false)
        let text = try #require(blocks.count > 3 ? blocks[1].split(separator: "\n").dropFirst() : nil)
        #expect(text.count == 6)
        let shown = blocks[3].split(separator: "\n").dropFirst().map(String.init)
        let run = try FlowCommandRun(text.joined(separator: "\n"), named: "sums.json5")
        let result = try await run("run", "sums.json5")
        #expect(shown.first == "$ stepline run sums.json5" && shown.count == 3)
        #expect(result.summary?.hasPrefix(try #require(shown.dropFirst().first).prefix(16)) == true)
        #expect(result.output == (shown.last ?? "") + "\n", "\(result.errors)")
        guard LibYAML.isNeeded else { return }
        let yaml = try #require(blocks.count > 5 ? blocks[5].split(separator: "\n").dropFirst() : nil)
        try run.write(yaml.joined(separator: "\n"), to: "sums.yaml")
        #expect(try await run("run", "sums.yaml").output == result.output)
    }

    @Test(
        "a feed's archive keeps old items, puts new ones first, and has no duplicates",
        arguments: both("archive"))
    func archive(name: String) async throws {
        func feed(_ days: ClosedRange<Int>) -> String {
            let items = days.map {
                "<item><guid>\($0)</guid><title> Day \($0) </title><link>https://a.example/\($0)</link>"
                    + "<pubDate>Mon, 0\($0) Jun 2026 08:00:00 GMT</pubDate></item>"
            }
            return "<rss version=\"2.0\"><channel><title>Days</title>\(items.joined())</channel></rss>"
        }
        server.route(
            "/feed", inTurn: [.text(feed(1...2), type: "text/xml"), .text(feed(2...4), type: "text/xml")])
        let run = try FlowCommandRun(fixture: name)
        let first = try await run("run", name, "--set", "feed=\(base)/feed", as: place(name))
        #expect(
            first.status == 0 || first.errors.contains("there is no file archive.jsonl"), "\(first.errors)")
        #expect(first.output == "2 items, 2 of them new\n")
        #expect(try run.folder.text("summary.txt") == "2 items, 2 of them new")
        let second = try await run(
            "run", name, "--set", "feed=\(base)/feed", "--set", "most=3", as: place(name))
        #expect(second.status == 0 && second.complaints.isEmpty, "\(second.errors)")
        #expect(
            try lines(run, "archive.jsonl").map { try JSON(parsing: $0)["title"]?.string }
                == ["Day 4", "Day 3", "Day 2"])
        #expect(try run.folder.text("summary.txt") == "3 items, 1 of them new")
    }

    @Test("an API's pages are loaded with a login's token, and the logout also runs after a failure")
    func tokens() async throws {
        server.route("/login", method: "POST") { request in
            request.body.contains(Data("open sesame".utf8)) ? .text(#"{"token": "t0k3n-12"}"#) : .status(401)
        }
        server.route("/orders") { request in
            guard request["Authorization"] == "Bearer t0k3n-12" else { return .status(403) }
            func order(_ id: Int) -> String {
                #"{"id": \#(id), "customer": {"name": "C\#(id)"}, "total": "\#(id).10"}"#
            }
            return request.query?.contains("after") == true
                ? .text("{\"orders\": [\(order(3))]}")
                : .text("{\"orders\": [\(order(1)), \(order(2))], \"next\": \"/orders?after=2\"}")
        }
        server.route("/logout", method: "POST", .text("bye"))
        let run = try FlowCommandRun(fixture: "tokens.json5")
        func call(_ password: String) async throws -> CommandResult {
            try await Command.run(
                ["run", "tokens.json5", "--set", "server=\(base)", "--allow-env", "SHOP_PASSWORD"],
                environment: ["SHOP_PASSWORD": password], in: run.folder.url)
        }
        let result = try await call("open sesame")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(try lines(run, "orders.csv") == ["id,customer,total", "1,C1,1.10", "2,C2,2.10", "3,C3,3.10"])
        let total = try JSON(parsing: run.folder.text("total.json"))
        #expect(try JSON(parsing: result.data) == total)
        #expect(total["orders"] == 3 && total["total"]?.double == 6.3)
        #expect(server.requests.map(\.path) == ["/login", "/orders", "/orders", "/logout"])
        let refused = try await call("please!")
        #expect(refused.status == 1 && refused.errors.contains("status 401"), "\(refused.errors)")
        #expect(server.requests.last?.path == "/logout" && !refused.errors.contains("please!"))
    }

    @Test("a site's dead links and its pages without a title are reported")
    func site() async throws {
        func page(_ title: String, _ body: String = "") -> LoopbackResponse {
            .text("<html><head>\(title)</head><body>\(body)</body></html>", type: "text/html")
        }
        let links = ["/b", "/a", "/gone", "/a", "https://elsewhere.example/"].map {
            "<a href=\"\($0)\">x</a>"
        }
        server.route("/", page("<title>Home</title>", links.joined()))
        server.route("/a", page("<title> A  page </title>"))
        server.route("/b", page(""))
        let run = try FlowCommandRun(fixture: "check-site.json5")
        let result = try await run("run", "check-site.json5", "--set", "site=\(base)")
        #expect(result.status == 0 && result.complaints.count == 1, "\(result.errors)")
        #expect(result.errors.contains("warning: pages[/gone] is left out: load (check-site.json5:"))
        let report = try JSON(parsing: run.folder.text("site.json"))
        #expect(try JSON(parsing: result.data) == report)
        #expect(report == ["checked": 3, "alive": ["/a", "/b"], "dead": 1], "\(report)")
        #expect(try lines(run, "untitled.txt") == ["/b"])
    }

    @Test("tables of an inbox are imported and moved away; a faulty one stays and is reported")
    func inbox() async throws {
        server.route("/hook", method: "POST", .text("thanks"))
        let run = try FlowCommandRun(fixture: "inbox.json5")
        try run.write(FlowFixtures.text("take-in.json5"), to: "take-in.json5")
        for (name, rows) in [("a", "2026-11-23, nails ,3\ntotal,,3\n"), ("b", "2026-11-24,tape,1\n")] {
            try run.write("day,item,count\n" + rows, to: "inbox/\(name).csv")
        }
        try run.write("day,item,count\n2026-11-25,glue,many\n", to: "inbox/bad.csv")
        let result = try await run("run", "inbox.json5", "--set", "hook=\(base)/hook")
        #expect(result.status == 0 && result.complaints.count == 1, "\(result.errors)")
        #expect(
            result.errors.contains("take[inbox/bad.csv] is left out: take[inbox/bad.csv]/rows: each (take-in")
        )
        #expect(
            try lines(run, "book.csv").sorted() == [
                "2026-11-23,nails,3", "2026-11-24,tape,1", "day,item,count",
            ])
        #expect(result.output == #"{"tables":2,"rows":2}"# + "\n")
        #expect(try run.folder.text("total.json") == result.output)
        #expect(try run.folder.names(in: "inbox") == ["bad.csv"])
        #expect(try run.folder.names(in: "done") == ["a.csv", "b.csv"])
        #expect(server.requests.isEmpty)
        // The remaining files can't be taken in, and the failure is posted.
        let second = try await run("run", "inbox.json5", "--set", "hook=\(base)/hook")
        #expect(second.status == 1 && server.requests.count == 1)
        let reporting = try JSON(parsing: try #require(server.requests.first).body)
        #expect(
            reporting["result"] == "failed" && reporting["failures"]?.array?.first?["task"] == "take",
            "\(reporting)")
        try FileManager.default.removeItem(at: run.folder.url.appending(path: "inbox/bad.csv"))
        let third = try await run("run", "inbox.json5")
        #expect(third.status == 0 && third.complaints.isEmpty, "\(third.errors)")
    }

    @Test(
        "two tables are joined by a column, grouped and summed, and only again when one has changed",
        arguments: both("join"))
    func join(name: String) async throws {
        let run = try FlowCommandRun(fixture: name)
        for name in ["in/rates.csv", "in/hours.tsv"] { try run.write(FlowFixtures.text(name), to: name) }
        let result = try await run("run", name, as: place(name))
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(
            try lines(run, "out/customers.csv")
                == ["customer,entries,cost", "\"ACME, Inc.\",2,166.55", "Bolt,2,98.25"])
        #expect(try lines(run, "out/hours.csv").count == 5)
        let costs = try JSON(parsing: result.data).array?.map { $0["cost"]?.double }
        #expect(costs == [166.55, 98.25], "\(result.output)")
    }

    @Test("a mirror has the files of a list, and fails where a checksum doesn't fit")
    func mirror() async throws {
        let contents = ["one.bin": pattern(3000), "two.txt": Data("two\n".utf8)]
        let sums = contents.sorted { $0.key < $1.key }.map { name, data in
            SHA256.digits(data.withUnsafeBytes { SHA256.hash($0) }) + "  \(name)\n"
        }
        server.route("/SHA256SUMS", .text(sums.joined()))
        for (name, data) in contents { server.route("/\(name)", .data(data)) }
        let run = try FlowCommandRun(fixture: "mirror.json5")
        let refused = try await run("run", "mirror.json5", "--set", "server=\(base)")
        #expect(refused.status == 3 && server.requests.isEmpty)
        let result = try await run(
            "run", "mirror.json5", "--set", "server=\(base)", "--allow-run", "sha256sum")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(result.output == "files/one.bin: OK\nfiles/two.txt: OK\n")
        #expect(try lines(run, "checked.txt") == ["files/one.bin: OK", "files/two.txt: OK"])
        #expect(try Data(contentsOf: run.folder.url.appending(path: "files/one.bin")) == contents["one.bin"])
        server.route("/two.txt", .text("too\n"))
        let wrong = try await run(
            "run", "mirror.json5", "--set", "server=\(base)", "--allow-run", "sha256sum")
        #expect(wrong.status == 1 && wrong.errors.contains("check failed: run sha256sum"), "\(wrong.errors)")
    }

    @Test(
        "the cheaper of two shops, one in XML and one in JSON, is reported; one of them may be closed",
        arguments: both("prices"))
    func prices(name: String) async throws {
        server.route(
            "/near/prices.xml",
            inTurn: [
                .text(
                    "<prices xmlns=\"urn:prices\"><item id=\"jam\"><price>3.20</price></item>"
                        + "<item id=\"tea\"><price>9.90</price></item></prices>", type: "text/xml"),
                .status(404),
            ])
        server.route(
            "/far/prices.json",
            .text(
                #"{"prices": [{"id": "tea", "price": 4, "stock": 2}, {"id": "jam", "price": 1, "stock": 0}]}"#
            ))
        let run = try FlowCommandRun(fixture: name)
        let words = ["run", name, "--set", "near=\(base)/near", "--set", "far=\(base)/far"]
        let result = try await Command.run(words, in: run.folder.url, as: place(name))
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(result.output == #"["jam: 3.20 (near)","tea: 8.50 (far)"]"# + "\n")
        #expect(try lines(run, "best.txt") == ["jam: 3.20 (near)", "tea: 8.50 (far)"])
        #expect(try lines(run, "best.jsonl").count == 2)
        _ = try await Command.run(words, in: run.folder.url, as: place(name))
        #expect(try lines(run, "best.txt") == ["tea: 8.50 (far)"])
    }
}
