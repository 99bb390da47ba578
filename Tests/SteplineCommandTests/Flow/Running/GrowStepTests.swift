import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: the step grow", .timeLimit(.minutes(5)))
struct GrowStepTests {
    /// A map of numbers whose elements find twice their number and that plus one.
    private func tree(_ keys: String, _ steps: String = "", below most: Int = 16) -> String {
        """
        { tasks: { n: { map: [1], \(keys) steps: [
          { value: ["${item * 2}", "${item * 2 + 1}", null, "${item}"] },
          { filter: "it == null || it < \(most)" }, { grow: "$[*]" }, { transform: "item" }, \(steps) ] } } }
        """
    }

    private func output(_ text: String, _ more: String...) async throws -> CommandResult {
        let flow = try FlowCommandRun(text)
        return try await Command.run(["run", "flow.json5", "--jobs", "1"] + more, in: flow.folder.url)
    }

    @Test(
        "elements find elements, each key once, in the order of discovery",
        arguments: [
            ("", Array(1..<16)), ("depth: 2,", Array(1..<8)), ("depth: 0,", [1]),
            ("most: 15,", Array(1..<16)),
            ("except: 'item % 4 == 3',", [1, 2, 4, 5, 8, 9, 10]),
            ("except: 'item > 5',", [1, 2, 3, 4, 5]), ("key: 'item % 8',", Array(1...8)),
            ("skipFailures: true,", Array(1..<16)), ("deadline: '60s',", Array(1..<16)),
            ("when: 'true',", Array(1..<16)), ("concurrency: 1,", Array(1..<16)),
        ])
    func growth(keys: String, expected: [Int]) async throws {
        for kept in [[], ["--store", "s.runs", "--key", "k"]] {
            let flow = try FlowCommandRun(tree(keys))
            let result = try await Command.run(
                ["run", "flow.json5", "--jobs", "1"] + kept, in: flow.folder.url)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try JSON(parsing: result.output).array?.compactMap(\.int) == expected, "\(kept)")
            #expect(!result.errors.contains("warning"))
        }
    }

    @Test("a list that is full ignores further elements with a warning; a longer list goes on in the store")
    func most() async throws {
        let flow = try FlowCommandRun(tree("most: 6,", "{ append: 'ran.txt' }"))
        func run(_ more: String...) async throws -> CommandResult {
            try await Command.run(["run", "flow.json5", "--jobs", "1"] + more, in: flow.folder.url)
        }
        let full = "stepline: warning: n has reached most, 6 elements: further ones are ignored"
        let plain = try await run()
        #expect(plain.output == "[1,2,3,4,5,6]\n" && plain.complaints == [full], "\(plain.errors)")
        try flow.write("", to: "ran.txt")
        let first = try await run("--store", "s.runs", "--key", "k")
        #expect(first.output == "[1,2,3,4,5,6]\n" && first.complaints.contains(full), "\(first.errors)")
        // Limits are no part of what a task does: its results stay.
        try flow.write(tree("most: 9,", "{ append: 'ran.txt' }"), to: "flow.json5")
        let second = try await run("--store", "s.runs", "--key", "k")
        #expect(second.output == "[1,2,3,4,5,6,7,8,9]\n", "\(second.errors)")
        #expect(try flow.folder.text("ran.txt") == (1...9).map { "\($0)\n" }.joined())
    }

    @Test("a map that is one step runs again after a change of its limits")
    func oneStep() async throws {
        let flow = try FlowCommandRun(tree("skipFailures: true, most: 6,"))
        for (most, expected) in [(6, 1...6), (9, 1...9)] {
            try flow.write(tree("skipFailures: true, most: \(most),"), to: "flow.json5")
            let run = try await Command.run(
                ["run", "flow.json5", "--jobs", "1", "--store", "s.runs", "--key", "k"], in: flow.folder.url)
            let numbers = try JSON(parsing: run.output).array?.compactMap(\.int)
            #expect(numbers == Array(expected), "\(run.errors)")
        }
    }

    @Test("only equal elements are one, also if their texts are equal, and beside combinations")
    func identity() async throws {
        let result = try await output(
            """
            { tasks: { o: { map: { a: [1] }, steps: [
              { value: [1, "1", true, "true", { a: 1 }, { b: 1 }, "\\"x\\"", "x", null, "x"] }, { grow: "$[*]" },
              { transform: "item" } ] } } }
            """)
        let all = #"[{"a":1},1,"1",true,"true",{"b":1},"\"x\"","x"]"#
        #expect(result.output == all + "\n", "\(result.errors)")
    }

    @Test("an element that ends in bytes without text fails, and no result has a part of the list")
    func bytes() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: { o: { map: ["good"], steps: [
              { value: ["bad"] }, { grow: "$[*]" }, { load: "${'in/' + item}" } ] } }, result: "${tasks.o}" }
            """)
        try flow.write("text", to: "in/good")
        try Data([0xff, 0xfe, 0x00]).write(to: flow.folder.url.appending(path: "in/bad"))
        for kept in [[], ["--store", "s.runs", "--key", "k"]] {
            let result = try await Command.run(["run", "flow.json5"] + kept, in: flow.folder.url)
            #expect(result.status == 1 && result.output.isEmpty, "\(result.output)")
            #expect(
                result.errors.contains("o[bad]") && result.errors.contains("these bytes are no text"),
                "\(result.errors)")
        }
    }

    @Test("objects are known by their JSON, long texts by a hash; a key with a secret is refused")
    func keys() async throws {
        let long = String(repeating: "x", count: 600)
        let objects = try await output(
            """
            { tasks: { o: { map: [{ a: 1 }], most: 9, steps: [
              { value: [{ a: 1 }, { a: 2 }, "\(long)1", "\(long)2", "\(long)1", "a\\nb", "a b"] }, { grow: "$[*]" },
              { transform: "item" } ] } } }
            """, "--log-format", "json")
        #expect(try JSON(parsing: objects.output).array?.count == 6, "\(objects.errors)")
        let events = try objects.complaints.map { try JSON(parsing: $0) }
        let names = Set(events.compactMap { $0["task"]?.string }.filter { $0.hasPrefix("o[") })
        #expect(
            names.count == 6 && names.isSuperset(of: [#"o[{"a":1}]"#, #"o[{"a":2}]"#, "o[a b]"]), "\(names)")
        #expect(names.allSatisfy { $0.utf8.count < 200 && !$0.contains("\n") })

        let flow = try FlowCommandRun(
            """
            { secrets: { token: { file: "token" } }, tasks: { s: { map: [1], steps: [
              { value: ["${'?token=' + secrets.token}"] }, { grow: "$[*]" }, { value: 1 } ] } } }
            """)
        try flow.write("hidden-and-long", to: "token")
        let secret = try await flow("run", "flow.json5")
        #expect(secret.status == 1 && !secret.errors.contains("hidden"))
        #expect(
            secret.errors.contains(
                "the key of an element contains the secret \"token\": give a key without it"))
    }

    @Test("a failed attempt adds nothing; a failed element fails the map after all others have ended")
    func failures() async throws {
        let server = try LoopbackServer()
        let html = { (links: String...) -> LoopbackResponse in
            .text(links.map { "<a href='\($0)'>x</a>" }.joined(), type: "text/html")
        }
        server.route("/", html("/a", "/b#top", "http://other.example/", "a", "javascript:void(0)"))
        server.route("/a", inTurn: [html("/only-first"), html("/c")])
        server.route("/b", html("/"))
        server.route("/c", .text("<p>", type: "text/html"))
        server.route("/checked/a", inTurn: [.status(503), .text("ok")])
        for path in ["", "b", "c", "only-first"] { server.route("/checked/" + path, .text("ok")) }
        let site = server.url("/").absoluteString
        let flow = try FlowCommandRun(
            """
            { parameters: { site: { required: true } }, tasks: { page: {
              map: ["${site}"], except: "!startsWith(item, site)", retry: { retries: 1, base: "1ms" }, steps: [
                { load: "${item}" }, { parse: "html" }, { grow: "//a/@href", as: "url(it, item)" },
                { load: "${replace(item, site, site + 'checked/')}" }, { value: "${replace(item, site, '/')}" } ] } } }
            """)
        let words = ["run", "flow.json5", "--jobs", "1", "--set", "site=\(site)"]
        let result = try await Command.run(words, in: flow.folder.url)
        #expect(result.output == #"["/","/a","/b","/c"]"# + "\n", "\(result.errors)")

        // The map fails with the first failure, after all elements have ended.
        server.route("/checked/a", inTurn: [.status(404), .text("ok")])
        let store = words + ["--store", "s.runs", "--key", "k"]
        let failed = try await Command.run(store, in: flow.folder.url)
        #expect(failed.status == 1 && failed.errors.contains("page[\(site)a]"), "\(failed.errors)")
        let before = server.requests.map(\.target)
        let retried = try await Command.run(store + ["--retrying-failures"], in: flow.folder.url)
        #expect(retried.output == #"["/","/a","/b","/c"]"# + "\n", "\(retried.errors)")
        #expect(
            server.requests.map(\.target).dropFirst(before.count) == ["/a", "/checked/a", "/c", "/checked/c"])
    }

    @Test("a site is walked, its dead links are left out, and the recorded run passes as a test")
    func site() async throws {
        let server = try LoopbackServer()
        func page(_ number: Int) -> LoopbackResponse {
            let links = [number * 2, number * 2 + 1, 1, 99].map { "<a href='p\($0)'>x</a>" }.joined()
            return .text(
                "<title>Page \(number)</title>" + (number < 8 ? links : ""), type: "text/html")
        }
        for number in 1..<16 { server.route("/p\(number)", page(number)) }
        server.route("/", .text("<a href=p1>one</a>", type: "text/html"))
        let flow = try FlowCommandRun(fixture: "walk-site.json5")
        let site = server.url("/").absoluteString
        let result = try await flow(
            "run", "walk-site.json5", "--set", "site=\(site)", "--record", "walk-site.tests/small")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.complaints.count == 1 && result.errors.contains("page[\(site)p99] is left out"))
        let rows = try flow.folder.text("pages.csv").split(separator: "\n")
        #expect(rows.count == 17 && rows.contains("\(site)p15,Page 15"))
        server.stop()
        let updated = try await flow("test", "walk-site.json5", "--update")
        #expect(updated.status == 0, "\(updated.output)")
        let tested = try await flow("test", "walk-site.json5")
        #expect(tested.output == "passed  small\n1 case, all passed\n", "\(tested.output)")
    }

    @Test("DR-13: a flow whose process was killed with -9 goes on with the elements that it had found")
    func killed() async throws {
        let server = try LoopbackServer()
        for number in 1..<12 {
            let next = "[\(number + 1)]"
            let hangs = number == 6
            let last: LoopbackResponse = .text(number < 11 ? next : "[]")
            server.route("/\(number)", inTurn: hangs ? [.text("x").fault(.silence), last] : [last])
        }
        let flow = try FlowCommandRun(
            """
            { parameters: { s: "" }, tasks: { n: { map: [1], steps: [
              { load: "${s}/${item}" }, { parse: "json" }, { grow: "$[*]" }, { transform: "item" } ] } } }
            """)
        let words = [
            "run", "flow.json5", "--store", "runs.db", "--key", "k", "--set",
            "s=http://127.0.0.1:\(server.port)",
        ]
        let command = try StartedCommand(words, in: flow.folder.url)
        await server.waitForRequests(6)
        command.signal(SIGKILL)
        #expect(await command.result().wasSignalled)
        let second = try await Command.run(words, in: flow.folder.url)
        #expect(second.output == "[1,2,3,4,5,6,7,8,9,10,11]\n", "\(second.errors)")
        #expect(server.requests.map(\.target) == [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11].map { "/\($0)" })
    }
}
