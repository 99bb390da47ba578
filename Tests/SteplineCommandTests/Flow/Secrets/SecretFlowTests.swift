import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: secrets", .timeLimit(.minutes(5)))
struct SecretFlowTests {
    private static let secret = "s3cr/t \"&+\u{E9}9Zq"

    private func run(
        _ flow: FlowCommandRun, _ more: [String] = [], environment: [String: String] = ["API_TOKEN": secret]
    ) async throws -> CommandResult {
        try await Command.run(
            ["run", "flow.json5", "--allow-env", "API_TOKEN", "--allow-env", "NONE", "--allow-env", "T"]
                + more,
            environment: environment, in: flow.folder.url)
    }

    /// The bytes of a store's file; none if SQLite has put them into the main file meanwhile, as the last connection
    /// does.
    private func stored(_ name: String, in folder: TemporaryFolder) throws -> Data {
        do {
            return try Data(contentsOf: folder.url.appending(path: name))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile && name != "runs.db" {
            return Data()
        }
    }

    @Test("a secret comes from the environment, a file or a command, and is sent as it is")
    func sources() async throws {
        let server = try LoopbackServer()
        server.route("/", .text("1"))
        let flow = try FlowCommandRun(
            """
            { parameters: { who: "me" },
              secrets: { a: { env: "API_TOKEN" }, b: { file: "key.txt" }, c: { command: ["echo", "pass of ${who}"] } },
              tasks: { get: { steps: [ { load: "\(server.url("/"))?t=${secrets.a}",
                headers: { "X-B": "${secrets.b}", "X-C": "${secrets['c']}" } } ] } } }
            """)
        try flow.write("of a file\n", to: "key.txt")
        #expect(try await flow("check", "flow.json5").output == "flow.json5: no mistakes, 1 task\n")
        let refused = try await run(flow)
        #expect(refused.status == 3 && refused.errors.contains("--allow-run echo would allow it"))
        let result = try await run(flow, ["--allow-run", "echo"])
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        let request = try #require(server.requests.first)
        #expect(request["X-B"] == "of a file" && request["X-C"] == "pass of me")
        #expect(request.query?.removingPercentEncoding == "t=" + Self.secret)
    }

    @Test("a secret that isn't there, is too short or no text is told, and nothing is run")
    func missing() async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { t: { env: "API_TOKEN" }, f: { file: "key.txt" }, unused: { env: "NONE" } },
              tasks: { a: { steps: [ { value: "${secrets.t}${secrets.f}" }, { save: "a" } ] } } }
            """)
        try flow.write("long enough", to: "key.txt")
        for (environment, words) in [
            ([:], "set API_TOKEN in the environment"), (["API_TOKEN": "abc"], "has 3 bytes"),
        ] as [([String: String], String)] {
            let result = try await run(flow, environment: environment)
            #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
        }
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "key.txt"))
        let result = try await run(flow)
        #expect(result.status == 2 && result.errors.contains("key.txt can't be read"), "\(result.errors)")
        #expect(try flow.folder.names() == ["flow.json5"])
        let failing = try FlowCommandRun(
            """
            { secrets: { t: { command: ["sh", "-c", "echo hush-hush >&2; exit 3"] } },
              tasks: { a: { steps: [ { value: "${secrets.t}" } ] } } }
            """)
        let failed = try await run(failing, ["--allow-run", "sh"])
        #expect(failed.status == 2 && failed.errors.contains("sh ended with 3"))
        #expect(!failed.errors.contains("hush"))
    }

    /// A flow that tells its secret in as many ways as there are.
    private static func chatty(_ server: LoopbackServer) -> String {
        """
        { secrets: { token: { env: "API_TOKEN" } }, tasks: {
          path: { steps: [ { load: "\(server.url("/gone"))/${secrets.token}/x" } ] },
          number: { steps: [ { value: "${number(secrets.token)}" } ] },
          name: { steps: [ { load: "${'no ' + secrets.token}.txt" } ] },
          program: { steps: [ { run: ["sh", "-c", "echo \\"$T\\" >&2; printf %s \\"$T\\" | base64 >&2; exit 1"],
            env: { T: "${secrets.token}" } } ] },
          map: { map: "${first([secrets.token])}", steps: [ { use: "map" } ] },
          left: { map: ["${secrets.token}", 1], skipFailures: true, steps: [ { transform: "number(item)" } ] },
          again: { retry: { retries: 1, base: "1ms", failures: "all" }, steps: [ { transform: "number(secrets.token)" } ] },
        } }
        """.replacing(", steps: [ { use: \"map\" } ]", with: ", steps: [ { value: 1 } ]")
    }

    /// The traces of the secret in a text, in any encoding.
    private func traces(in text: String) -> [String] {
        let base64 = Data(Self.secret.utf8).base64EncodedString()
        let json = String(JSON(Self.secret).description.dropFirst().dropLast())
        let percent = Self.secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        // Its end alone is three characters that may stand among a report's numbers by chance.
        let ends = ["\u{E9}9Zq", "%A99Zq", "e99Zq"]
        return ([Self.secret, "s3cr", base64, String(base64.prefix(12)), json, percent] + ends).filter {
            text.contains($0)
        }
    }

    @Test("origins and written files are stored without secrets, or not stored")
    func places() async throws {
        let server = try LoopbackServer()
        server.route("/data", .text("fine"))
        server.route("/data/geheim12345", .text("fine"))
        let flow = try FlowCommandRun(
            """
            { secrets: { token: { env: "API_TOKEN" } }, tasks: {
              query: { steps: [ { load: "\(server.url("/data"))?key=${secrets.token}" } ] },
              path: { steps: [ { load: "\(server.url("/data"))/${secrets.token}" } ] },
              file: { steps: [ { value: "x" }, { save: "a${secrets.token}.txt" } ] },
            } }
            """)
        let result = try await run(
            flow, ["--store", "runs.db", "--key", "k", "--keep-going"],
            environment: ["API_TOKEN": "geheim12345"])
        #expect(result.status == 1 && !result.errors.contains("query failed"), "\(result.errors)")
        #expect(result.errors.contains("path failed: the address of its result holds the secret"))
        #expect(result.errors.contains("file failed: the path of a file that it writes holds the secret"))
        for name in try flow.folder.names() where name.hasPrefix("runs.db") {
            let data = try stored(name, in: flow.folder)
            #expect(!String(decoding: data, as: UTF8.self).contains("geheim12345"), "\(name)")
        }
    }

    @Test("a name that is drawn without its middle shows nothing of a secret in it")
    func cutNames() async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { token: { env: "API_TOKEN" } }, tasks: { "quite a long name":
              { map: ["${secrets.token}"], steps: [ { value: 1 } ] } } }
            """)
        let result = try await run(flow, ["--report", "r.html", "--trace", "t.json"])
        #expect(result.status == 0, "\(result.errors)")
        for name in ["r.html", "t.json"] {
            #expect(traces(in: try flow.folder.text(name)) == [], "\(name)")
        }
    }

    @Test(
        "a short secret is warned of, hidden all the same, and breaks no report",
        arguments: ["1000", "text", "rgba(0"])
    func short(secret: String) async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { token: { env: "API_TOKEN" } }, tasks: { a: { map: ["x${secrets.token}"], skipFailures: true,
              steps: [ { transform: "number(item)" } ] } } }
            """)
        let bare = try FlowCommandRun("{ tasks: { a: { steps: [ { transform: \"number('x')\" } ] } } }")
        let options = ["--report", "r.html", "--trace", "t.json"]
        _ = try await run(bare, options)
        let result = try await run(flow, options, environment: ["API_TOKEN": secret])
        #expect(
            result.errors.contains("warning: the secret \"token\" has less than 8 bytes"), "\(result.errors)")
        #expect(result.errors.contains("x[secret token]") && !result.errors.contains("x\(secret)"))
        func script(_ flow: FlowCommandRun) throws -> Substring {
            let page = try flow.folder.text("r.html")
            let start = try #require(page.range(of: "<script>"))
            return page[start.upperBound...].prefix(5000)
        }
        #expect(try script(flow) == script(bare))
        let page = try flow.folder.text("r.html")
        #expect(page.contains("x[secret token]") && !page.contains("x\(secret)"))
        let trace = try JSON(parsing: try flow.folder.text("t.json"))
        #expect(!trace.description.contains("x\(secret)"))
        let long = try await run(flow, environment: ["API_TOKEN": secret + "long enough"])
        #expect(!long.errors.contains("bytes"))
    }

    @Test("no step writes over the store that the run is kept in")
    func overStore() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { value: 'x' }, { save: 'runs.db' } ] } } }")
        for _ in 1...2 {
            let result = try await run(flow, ["--store", "runs.db", "--key", "k"])
            #expect(result.status == 3 && result.errors.contains("or of its store"), "\(result.errors)")
        }
        #expect(try await run(flow).status == 0, "without a store it is a file as others")
    }

    @Test(
        "no secret is in stderr, logs, events, reports or traces, in whatever form",
        arguments: [[], ["--log-format", "json"], ["--log-format", "text"], ["--quiet"]])
    func hidden(options: [String]) async throws {
        let server = try LoopbackServer()
        let flow = try FlowCommandRun(Self.chatty(server))
        let result = try await run(
            flow, ["--allow-run", "sh", "--report", "r.html", "--trace", "t.json"] + options)
        #expect(result.status == 1)
        #expect(result.errors.contains("[secret token]"))
        #expect(traces(in: result.errors) == [], "\(result.errors)")
        #expect(result.output == (options == ["--quiet"] ? "" : #"{"left":[1]}"# + "\n"))
        for name in ["r.html", "t.json"] {
            let text = try flow.folder.text(name)
            #expect(text.contains("[secret token]"))
            #expect(traces(in: text) == [], "\(name)")
        }
        #expect(server.requests.contains { $0.path.removingPercentEncoding?.contains(Self.secret) == true })
        if options.last == "json" {
            for line in result.complaints { #expect(throws: Never.self) { try JSON(parsing: line) } }
        }
    }

    @Test("no secret comes into a store, and a result that holds one isn't kept")
    func store() async throws {
        let server = try LoopbackServer()
        let flow = try FlowCommandRun(Self.chatty(server))
        let result = try await run(flow, ["--allow-run", "sh", "--store", "runs.db", "--key", "k"])
        #expect(result.status == 1 && traces(in: result.errors) == [], "\(result.errors)")
        let own = try FlowCommandRun(
            """
            { secrets: { token: { env: "API_TOKEN" } }, tasks: {
              a: { steps: [ { value: { t: "${secrets.token}" } } ] },
              b: { map: ["${'x' + secrets.token}"], steps: [ { value: 1 } ] },
              c: { steps: [ { value: "${secrets.token}" }, { transform: "length(it)" } ] },
            } }
            """)
        let kept = try await run(own, ["--store", "runs.db", "--key", "k"])
        #expect(kept.status == 1)
        #expect(kept.errors.contains("a failed: its result holds the secret \"token\""), "\(kept.errors)")
        #expect(kept.errors.contains("holds the secret \"token\", and would be kept"))
        #expect(!kept.errors.contains("c failed"))
        for folder in [flow.folder, own.folder] {
            for name in try folder.names() where name.hasPrefix("runs.db") {
                let data = try stored(name, in: folder)
                #expect(traces(in: String(decoding: data, as: UTF8.self)) == [], "\(name)")
            }
        }
        let shown = try await own("runs", "show", "k", "--store", "runs.db")
        #expect(traces(in: shown.output) == [])
        // Without a store the file's own results are its own affair.
        #expect(try await run(own).status == 0)
    }

    @Test("a file gets no variable of the environment that --allow-env doesn't name")
    func allowEnv() async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { a: { env: "API_TOKEN" }, b: { env: "HOME" } },
              tasks: { t: { steps: [ { value: "${secrets.a}${secrets.b}" }, { save: "t" } ] } } }
            """)
        let refused = try await run(flow)
        #expect(refused.status == 3)
        #expect(
            refused.errors
                == "stepline: flow.json5:1:39: error: the file wants HOME of the environment (--allow-env HOME would allow it)\n"
        )
        #expect(try flow.folder.names() == ["flow.json5"])
        #expect(try await run(flow, ["--allow-env", "HOME"]).status == 0)
        let kept = try FlowCommandRun(
            """
            { secrets: { a: { env: "API_TOKEN" } },
              tasks: { t: { steps: [ { value: "${secrets.a}" }, { transform: "1 / 0" } ] } } }
            """)
        let failed = try await run(kept, ["--store", "runs.db", "--key", "k"])
        #expect(failed.errors.contains("--allow-env API_TOKEN"), "\(failed.errors)")
    }

    @Test("a secret's command that waits for the terminal is ended, and the message says why", .inProcessOnly)
    func waitingCommand() async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { t: { command: ["tail", "-f", "/dev/null"] } },
              tasks: { a: { steps: [ { value: "${secrets.t}" } ] } } }
            """)
        let run = ClockedRun(["run", "flow.json5", "--allow-run", "tail"], in: flow.folder.url)
        let result = try await run.result(advancingBy: .seconds(121))
        #expect(result.status == 2)
        #expect(
            result.errors.contains("tail took longer than 120.0 seconds; a secret's command can't read from"),
            "\(result.errors)")
    }
}
