import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: masked values", .timeLimit(.minutes(5)))
struct MaskTests {
    private static let token = "s3cr/t-\"t0ken\"&x9"

    private func run(_ flow: FlowCommandRun, _ more: String...) async throws -> CommandResult {
        try await Command.run(["run", "flow.json5"] + more, in: flow.folder.url)
    }

    @Test("a masked value is hidden in errors, stderr of programs, logs, results and reports from then on")
    func hidden() async throws {
        let flow = try FlowCommandRun(
            #"""
            { tasks: {
              login: { steps: [ { load: "token.json" }, { parse: "json" }, { mask: "it.token" }, { transform: "it.token" } ] },
              number: { after: "login", steps: [ { transform: "number(it)" } ] },
              program: { after: "login", steps: [ { run: { shell: "sh", script: "echo \"$T\" >&2; exit 1" },
                env: { T: "${tasks.login}" } } ] },
              map: { after: "login", map: ["${tasks.login}"], steps: [ { value: 1 } ] },
              shown: { after: "login", steps: [ { value: "<${it}>" } ] },
            }, result: "${tasks.shown}" }
            """#)
        try flow.write(#"{ "token": \#(JSON(Self.token)) }"#, to: "token.json")
        let result = try await run(
            flow, "--allow-run", "sh", "--keep-going", "--log-format", "json", "--report", "r.html")
        #expect(result.status == 1 && result.output == "<[secret masked]>\n", "\(result.output)")
        #expect(result.errors.contains("[secret masked]"), "\(result.errors)")
        let percent = Self.token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let base64 = Data(Self.token.utf8).base64EncodedString()
        for text in [result.errors, try flow.folder.text("r.html")] {
            for trace in [Self.token, "s3cr", "t0ken", percent, base64] {
                #expect(!text.contains(trace), "\(trace) in \(text)")
            }
        }
    }

    @Test("the texts of a list are masked without a last line break, and the value is passed on")
    func list() async throws {
        let flow = try FlowCommandRun(
            #"""
            { tasks: { a: { steps: [ { value: { k: ["first-1\n", "second-2"], n: 12345 } },
              { mask: "it.k" }, { mask: "it.n" }, { transform: "it.k[0] + it.k[1] + it.n + 'open'" } ] } } }
            """#)
        #expect(try await run(flow).output == "[secret masked]\n[secret masked][secret masked]open\n")
    }

    @Test(
        "a value that can't be hidden fails the step, and isn't shown",
        arguments: [
            ("abc", "the value has 3 bytes; redaction needs from 4 to 8192"),
            ("", "the value has 0 bytes"), ("null", "mask expects a text or a list of texts, not null"),
            ("{ a: 'abcdef' }", "mask expects a text or a list of texts, not an object"),
            ("true", "mask expects a text or a list of texts, not a truth"),
        ])
    func refused(value: String, message: String) async throws {
        let literal = value.first.map { "{nt".contains($0) } == true ? value : "'\(value)'"
        let flow = try FlowCommandRun(
            "{ tasks: { a: { steps: [ { value: \(literal) }, { mask: 'it' } ] } } }")
        let result = try await run(flow)
        #expect(result.status == 1 && result.errors.contains(message), "\(result.errors)")
    }

    @Test("a run masks a bounded number of values, and an equal value counts once")
    func bounded() throws {
        let redactor = SecretRedactor()
        for number in 0..<SecretRedactor.mostMasked { try redactor.mask("value-\(number)-") }
        try redactor.mask("value-0-")
        #expect(throws: FlowError.self) { try redactor.mask("another value") }
        #expect(redactor.redacted("a value-7- b") == "a [secret masked] b")
    }

    @Test("a masked value of less than 8 bytes is warned of, without showing it")
    func short() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { steps: [ { value: 'pin-12' }, { mask: 'it' }, { value: 1 } ] } } }")
        let result = try await run(flow)
        #expect(
            result.status == 0
                && result.errors.contains(
                    "warning: the value masked in line 1 of flow.json5 has less than 8 bytes"),
            "\(result.errors)")
        #expect(!result.errors.contains("pin-12"))
    }

    @Test("an output hides what an earlier run masks later, as long as that run is there")
    func earlierRun() throws {
        let file = try NamelessFile()
        let output = OutputHandle(descriptor: file.descriptor, name: "out")
        let earlier = SecretRedactor()
        output.hide(earlier, of: "worker")
        output.hide(SecretRedactor(), of: "worker")
        try earlier.mask("geheim12345")
        try output.write("a geheim12345 b")
        #expect(String(decoding: try file.contents(), as: UTF8.self) == "a [secret masked] b")
    }

    @Test("a stored task fails if its result has a masked value, and nothing of it is stored")
    func stored() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { steps: [ { load: "t.txt" }, { mask: "it" }, { transform: "'x' + it" } ] },
              b: { steps: [ { load: "t.txt" }, { mask: "it" }, { transform: "length(it)" } ] } } }
            """)
        try flow.write("geheim12345", to: "t.txt")
        let result = try await run(flow, "--store", "runs.db", "--key", "k", "--keep-going")
        #expect(result.status == 1, "\(result.errors)")
        #expect(
            result.errors.contains("a failed: its result holds the secret \"masked\""), "\(result.errors)")
        for name in try flow.folder.names() where name.hasPrefix("runs.db") {
            let data = try Data(contentsOf: flow.folder.url.appending(path: name))
            #expect(data.range(of: Data("geheim12345".utf8)) == nil, "\(name)")
        }
    }

    @Test("a header with a masked value stays with its host")
    func redirected() async throws {
        let (server, other) = (try LoopbackServer(), try LoopbackServer())
        server.route("/token", .text("geheim12345"))
        server.route("/data", .redirect(to: other.url("/data").absoluteString))
        other.route("/data", .text("ok"))
        let flow = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { load: "\(server.url("/token"))" }, { mask: "it" },
              { load: "\(server.url("/data"))", headers: { "X-Key": "${it}", "X-Open": "yes" } } ] } } }
            """)
        let result = try await run(flow)
        #expect(result.status == 0 && result.output == "ok", "\(result.errors)")
        #expect(server.requests.last?["X-Key"] == "geheim12345")
        #expect(other.requests.last?["X-Key"] == nil && other.requests.last?["X-Open"] == "yes")
    }

    @Test(
        "a recording has a placeholder for a masked value, also in what precedes the mask, and is replayed",
        arguments: [
            // In an answer.
            """
            a: { steps: [ { load: "SERVER/login" }, { parse: "json" }, { mask: "it.token" },
              { load: "SERVER/data?t=${it.token}" } ] }
            """,
            // In a request.
            """
            login: { steps: [ { load: "SERVER/login" }, { parse: "json" }, { transform: "it.token" } ] },
            data: { after: "login", steps: [
              { load: "SERVER/data?t=${it}", method: "POST", body: "token ${it}" }, { parse: "text" } ] },
            late: { after: ["login", "data"], steps: [ { mask: "it" }, { value: 1 } ] }
            """,
        ])
    func recorded(tasks: String) async throws {
        let server = try LoopbackServer()
        server.route("/login", .text(#"{ "token": "geheim12345" }"#))
        server.route("/data", .text("fine"))
        let tasks = tasks.replacing("SERVER", with: "http://127.0.0.1:\(server.port)")
        let flow = try FlowCommandRun("{ tasks: { \(tasks) } }")
        let recording = try await run(flow, "--record", "flow.tests/a")
        #expect(recording.status == 0, "\(recording.errors)")
        let answers = flow.folder.url.appending(path: "flow.tests/a/answers")
        for name in try FileManager.default.contentsOfDirectory(atPath: answers.path) {
            let text = String(decoding: try Data(contentsOf: answers.appending(path: name)), as: UTF8.self)
            #expect(!text.contains("geheim") && !name.contains("geheim"), "\(name): \(text)")
        }
        #expect(try await flow("test", "flow.json5", "--update").status == 0)
        let test = try await flow("test", "flow.json5")
        #expect(test.status == 0, "\(test.output)\(test.errors)")
    }

    @Test("a value with white space around it is masked without it, too")
    func trimmed() throws {
        let redactor = SecretRedactor()
        #expect(try redactor.mask(" geheim12345\n\n"))
        #expect(try !redactor.mask(" geheim12345\n\n"))
        #expect(redactor.redacted("a=geheim12345;") == "a=[secret masked];")
    }

    @Test("the other texts of a list are masked if one of them can't be")
    func rest() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { value: ["", "geheim12345"] }, { mask: "it" } ] },
              b: { runs: "always", after: "a", steps: [ { transform: "number('geheim' + '12345')" } ] } } }
            """)
        let result = try await run(flow)
        #expect(result.status == 1 && result.errors.contains("the value has 0 bytes"), "\(result.errors)")
        #expect(!result.errors.contains("geheim12345"), "\(result.errors)")
    }

    @Test("a value of thousands of backslashes is searched in bounded time")
    func backslashes() throws {
        let redactor = SecretRedactor()
        let slashes = String(repeating: #"\"#, count: 4000)
        try redactor.mask(slashes + "x")
        #expect(redactor.redacted(slashes + slashes + "xy")?.hasSuffix("y") == true)
        #expect(redactor.redacted(String(repeating: "no secret ", count: 1000)) == nil)
    }

    @Test("a file that a task runs masks for the whole run")
    func included() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: { inner: { flow: "inner.json5" },
              bad: { after: "inner", steps: [ { transform: "number('geheim' + '12345')" } ] } } }
            """)
        try flow.write(
            "{ tasks: { a: { steps: [ { value: 'geheim12345' }, { mask: 'it' } ] } } }", to: "inner.json5")
        let result = try await run(flow)
        #expect(result.status == 1 && result.errors.contains("[secret masked]"), "\(result.errors)")
        #expect(!result.errors.contains("geheim12345"), "\(result.errors)")
    }
}
