import Foundation
import Stepline
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: the network", .timeLimit(.minutes(5)))
struct FlowNetworkTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func list(_ numbers: Range<Int>) -> String {
        "[" + numbers.map { #"{"number": \#($0), "title": "t\#($0)"}"# }.joined(separator: ",") + "]"
    }

    /// The number behind `?page=`; 0 without one.
    private static func page(of request: LoopbackRequest) -> Int {
        guard let query = request.query, query.hasPrefix("page=") else { return 0 }
        return Int(query.dropFirst(5)) ?? 0
    }

    @Test(
        "pages are followed by Link header or JSON into one list; with a cache no page is loaded twice"
    )
    func pages() async throws {
        server.route("/issues") { [list] request in
            let page = Self.page(of: request)
            let answer = LoopbackResponse.text(list(page * 2..<page * 2 + 2))
                .header("Cache-Control", "max-age=1000")
            return page == 2
                ? answer : answer.header("Link", "</issues?page=\(page + 1)>; rel=\"next\"")
        }
        server.route("/events") { request in
            request.query == nil
                ? .text(#"{"events": [1, 2], "links": {"next": "events?more"}}"#)
                : .text(#"{"events": [3], "links": {"next": null}}"#)
        }
        let run = try FlowCommandRun(fixture: "pages.json5")
        let base = "server=http://127.0.0.1:\(server.port)"
        let result = try await run("run", "pages.json5", "--set", base)
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(
            try run.folder.text("out/issues.csv")
                == "number,title\n" + (0..<6).map { "\($0),t\($0)\n" }.joined())
        #expect(try run.folder.text("out/events.json") == "3\n")
        #expect(result.output == "6 issues, 3 events\n")
        #expect(server.requests.count == 5)
        #expect(server.requests.allSatisfy { $0.path != "/events" || $0["Accept"] == "application/json" })
        _ = try await run("run", "pages.json5", "--set", base)
        #expect(server.requests.count == 7 && server.requests.suffix(2).allSatisfy { $0.path == "/events" })
    }

    @Test(
        "endless pages, too many bytes and a missing list fail in one line with the place",
        arguments: [
            ("most: 3", "more than 3 pages"), ("limit: 5", "more than 5 bytes"),
            (#"next: "$.n""#, "page 1: $.n is a number, no URL"),
            (#"records: "$.items[*]", next: "$.self""#, "leads back"),
        ])
    func endless(_ keys: String, _ reason: String) async throws {
        server.route("/list") { request in
            let page = Self.page(of: request)
            guard keys.contains("$") else {
                return .text("[1]").header("Link", "</list?page=\(page + 1)>; rel=next")
            }
            return .text(#"{"items": [1], "n": 1, "self": "/list"}"#)
        }
        var keys = keys
        if keys.contains("$.n") { keys += #", records: "$.items[*]""# }
        let run = try FlowCommandRun(
            #"{ tasks: { a: { steps: [ { pages: "\#(server.url("/list"))", \#(keys) } ] } } }"#)
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1 && result.errors.contains(reason), "\(result.errors)")
        #expect(result.errors.contains("flow.json5:1:28"))
    }

    @Test("cookies: true makes a jar for the run, a path one in a file; by default tasks share no cookies")
    func cookies() async throws {
        server.route("/set", LoopbackResponse.text("1").header("Set-Cookie", "a=1; Max-Age=1000; Path=/"))
        server.route("/get", .text("2"))
        for (number, network) in ["", "network: { cookies: true },", "network: { cookies: 'jar.txt' },"]
            .enumerated()
        {
            let run = try FlowCommandRun(
                """
                { \(network) tasks: {
                  login: { steps: [ { load: "\(server.url("/set"))" } ] },
                  use: { after: "login", steps: [ { load: "\(server.url("/get"))" } ] },
                } }
                """)
            #expect(try await run("run", "flow.json5").status == 0)
            #expect(server.requests.last?["Cookie"] == (number == 0 ? nil : "a=1"))
            #expect(try run.folder.names() == ["flow.json5"] + (number == 2 ? ["jar.txt"] : []))
        }
    }

    @Test("rate limits the requests a second to a host, and connections the concurrent ones")
    func limits() async throws {
        server.route("/a", .text("1"))
        let run = try FlowCommandRun(
            """
            { network: { rate: 20 }, tasks: {
              a: { map: [1, 2, 3, 4, 5], steps: [ { load: "\(server.url("/a"))?${item}" } ] } } }
            """)
        let began = ContinuousClock.now
        #expect(try await run("run", "flow.json5").status == 0)
        #expect(ContinuousClock.now - began >= .milliseconds(200))
        let gate = Gate()
        server.route("/b", LoopbackResponse.text("1").fault(.hold(after: 0, gate)))
        let wide = try FlowCommandRun(
            """
            { network: { connections: 9 }, concurrency: 9, tasks: {
              a: { map: [1, 2, 3, 4, 5, 6, 7, 8, 9], steps: [ { load: "\(server.url("/b"))?${item}" } ] } } }
            """)
        async let result = wide("run", "flow.json5")
        await server.waitForRequests(5 + 9)
        gate.open()
        #expect(try await result.status == 0)
    }

    @Test("as many loads go to one host as concurrency or --jobs asks for")
    func jobs() async throws {
        for (key, options) in [("concurrency: 12,", []), ("", ["--jobs", "12"])] {
            let gate = Gate()
            let server = try LoopbackServer()
            server.route("/", LoopbackResponse.text("1").fault(.hold(after: 0, gate)))
            let run = try FlowCommandRun(
                """
                { \(key) tasks: { a: { map: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], steps: [
                  { load: "\(server.url("/"))?${item}" } ] } } }
                """)
            async let result = Command.run(["run", "flow.json5"] + options, in: run.folder.url)
            await server.waitForRequests(12)
            gate.open()
            #expect(try await result.status == 0)
        }
    }

    @Test(
        "a load's wait for its host does not count towards its time-out", .inProcessOnly,
        arguments: [
            (#"timeout: "700ms","#, "load", ""), ("", "load", #", timeout: "700ms""#),
            ("", "pages", #", timeout: "700ms""#),
        ])
    func timeInLine(task: String, verb: String, step: String) async throws {
        server.route("/", .text("[1]", type: "application/json"))
        let flow = try FlowCommandRun(
            """
            { network: { rate: 1 }, tasks: {
              first: { steps: [ { load: "\(server.url("/"))?1" } ] },
              second: { after: "first", \(task) steps: [ { \(verb): "\(server.url("/"))?2"\(step) } ] } } }
            """)
        let run = ClockedRun(["run", "flow.json5"], in: flow.folder.url)
        // The second load is in line for a second.
        await run.clock.waitForScheduled(after: .seconds(1))
        // In small steps, as the time-out is told of the wait a moment later.
        await run.advance(by: .milliseconds(10)) { server.requests.count == 2 }
        let result = try await run.result(advancingBy: .zero)
        #expect(result.status == 0, "\(result.errors)")
        #expect(run.clock.uptime >= .seconds(1))
    }

    @Test(
        "a silent peer ends in a time-out where loads wait in line, and is retried", .inProcessOnly,
        arguments: [(#"timeout: "1s","#, ""), ("", #", timeout: "1s""#)])
    func silenceInLine(task: String, step: String) async throws {
        server.route("/", .text("1").fault(.silence))
        let flow = try FlowCommandRun(
            """
            { network: { rate: 50 }, tasks: { a: { retry: { retries: 1, base: "1ms" }, \(task) steps: [
              { load: "\(server.url("/"))"\(step) } ] } } }
            """)
        let run = ClockedRun(["run", "flow.json5"], in: flow.folder.url)
        await server.waitForRequests(1)
        run.clock.advance(by: .seconds(1))
        // In small steps, so that the second attempt sends its request before its own time-out.
        await run.advance(by: .milliseconds(5)) { server.requests.count == 2 }
        let result = try await run.result(advancingBy: .seconds(1))
        #expect(result.status == 1 && result.complaints.count == 1, "\(result.errors)")
        #expect(result.errors.contains(task.isEmpty ? "not complete within" : "timed out after"))
        #expect(server.requests.count == 2)
    }

    @Test("deadline limits the whole, also waiting tasks")
    func deadline() async throws {
        server.route("/", .text("1").fault(.silence))
        let run = try FlowCommandRun(
            """
            { deadline: "300ms", concurrency: 1, tasks: {
              a: { map: [1, 2, 3], steps: [ { load: "\(server.url("/"))?${item}" } ] },
              b: { after: "a", steps: [ { value: 1 }, { save: "b" } ] } } }
            """)
        let result = try await run("run", "flow.json5")
        #expect(result.status == 1 && result.complaints.count == 1, "\(result.errors)")
        #expect(result.errors.contains("deadline"), "\(result.errors)")
        #expect(try run.folder.names() == ["flow.json5"])
    }

    @Test("the keys for TLS are the options of loads; paths are those of the workflow's folder")
    func secure() throws {
        var issues = FlowIssues()
        let source = FlowSource(
            name: "/f/flow.json5",
            text: """
                { network: { tls: "1.3", cacert: "ca.pem", cert: "me.p12", certKey: "me.key", rate: 2, connections: 3 },
                  tasks: { a: { steps: [ { load: "https://h/" } ] } } }
                """)
        let network = try #require(FlowReader.read(source, &issues)?.network)
        let folder = FlowFolder(ofFile: "/f/flow.json5", in: "/")
        let made = try Connections(network, folder, environment: ["STEPLINE_KEY_PASSWORD": "p"])
        let own = TLSOptions.ClientCertificate(
            URL(filePath: "/f/me.p12"), key: URL(filePath: "/f/me.key"), password: "p")
        let options = made.applied(to: LoadOptions())
        #expect(
            options.tls
                == TLSOptions(
                    authorities: URL(filePath: "/f/ca.pem"), clientCertificate: own, minimumVersion: .tls13))
        #expect(options.perHost == HostLimits(connections: 3, requestsPerSecond: 2))
        #expect(issues.sorted.isEmpty && options.cache == nil)
    }
}
