import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline run --store", .timeLimit(.minutes(5)))
struct KeptFlowTests {
    /// The lines that programs have appended to a file of the folder.
    private func lines(_ run: FlowCommandRun) -> [String] {
        let text = try? run.folder.text("count")
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    private func run(_ flow: FlowCommandRun, _ more: String...) async throws -> CommandResult {
        try await Command.run(
            ["run", "flow.json5", "--allow-run", "sh", "--store", "runs.db"] + more, in: flow.folder.url)
    }

    private static let twoSteps = """
        { tasks: {
          a: { steps: [ { run: ["sh", "-c", "echo a >> count; echo hello"] }, { parse: "text" } ] },
          b: { after: "a", steps: [
            { use: "a" }, { run: ["sh", "-c", "echo b >> count; test -e ok && cat"] }, { save: "b.txt" } ] },
        } }
        """

    @Test(
        "DR-13, DR-15: a flow whose second task has failed runs that alone again, with the first one's value"
    )
    func failedOnce() async throws {
        let flow = try FlowCommandRun(Self.twoSteps)
        let first = try await run(flow, "--key", "k")
        #expect(first.status == 1)
        #expect(first.errors.contains("b failed: "))
        #expect(first.complaints.last?.contains("to retry failed tasks: stepline run ") == true)
        let again = try await run(flow, "--key", "k")
        #expect(again.status == 1 && lines(flow) == ["a", "b"])
        #expect(again.errors.contains("kept of flow/k: 1 step (a)"))
        try flow.write("", to: "ok")
        let retried = try await run(flow, "--key", "k", "--retrying-failures")
        #expect(retried.status == 0, "\(retried.errors)")
        #expect(retried.errors.contains("run again: 1 step (b)"))
        #expect(lines(flow) == ["a", "b", "b"])
        #expect(try flow.folder.text("b.txt") == "hello\n")
        #expect(try await run(flow, "--key", "k").status == 0)
        #expect(lines(flow).count == 3)
    }

    @Test("DR-15: elements whose keys begin with a mark are elements as any")
    func marks() async throws {
        let flow = try FlowCommandRun(
            #"""
            { tasks: { each: { map: ["a", "\u0301k", "\u093e", "bad"], steps: [
              { run: ["sh", "-c", "echo $0 >> count; test $0 != bad || test -e ok", "${item}"] } ] } } }
            """#)
        #expect(try await run(flow, "--key", "k").status == 1)
        #expect(lines(flow).count == 4)
        try flow.write("", to: "ok")
        let retried = try await run(flow, "--key", "k", "--retrying-failures")
        #expect(retried.status == 0, "\(retried.errors)")
        #expect(lines(flow).count == 5 && lines(flow).last == "bad")
    }

    @Test(
        "DR-5: a task that was edited runs again with all that follows it; layout and policies don't count"
    )
    func edited() async throws {
        func flow(_ word: String, _ list: String = "1, 2") -> String {
            """
            { tasks: {
              a: { steps: [ { run: ["sh", "-c", "echo a >> count; echo \(word)"] }, { parse: "text" } ] },
              b: { after: "a", steps: [
                { use: "a" }, { run: ["sh", "-c", "echo b >> count; cat"] }, { save: "b.txt" } ] },
              each: { map: [\(list)], steps: [
                { run: ["sh", "-c", "echo $0 >> count; echo $0", "${item}"] }, { parse: "text" } ] },
            } }
            """
        }
        let kept = try FlowCommandRun(flow("one"))
        #expect(try await run(kept, "--key", "k", "--jobs", "1").status == 0)
        #expect(lines(kept).sorted() == ["1", "2", "a", "b"])
        try kept.write(
            flow("two").replacing("b: { after", with: "b: { description: 'x', timeout: '9s', after"),
            to: "flow.json5")
        #expect(try await run(kept, "--key", "k").status == 0)
        #expect(lines(kept).dropFirst(4) == ["a", "b"])
        #expect(try kept.folder.text("b.txt") == "two\n")
        try kept.write(flow("two", "1, 3"), to: "flow.json5")
        #expect(try await run(kept, "--key", "k").status == 0)
        #expect(lines(kept).dropFirst(6).sorted() == ["1", "3"])
    }

    @Test("DR-18: a run of a file is no run of a file of the same name in another folder")
    func sameName() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { value: 1 } ] } } }")
        #expect(try await run(flow, "--key", "k").status == 0)
        try FileManager.default.createDirectory(
            at: flow.folder.url.appending(path: "other"), withIntermediateDirectories: false)
        try flow.write("{ tasks: { a: { steps: [ { value: 2 } ] } } }", to: "other/flow.json5")
        let other = try await flow("run", "other/flow.json5", "--store", "runs.db", "--key", "k")
        #expect(other.status == 2)
        #expect(
            other.errors.contains("flow/k is a run of ") && other.errors.contains("use another --key"))
    }

    @Test("DR-1: without --store nothing is kept, and --key without it is a mistake")
    func withoutStore() async throws {
        let flow = try FlowCommandRun(Self.twoSteps)
        try flow.write("", to: "ok")
        for _ in 0..<2 {
            let result = try await flow("run", "flow.json5", "--allow-run", "sh")
            #expect(result.status == 0 && result.complaints.isEmpty)
        }
        #expect(lines(flow) == ["a", "b", "a", "b"])
        #expect(try flow.folder.names() == ["b.txt", "count", "flow.json5", "ok"])
        #expect(try await flow("run", "flow.json5", "--key", "k").status == 2)
    }

    @Test("DR-60: without --key, today's date is the key, and the output says so")
    func today() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { value: 1 } ] } } }")
        let result = try await run(flow)
        #expect(result.status == 0)
        let key = try #require(result.complaints.first?.split(separator: " ").last)
        #expect(key.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
        let listed = try await flow("runs", "list", "--store", "runs.db")
        #expect(listed.output.contains("flow      \(key)  finished"))
    }

    private static let kinds = """
        { parameters: { s: "" }, tasks: {
          bytes: { steps: [ { load: "${s}/bytes" } ] },
          xml: { steps: [ { load: "${s}/page" }, { parse: "xml" } ] },
          html: { steps: [ { load: "${s}/page" }, { parse: "html" } ] },
          json: { steps: [ { load: "${s}/json" }, { parse: "json" } ] },
          each: { map: [1, 2, 3], steps: [ { transform: "item * 2" } ] },
          some: { map: [1, 0], skipFailures: true, steps: [ { transform: "item" } ] },
          gate: { after: ["bytes", "xml", "html", "json", "each", "some"],
            steps: [ { load: "${s}/gate" } ] },
          out1: { after: ["bytes", "gate"], steps: [ { use: "bytes" }, { save: "bytes" } ] },
          out2: { after: ["xml", "gate"], steps: [ { use: "xml" }, { select: "//b" }, { save: "xml.json" } ] },
          out3: { after: ["html", "gate"],
            steps: [ { use: "html" }, { select: "//b" }, { save: "html.json" } ] },
          out4: { after: ["json", "gate"], steps: [ { use: "json" }, { save: "json.json" } ] },
          out5: { after: ["each", "some", "gate"],
            steps: [ { value: { each: "${tasks.each}", some: "${tasks.some}" } }, { save: "each.json" } ] },
        } }
        """

    @Test(
        "DR-2, DR-13: values of every kind are kept without loss: bytes, documents, long numbers, lists"
    )
    func values() async throws {
        let server = try LoopbackServer()
        server.route("/bytes", .data(Data([0xFF, 0, 0xFE])))
        server.route("/page", .text("<p><b>&#228; &lt;</b><b/></p>", type: "text/xml"))
        server.route("/json", .text(#"{"z": 12345678901234567890123.10, "a": [1e400]}"#))
        server.route("/gate", inTurn: [.status(404), .text("open")])
        let flow = try FlowCommandRun(Self.kinds)
        let base = "s=http://127.0.0.1:\(server.port)"
        let first = try await run(flow, "--key", "k", "--set", base)
        #expect(first.status == 1, "\(first.errors)")
        // The parameters are those that the run was begun with.
        let second = try await run(flow, "--key", "k", "--retrying-failures")
        #expect(second.status == 0, "\(second.errors)")
        #expect(
            try Data(contentsOf: flow.folder.url.appending(path: "bytes")) == Data([0xFF, 0, 0xFE]))
        let files = [
            "xml.json": #"["ä <",""]"#, "html.json": #"["ä <",""]"#,
            "json.json": #"{"z":12345678901234567890123.10,"a":[1e400]}"#,
            "each.json": #"{"each":[2,4,6],"some":[1,0]}"#,
        ]
        for (name, text) in files { #expect(try flow.folder.text(name) == text + "\n", "\(name)") }
        #expect(server.requests.count == 6)
    }

    @Test("DR-60: other parameters for a run that has some are an error that says so")
    func parameters() async throws {
        let flow = try FlowCommandRun(
            "{ parameters: { c: 'x' }, tasks: { a: { steps: [ { value: '${c}' }, { save: '${c}.txt' } ] } } }"
        )
        #expect(try await run(flow, "--key", "k", "--set", "c=y").status == 0)
        let other = try await run(flow, "--key", "k", "--set", "c=z")
        #expect(other.status == 2 && other.errors.contains("was started with --set c=y"))
        #expect(try await run(flow, "--key", "k").status == 0)
        #expect(try flow.folder.names().filter { $0.hasSuffix(".txt") } == ["y.txt"])
    }

    @Test("DR-4: the elements of a map are steps, and those that have finished are not run again")
    func elements() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              list: { steps: [ { value: ["x", "y", "z"] } ] },
              page: { after: "list", map: "${tasks.list}", steps: [
                { run: ["sh", "-c", "echo $0 >> count; test -e ok || test $0 != y", "${item}"] },
                { transform: "index" } ] },
              sum: { after: "page", steps: [ { use: "page" }, { save: "sum.json" } ] },
            } }
            """)
        #expect(try await run(flow, "--key", "k").status == 1)
        try flow.write("", to: "ok")
        let second = try await run(flow, "--key", "k", "--retrying-failures")
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.errors.contains("(list, page list, page[x], page[z])"))
        #expect(lines(flow).sorted() == ["x", "y", "y", "z"])
        #expect(try flow.folder.text("sum.json") == "[0,1,2]\n")
    }

