import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run --record", .timeLimit(.minutes(5)))
struct RecordingTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func flow(_ tasks: String) throws -> FlowCommandRun {
        try FlowCommandRun(
            "{ defaults: { retry: { base: '1ms' } }, tasks: { "
                + tasks.replacing("SERVER", with: "http://127.0.0.1:\(server.port)") + " } }")
    }

    /// Records a run, takes what is made as expected, and tests that against the recording alone.
    @discardableResult
    private func recordAndTest(
        _ run: FlowCommandRun, _ arguments: [String] = [], environment: [String: String] = [:],
        status: Int32 = 0
    ) async throws -> CommandResult {
        let recorded = try await Command.run(
            ["run", "flow.json5", "--record", "flow.tests/a"] + arguments, environment: environment,
            in: run.folder.url)
        #expect(recorded.status == status, "\(recorded.errors)")
        let asked = server.requests.count
        let update = try await run("test", "flow.json5", "--update")
        #expect(update.status == 0, "\(update.output)\(update.errors)")
        let tested = try await run("test", "flow.json5")
        #expect(tested.status == 0 && tested.output == "passed  a\n1 case, all passed\n", "\(tested.output)")
        #expect(server.requests.count == asked)
        return recorded
    }

    private func recordedFiles(_ run: FlowCommandRun) throws -> [String: Data] {
        try FileTree.read(run.folder.url.appending(path: "flow.tests/a"))
    }

    @Test(
        "attempts, redirects, bytes that are no text, packed answers, and an answer to each of equal requests"
    )
    func answers() async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        server.route("/bytes", .data(bytes))
        server.route("/old", .redirect(to: "/bytes"))
        server.route("/packed", LoopbackResponse.text(String(repeating: "wide ", count: 100)).gzipped())
        server.route(
            "/busy", inTurn: [LoopbackResponse.status(503).header("Retry-After", "1"), .text("at last")])
        server.route("/count", inTurn: [.text("one"), .text("two")])
        let run = try flow(
            """
            bytes: { steps: [ { load: "SERVER/old" }, { save: "bytes.bin" } ] },
            busy: { steps: [ { load: "SERVER/busy" }, { save: "busy.txt" } ] },
            packed: { steps: [ { load: "SERVER/packed" } ] },
            first: { steps: [ { load: "SERVER/count" }, { save: "first.txt" } ] },
            second: { after: "first", steps: [ { load: "SERVER/count" }, { save: "second.txt" } ] },
            """)
        try await recordAndTest(run)
        let files = try recordedFiles(run)
        let made = [
            "bytes.bin": bytes, "busy.txt": Data("at last".utf8), "second.txt": Data("two".utf8),
        ]
        for (name, data) in made { #expect(files["expected/files/\(name)"] == data, "\(name)") }
        #expect(files["expected/results/packed.txt"]?.count == 500)
        #expect(files.keys.filter { $0.hasPrefix("answers/") && $0.hasSuffix("-2.http") }.count == 2)
        #expect(files.keys.filter { $0.hasPrefix("answers/") }.count == 8)
    }

    @Test("bodies tell requests apart; one that isn't recorded is told by its first difference")
    func bodies() async throws {
        server.route("/orders", method: "POST") { .text("order \($0.body.count)") }
        let run = try flow(
            """
            orders: { map: [1, 22], steps: [
              { load: "SERVER/orders", body: { count: "${item}", note: "a\\nb" } }, { transform: "it" } ] },
            long: { steps: [ { load: "SERVER/orders", body: "${repeat('x', 70000)}" }, { transform: "it" } ] },
            """.replacing("${repeat('x', 70000)}", with: String(repeating: "x", count: 70000)))
        try await recordAndTest(run)
        let files = try recordedFiles(run)
        #expect(files.values.contains { String(decoding: $0, as: UTF8.self).contains("\n>sha256 ") })
        #expect(files.values.contains { String(decoding: $0, as: UTF8.self).contains("\n> {\"count\":22,") })
        let text = try run.folder.text("flow.json5")
        try run.write(text.replacing("[1, 22]", with: "[1, 23]"), to: "flow.json5")
        let result = try await run("test", "flow.json5")
        #expect(result.status == 1)
        #expect(
            result.output.contains(
                "with another body, line 1: - {\"count\":1,\"note\":\"a\\nb\"} + {\"count\":23,\"note\":\"a\\nb\"}"
            )
                || result.output.contains(
                    "with another body, line 1: - {\"count\":22,\"note\":\"a\\nb\"} + {\"count\":23,"),
            "\(result.output)")
    }

    @Test("no secret is written, however it is written in what is asked and answered; tests have stand-ins")
    func secrets() async throws {
        let secret = "p4ss/w+rd \"né\""
        let encoded = Data("user:\(secret)".utf8).base64EncodedString()
        server.route("/a") { request in
            let key = request["X-Key"] ?? ""
            let text = "{\"you\": \"\(key.replacing("\"", with: "\\\""))\", \"basic\": \"\(encoded)\"}"
            return .text(text, type: "application/json")
                .header("X-Echo", key).header("Set-Cookie", "session=abcdefgh")
                .header("X-Token", "plain-answer")
        }
        let run = try FlowCommandRun(
            """
            { secrets: { key: { env: "KEY" } }, tasks: { a: { steps: [
              { load: "\(server.url("/a"))?key=${secrets.key}", method: "POST",
                headers: { "X-Key": "${base64(secrets.key)}", Authorization: "Bearer something" },
                body: { key: "${secrets.key}", list: ["${secrets.key}"] } },
              { parse: "json" } ] } } }
            """.replacing("${base64(secrets.key)}", with: "${secrets.key}"))
        try await recordAndTest(run, ["--allow-env", "KEY"], environment: ["KEY": secret])
        let files = try recordedFiles(run)
        let all = files.values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        for trace in [
            "p4ss", "w+rd", "w%2Brd", String(encoded.dropFirst(8).dropLast(4)), "something", "abcdefgh",
            "plain-answer",
        ] {
            #expect(!all.contains(trace), "\(trace) is in the recording")
        }
        #expect(all.contains("?key=[secret key]") && all.contains("> {\"key\":\"[secret key]\""))
        #expect(all.contains("Authorization: <redacted>"))
        try run.write("{ secrets: { key: 'four' } }", to: "flow.tests/a/case.json5")
        let other = try await run("test", "flow.json5")
        #expect(other.status == 0, "\(other.output)")
    }

    @Test("a connection that is refused, and one that breaks in the middle, fail again in the test")
    func failures() async throws {
        server.route("/cut", LoopbackResponse.pattern(count: 1000).fault(.close(after: 400)))
        let run = try flow(
            """
            cut: { steps: [ { load: "SERVER/cut" } ] },
            closed: { steps: [ { load: "http://127.0.0.1:9/" } ] },
            slow: { steps: [ { load: "SERVER/slow", timeout: "300ms", retry: 0 } ] },
            big: { steps: [ { load: "SERVER/big", limit: "10kB" } ] },
            """)
        server.route("/slow", LoopbackResponse.text("never").fault(.silence))
        server.route("/big", .pattern(count: 1_000_000))
        try run.write("{ fails: true }", to: "flow.tests/a/case.json5")
        try await recordAndTest(run, status: 1)
        let failures = try run.folder.text("flow.tests/a/expected/failures.txt")
        #expect(failures.contains("cut: load") && failures.contains("the body ended after 400 of 1000 bytes"))
        #expect(failures.contains("big: load") && failures.contains("more than 10000 bytes"))
        #expect(failures.split(separator: "\n").count == 4)
    }

    @Test("programs are recorded, and not run by a test, unless it says so")
    func programs() async throws {
        let run = try flow(
            """
            tick: { steps: [ { value: "x" }, { run: ["tee", "-a", "marks.txt"] }, { save: "out.txt" } ] },
            bad: { after: "tick", steps: [ { use: "tick" }, { run: ["grep", "nothing"], env: { LC_ALL: "C" } } ] },
            """)
        try run.write("{ fails: true }", to: "flow.tests/a/case.json5")
        try await recordAndTest(run, ["--allow-run", "tee", "--allow-run", "grep"], status: 1)
        let files = try recordedFiles(run)
        #expect(files["expected/files/out.txt"] == Data("x".utf8) && files["expected/files/marks.txt"] == nil)
        let calls = files.values.map { String(decoding: $0, as: UTF8.self) }
        #expect(calls.contains("RUN [\"tee\",\"-a\",\"marks.txt\"]\n> x\n\n0\n\nx"))
        #expect(calls.contains { $0.hasPrefix("RUN [\"grep\",\"nothing\"]\nLC_ALL: C\n> x\n\n! 1 grep ") })
        let real = try await run("test", "flow.json5", "--allow-run", "tee")
        #expect(
            real.output.contains("failed  a: made, and not expected\n          files/marks.txt"),
            "\(real.output)")
        let text = try run.folder.text("flow.json5")
        try run.write(text.replacing("\"nothing\"", with: "\"something\""), to: "flow.json5")
        let missing = try await run("test", "flow.json5")
        #expect(missing.output.contains("asked:    RUN [\"grep\",\"something\"]"))
        #expect(missing.output.contains("recorded: RUN [\"grep\",\"nothing\"]"))
    }

    @Test("files that are loaded are kept as inputs, but for those that the run itself has made")
    func inputs() async throws {
        let run = try flow(
            """
            a: { steps: [ { load: "data/names.txt" }, { save: "made.txt" } ] },
            b: { after: "a", steps: [ { load: "made.txt" }, { transform: "upper(it)" } ] },
            """)
        try run.write("ann", to: "data/names.txt")
        try await recordAndTest(run)
        let files = try recordedFiles(run)
        #expect(files.keys.filter { $0.hasPrefix("inputs/") } == ["inputs/data/names.txt"])
        #expect(files["expected/results/b.json"] == Data("\"ANN\"\n".utf8))
    }

    @Test("an answer of more than 64 MiB is told, and not recorded; the rest is", .soakOnly)
    func tooLarge() async throws {
        server.route("/large", .pattern(count: 65 << 20))
        server.route("/small", .text("small"))
        let run = try flow(
            """
            large: { steps: [ { load: "SERVER/large", limit: "100MB" }, { transform: "1" } ] },
            small: { steps: [ { load: "SERVER/small" } ] },
            """.replacing(", { transform: \"1\" }", with: ", { save: \"large.bin\" }"))
        let result = try await run("run", "flow.json5", "--record", "flow.tests/a")
        #expect(result.status == 1)
        #expect(
            result.complaints == [
                "stepline: the answer to GET \(server.url("/large")) has more than 64 MiB and isn't recorded"
            ])
        #expect(try run.folder.names(in: "flow.tests/a/answers").count == 2)
    }

    @Test("a recording whose files are gone, cut or mistyped is told with file and line")
    func brokenRecordings() async throws {
        server.route("/a", .text("text"))
        let run = try flow("a: { steps: [ { load: \"SERVER/a\" } ] }")
        try await recordAndTest(run)
        let files = try recordedFiles(run)
        let name = try #require(files.keys.first { $0.hasSuffix(".http") })
        let text = String(decoding: try #require(files[name]), as: UTF8.self)
        let manifest = String(decoding: try #require(files["answers/manifest.json"]), as: UTF8.self)
        let broken: [(String, String, String)] = [
            (name, text.prefix { $0 != "\n" } + "\n", "\(name):2: the answer is missing"),
            (name, text.replacing("\n200\n", with: "\ntwo hundred\n"), "\(name):"),
            ("answers/manifest.json", String(manifest.prefix(20)), "answers/manifest.json is no JSON object"),
            ("answers/manifest.json", manifest.replacing("1,", with: "9,"), "another format than 1"),
        ]
        for (file, content, words) in broken {
            try run.write(content, to: "flow.tests/a/" + file)
            let result = try await run("test", "flow.json5")
            #expect(result.status == 1 && result.output.hasPrefix("failed  a: the recording can't be read\n"))
            #expect(result.output.contains(words), "\(result.output)")
            try run.write(text, to: "flow.tests/a/" + name)
            try run.write(manifest, to: "flow.tests/a/answers/manifest.json")
        }
        // By hand the answer can be another.
        try run.write(text.replacing("\n\ntext", with: "\n\ntexts"), to: "flow.tests/a/" + name)
        #expect(try await run("test", "flow.json5").output.contains("- text\n          + texts\n"))
        try FileManager.default.removeItem(at: run.folder.url.appending(path: "flow.tests/a/" + name))
        let gone = try await run("test", "flow.json5")
        #expect(gone.output.contains("\(name) is missing, which manifest.json lists"))
    }

    @Test("a folder that is no test case is not overwritten, and a partial run is not recorded")
    func refusals() async throws {
        server.route("/a", .text("text"))
        let run = try flow("a: { steps: [ { load: \"SERVER/a\" } ] }")
        try run.write("mine", to: "mine/letter.txt")
        try run.write("mine", to: "file")
        for (arguments, words) in [
            (["--record", "mine"], "no test case, as it has letter.txt"),
            (["--record", "file"], "that is a file"),
            (["--record", "x", "--store", "s.db"], "leave out --store"),
            (["--record", "x", "a"], "leave out TASK"), (["--record", "x", "--from", "a"], "leave out TASK"),
        ] {
            let result = try await Command.run(["run", "flow.json5"] + arguments, in: run.folder.url)
            #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
        }
        #expect(server.requests.isEmpty)
        #expect(try await run("run", "flow.json5", "--record", "mine", "--force").status == 0)
        #expect(try run.folder.names(in: "mine") == ["answers", "letter.txt"])
        try await recordAndTest(run)
        // A second recording takes the place of the first, and leaves what is expected.
        server.route("/a", .text("other"))
        #expect(try await run("run", "flow.json5", "--record", "flow.tests/a").status == 0)
        let result = try await run("test", "flow.json5")
        #expect(result.status == 1 && result.output.contains("- text\n          + other\n"))
    }

    @Test("a login whose password is secret, the token in its answer, and pages behind it are tested offline")
    func login() async throws {
        server.route("/login", method: "POST", .text(#"{"token": "t0k3n", "you": "open sesame"}"#))
        server.route("/orders") { request in
            request.query?.contains("after") == true
                ? .text(#"{"orders": [{"id": 2, "customer": {"name": "b"}, "total": 1}]}"#)
                : .text(
                    #"{"orders": [{"id": 1, "customer": {"name": "a"}, "total": 2}], "next": "/orders?after=1"}"#
                )
        }
        server.route("/logout", method: "POST", .text("bye"))
        let run = try FlowCommandRun(try FlowFixtures.text("tokens.json5"))
        try await recordAndTest(
            run, ["--set", "server=http://127.0.0.1:\(server.port)", "--allow-env", "SHOP_PASSWORD"],
            environment: ["SHOP_PASSWORD": "open sesame"])
        let files = try recordedFiles(run)
        #expect(files.count == 7)
        #expect(files["expected/files/orders.csv"] == Data("id,customer,total\n1,a,2\n2,b,1\n".utf8))
        #expect(!files.values.contains { String(decoding: $0, as: UTF8.self).contains("sesame") })
    }

    @Test(
        "an echoed secret leads to the same URL, and a parameter that sounds secret is reported")
    func echoes() async throws {
        server.route("/a") { .text("\"\($0["X-Key"] ?? "")\"") }
        server.route("/b/open sesame", .text("there"))
        let run = try FlowCommandRun(
            """
            { parameters: { apiToken: "" }, secrets: { key: { env: "KEY" } }, tasks: {
              a: { steps: [ { load: "\(server.url("/a"))", headers: { "X-Key": "${secrets.key}" } },
                { parse: "json" } ] },
              b: { after: "a", steps: [ { load: "\(server.url("/b"))/${it}?${apiToken}" } ] } } }
            """)
        let recorded = try await recordAndTest(
            run, ["--allow-env", "KEY", "--set", "apiToken=plain"], environment: ["KEY": "open sesame"])
        #expect(recorded.complaints.count == 1)
        #expect(recorded.errors.contains("warning: the value of apiToken is in the recording"))
    }
}
