import Foundation
import SteplineJSON
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline run", .timeLimit(.minutes(5)))
struct RunFlowTests {
    private static let places = """
        {"results": [{"name": "Oslo", "country_code": "no", "latitude": 59.91, "longitude": 10.75}]}
        """
    private static let days = """
        {"daily": [{"day": "Mon", "low": "-3.6", "high": 1.2}, {"day": "Tue", "low": -8, "high": "-2.5"}]}
        """

    @Test("a task gets the result of its prerequisite; parameters have defaults and --set")
    func weather() async throws {
        let server = try LoopbackServer()
        server.route("/v1/search", .data(Data(Self.places.utf8), type: "application/json"))
        server.route("/v1/forecast", .data(Data(Self.days.utf8), type: "application/json"))
        let run = try FlowCommandRun(fixture: "weather.json5")
        let base = "server=http://127.0.0.1:\(server.port)"
        let result = try await run("run", "weather.json5", "--set", base, "--set", "city=São Paulo")
        #expect(result.status == 0 && result.complaints.isEmpty)
        #expect(
            server.requests.map(\.target) == [
                "/v1/search?name=S%C3%A3o%20Paulo&count=5", "/v1/forecast?latitude=59.91&longitude=10.75",
            ])
        #expect(server.requests.first?["Accept"] == "application/json")
        #expect(try run.folder.names(in: "out") == ["São Paulo.json"])
        let report = try JSON(parsing: try run.folder.text("out/São Paulo.json"))
        #expect(try JSON(parsing: result.data) == report)
        #expect(report["city"] == "Oslo (NO)" && report["warmest"] == 1)
        #expect(report["text"] == "up to 1 °C on Mon")
        #expect(
            report["days"] == [["day": "Mon", "low": -4, "high": 1], ["day": "Tue", "low": -8, "high": -3]])
    }

    @Test("map runs for each element; skipFailures leaves out those that fail, and tells them")
    func feeds() async throws {
        let server = try LoopbackServer()
        let fixtures = FlowFixtures.repository.appending(path: "Fixtures/xml")
        for (name, file) in [("river", "feed-rss.xml"), ("hill", "feed-atom.xml")] {
            let data = try Data(contentsOf: fixtures.appending(path: file))
            server.route("/feeds/\(name).xml", .data(data, type: "application/xml"))
        }
        let run = try FlowCommandRun(fixture: "feeds.json5")
        let base = "server=http://127.0.0.1:\(server.port)"
        let result = try await run("run", "feeds.json5", "--set", base, "--set", "names=river,gone,hill")
        #expect(result.status == 0)
        #expect(result.complaints.count == 1)
        let warning =
            "stepline: warning: items[gone] is left out: load (feeds.json5:20:11): GET \(server.url("/feeds/gone.xml"))"
        #expect(result.complaints.first?.hasPrefix(warning) == true)
        #expect(
            try run.folder.text("out/items.csv").split(separator: "\n").map(String.init) == [
                "feed,title,date,link", "river,High water,2024-02-29T11:30:15Z,https://river.example/1",
                "hill,Up,2024-02-29T11:30:15Z,https://hills.example/posts/1",
            ])
        #expect(result.output == "2 titles: High water · Up\n")
        #expect(try run.folder.text("out/titles.txt") == "2 titles: High water · Up")
        #expect(try JSON(parsing: run.folder.text("out/items.json")).count == 2)

        let none = try await run("run", "feeds.json5", "--set", base, "--set", "names=gone")
        #expect(none.status == 1 && none.errors.hasPrefix("stepline: items failed: load (feeds.json5:20:11)"))
    }

    @Test("a page's links go through a program that --allow-run names, and through no other")
    func page() async throws {
        let server = try LoopbackServer()
        let page = try Data(contentsOf: FlowFixtures.repository.appending(path: "Fixtures/xml/page.html"))
        server.route("/page.html", .data(page, type: "text/html"))
        let run = try FlowCommandRun(
            try FlowFixtures.text("page.json5").replacing(
                "name: \"sort the links\", },", with: "}, { save: 'links.txt' }"))
        let base = "server=http://127.0.0.1:\(server.port)"
        let refused = try await run("run", "flow.json5", "--set", base, "--allow-run", "cat")
        #expect(refused.status == 3)
        #expect(
            refused.errors.contains("error: the file wants to run sort (--allow-run sort would allow it)"))
        #expect(server.requests.isEmpty)
        let result = try await run("run", "flow.json5", "--set", base, "--allow-run", "sort")
        #expect(result.status == 0 && result.complaints.isEmpty)
        #expect(try run.folder.text("links.txt") == "Times → /times?x=1&y=2\nHome → /\n")
    }

    @Test("a failure is one line with task, step and place; independent tasks continue; the exit code is 1")
    func failures() async throws {
        let run = try FlowCommandRun(
            """
            { tasks: {
              bad: { steps: [ { value: "x" }, { transform: "it.name" } ] },
              below: { after: "bad", steps: [ { save: "below.json" } ] },
              anyway: { after: "bad", allowFailure: "bad", steps: [ { value: "${tasks.bad ?? 'none'}" }, { save: "anyway.txt" } ] },
              good: { steps: [ { value: [1] }, { save: "good.jsonl" } ] },
              gone: { steps: [ { load: "gone.txt" } ] },
            } }
            """)
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1)
        #expect(
            Set(result.complaints) == [
                "flow.json5:6:29: warning: there is no file \"gone.txt\", and no task makes one",
                "stepline: bad failed: transform (flow.json5:2:51): a text has no member \"name\"",
                "stepline: gone failed: load (flow.json5:6:22): there is no file gone.txt",
            ])
        #expect(try run.folder.names() == ["anyway.txt", "flow.json5", "good.jsonl"])
        #expect(try run.folder.text("anyway.txt") == "none")
    }

    @Test("a file with mistakes, missing parameters or unknown ones isn't run")
    func notRun() async throws {
        let run = try FlowCommandRun(
            "{ parameters: { n: { type: 'integer' } }, tasks: { a: { steps: [ { value: '${n}' }, { save: 'n.txt' } ] } } }"
        )
        for (words, message) in [
            ([], "flow.json5 requires --set n=…"),
            (["--set", "m=1"], "the file has no parameter 'm'; did you mean n?"),
            (["--set", "n=one"], "parameter 'n' expects integer, got 'one'"),
            (["--set", "n"], "--set expects NAME=VALUE, got 'n'"),
        ] {
            let refused = try await Command.run(["run", "flow.json5"] + words, in: run.folder.url)
            #expect(refused.status == 2 && refused.errors.contains(message), "\(refused.errors)")
        }
        #expect(try run.folder.names() == ["flow.json5"])
        #expect(try await run("run", "flow.json5", "--set", "n=1", "--set", "n=2").status == 0)
        #expect(try run.folder.text("n.txt") == "2")
        try run.write("{ tasks: { a: { steps: [ { vale: 1 } ] } } }", to: "bad.json5")
        let mistaken = try await run("run", "bad.json5")
        #expect(mistaken.status == 3 && mistaken.output == "")
        #expect(mistaken.errors == "bad.json5:1:28: error: unknown step \"vale\" (did you mean \"value\"?)\n")
    }

    @Test("a transient failure is tried again as retry says, and a lasting one isn't")
    func retries() async throws {
        let server = try LoopbackServer()
        server.route("/flaky", inTurn: [.status(503), .status(503), .text("ok")])
        server.route("/gone", .status(404))
        let run = try FlowCommandRun(
            """
            { parameters: { s: "" }, defaults: { retry: { base: "1ms" } }, tasks: {
              flaky: { steps: [ { load: "${s}/flaky" }, { save: "flaky.txt" } ] },
              step: { after: "flaky", retry: 0, steps: [ { load: "${s}/gone", retry: 3 } ] },
            } }
            """)
        let result = try await run("run", "flow.json5", "--set", "s=http://127.0.0.1:\(server.port)")
        #expect(result.status == 1)
        #expect(try run.folder.text("flaky.txt") == "ok")
        #expect(server.requests.map(\.path) == ["/flaky", "/flaky", "/flaky", "/gone"])
    }

    @Test("a peer that says nothing ends in a time-out")
    func timeout() async throws {
        let server = try LoopbackServer()
        server.route("/", .text("x").fault(.silence))
        let run = try FlowCommandRun(
            "{ parameters: { s: '' }, tasks: { a: { timeout: '200ms', steps: [ { load: '${s}/' } ] } } }")
        let result = try await run("run", "flow.json5", "--set", "s=http://127.0.0.1:\(server.port)")
        #expect(result.status == 1 && result.errors.contains("timed out"))
    }

    @Test("with --offline nothing reaches the network, also if the file computes its URLs")
    func offline() async throws {
        let server = try LoopbackServer()
        let run = try FlowCommandRun(
            "{ parameters: { s: 'x' }, tasks: { a: { steps: [ { load: '${s}' } ] }, b: { steps: [ { load: 'data:,hi' }, { save: 'b' } ] } } }"
        )
        let result = try await run(
            "run", "flow.json5", "--offline", "--set", "s=http://127.0.0.1:\(server.port)/")
        #expect(result.status == 1 && result.errors.contains("the network is out of reach with --offline"))
        #expect(server.connectionCount == 0)
        #expect(try run.folder.text("b") == "hi")
    }

    @Test("--allow-path opens a folder to reading and writing that is closed without it")
    func allowPath() async throws {
        let run = try FlowCommandRun(
            "{ parameters: { to: 'x' }, tasks: { a: { steps: [ { value: 1 }, { save: '${to}' } ] } } }",
            named: "in/flow.json5")
        let refused = try await run("run", "in/flow.json5", "--set", "to=../out/x.json")
        #expect(refused.status == 1 && refused.errors.contains("is outside the workflow's folder"))
        #expect(try run.folder.names() == ["in"])
        let allowed = try await run(
            "run", "in/flow.json5", "--set", "to=../out/x.json", "--allow-path", "out")
        #expect(allowed.status == 0)
        #expect(try run.folder.text("out/x.json") == "1\n")
    }

    @Test("headers and a body are sent as the file says")
    func requests() async throws {
        let server = try LoopbackServer()
        server.route("/", .text("ok"))
        let run = try FlowCommandRun(
            """
            { parameters: { s: "", key: "k" }, tasks: {
              a: { steps: [ { load: "${s}/", headers: { "X-Key": "${key}!" }, body: { n: "${1 + 1}", list: ["${key}"] } } ] },
              b: { after: "a", steps: [ { load: "${s}/", method: "PUT", body: "text ${it}" } ] },
            } }
            """)
        let result = try await run("run", "flow.json5", "--set", "s=http://127.0.0.1:\(server.port)")
        #expect(result.status == 0 && result.complaints.isEmpty)
        let (first, second) = try (#require(server.requests.first), #require(server.requests.last))
        #expect(
            first.method == "POST" && first["X-Key"] == "k!" && first["Content-Type"] == "application/json")
        #expect(String(decoding: first.body, as: UTF8.self) == #"{"n":2,"list":["k"]}"#)
        #expect(second.method == "PUT" && String(decoding: second.body, as: UTF8.self) == "text ok")
    }

    @Test("a map runs as many elements at once as its limit says, as the jobs say where those are fewer")
    func mapLimit() async throws {
        struct Counts {
            var now = 0
            var most = 0
        }
        for (limit, jobs, expected) in [(3, 8, 3), (8, 2, 2), (1, 8, 1)] {
            let server = try LoopbackServer()
            let counts = Locked(Counts())
            let gate = Gate()
            server.route("/") { _ in
                let isFull = counts.withLock { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                    return counts.now == expected
                }
                // Each body waits until as many as the limit allows have begun.
                if isFull { gate.open() }
                gate.block()
                counts.withLock { $0.now -= 1 }
                return .text("x")
            }
            let run = try FlowCommandRun(
                """
                { parameters: { s: "" }, tasks: {
                  list: { steps: [ { value: [1, 2, 3, 4, 5, 6, 7, 8, 9] } ] },
                  all: { after: "list", map: "${tasks.list}", concurrency: \(limit), steps: [
                    { load: "${s}/?${item}" }, { parse: "text" }, { transform: "it + index" },
                  ] },
                  save: { after: "all", steps: [ { save: "all.json" } ] },
                } }
                """)
            let base = "s=http://127.0.0.1:\(server.port)"
            let result = try await run("run", "flow.json5", "--set", base, "--jobs", "\(jobs)")
            #expect(result.status == 0 && result.complaints.isEmpty)
            #expect(counts.withLock { $0.most } == expected)
            let names = (0..<9).map { "\"x\($0)\"" }.joined(separator: ",")
            #expect(try run.folder.text("all.json") == "[\(names)]\n")
        }
    }

    @Test("a byte order mark is no part of a text")
    func byteOrderMark() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              parsed: { steps: [ { load: "in.txt" }, { parse: "text" }, { transform: "length(it)" }, { save: "a" } ] },
              bytes: { steps: [ { load: "in.txt" }, { transform: "it + '!'" }, { save: "b" } ] } } }
            """)
        try flow.write("\u{FEFF}hi", to: "in.txt")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.text("a") == "2\n" && flow.folder.text("b") == "hi!")
    }

    @Test("a limit of a load, of a map and of the jobs holds")
    func limits() async throws {
        let server = try LoopbackServer()
        server.route("/big", .pattern(count: 5000))
        let run = try FlowCommandRun(
            """
            { parameters: { s: "" }, tasks: {
              big: { steps: [ { load: "${s}/big", limit: "1k" } ] },
              fits: { steps: [ { load: "${s}/big", limit: "5k" }, { save: "fits" } ] },
            } }
            """)
        let result = try await run(
            "run", "flow.json5", "--set", "s=http://127.0.0.1:\(server.port)", "-j", "1")
        #expect(result.status == 1 && result.complaints.count == 1)
        #expect(result.errors.contains("big failed"))
        #expect(try run.folder.names() == ["fits", "flow.json5"])
    }
}