    @Test(
        "DR-22: a task whose saved file is gone or has changed is run again, with what follows it",
        arguments: [true, false])
    func goneFile(_ isGone: Bool) async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { steps: [ { run: ["sh", "-c", "echo a >> count; echo a"] }, { save: "a.txt" } ] },
              b: { after: "a", steps: [ { run: ["sh", "-c", "echo b >> count"] } ] },
              c: { steps: [ { run: ["sh", "-c", "echo c >> count"] }, { save: "c.txt" } ] },
            } }
            """)
        #expect(try await run(flow, "--key", "k").status == 0)
        #expect(lines(flow).sorted() == ["a", "b", "c"])
        let file = flow.folder.url.appending(path: "a.txt")
        if isGone {
            try FileManager.default.removeItem(at: file)
        } else {
            try Data("b\n".utf8).write(to: file)
        }
        #expect(try await run(flow, "--key", "k").status == 0)
        #expect(lines(flow).sorted() == ["a", "a", "b", "b", "c"])
        #expect(try flow.folder.text("a.txt") == "a\n")
        #expect(try await run(flow, "--key", "k").status == 0)
        #expect(lines(flow).count == 5)
    }

    @Test("DR-60: --log-format json tells what is kept and what is run again")
    func json() async throws {
        let flow = try FlowCommandRun(Self.twoSteps)
        _ = try await run(flow, "--key", "k")
        try flow.write("", to: "ok")
        let result = try await run(flow, "--key", "k", "--retrying-failures", "--log-format", "json")
        let events = try result.complaints.map { try JSON(parsing: $0) }
        let opened = try #require(events.first { $0["event"]?.string == "opened" })
        #expect(opened["key"]?.string == "k")
        #expect(opened["kept"]?.array?.compactMap(\.string) == ["a"])
        #expect(opened["again"]?.array?.compactMap(\.string) == ["b"])
        let summary = try #require(events.last { $0["event"]?.string == "summary" })
        #expect(summary["finished"]?.int == 2 && summary["notRun"]?.int == 0)
    }
}
