import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows: append", .timeLimit(.minutes(5)))
struct AppendStepTests {
    private func flow(_ steps: String) throws -> FlowCommandRun {
        try FlowCommandRun("{ tasks: { a: { steps: [ \(steps) ] } } }")
    }

    @Test(
        "complete lines are appended in the format of the file's name or the key, and the value is passed on")
    func formats() async throws {
        let flow = try flow(
            """
            { value: [ { b: 1, c: "x,y" }, { b: 2 } ] }, { append: "log/a.jsonl" }, { append: "a.csv" },
            { append: "a.tsv" }, { append: "plain" }, { append: "b.txt", format: "jsonl" },
            { transform: "it[0]" }, { append: "log/a.jsonl" }, { append: "a.csv" },
            { transform: "'text'" }, { append: "c" }, { append: "c.log" }, { append: "d.jsonl" },
            { load: "in" }, { append: "e" }, { value: [] }, { append: "a.csv" }, { append: "f.csv" }
            """)
        try flow.write("no end", to: "in")
        for round in 1...2 {
            let result = try await flow("run", "flow.json5")
            #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
            func twice(_ text: String) -> String { String(repeating: text, count: round) }
            let lines = "{\"b\":1,\"c\":\"x,y\"}\n{\"b\":2}\n"
            let expected: [(String, String)] = [
                ("log/a.jsonl", twice("\(lines){\"b\":1,\"c\":\"x,y\"}\n")),
                ("a.csv", "b,c\n\(twice("1,\"x,y\"\n2,\n1,\"x,y\"\n"))"),
                ("a.tsv", "b\tc\n\(twice("1\tx,y\n2\t\n"))"), ("plain", twice(lines)),
                ("b.txt", twice(lines)), ("c", twice("text\n")), ("c.log", twice("text\n")),
                ("d.jsonl", twice("\"text\"\n")), ("e", twice("no end\n")), ("f.csv", ""),
            ]
            for (name, text) in expected {
                #expect(try flow.folder.text(name) == text, "\(name)")
            }
        }
    }

    @Test(
        "a Windows line end gets no second one, and scalars decide which columns are equal and what is quoted"
    )
    func scalars() async throws {
        let flow = try flow(
            #"{ value: ["a\r\n", "b\n", "c"] }, { append: "t" }, "#
                + #"{ value: [ { "e\u0301": 1 }, { "\u00e9": 2 } ] }, { save: "u.csv" }, "#
                // A quote before a combining mark.
                + #"{ value: [ { a: "x\"\u0301,y" } ] }, { append: "v.csv" }, { save: "w.csv" }"#)
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(try flow.folder.text("t") == "a\r\nb\nc\n")
        #expect(try flow.folder.text("u.csv").utf8.elementsEqual("e\u{301},\u{E9}\n1,\n,2\n".utf8))
        let table = "a\n\"x\"\"\u{301},y\"\n"
        for name in ["v.csv", "w.csv"] { #expect(try flow.folder.text(name) == table, "\(name)") }
    }

    @Test(
        "a table keeps its columns and their order; an unknown column is an error, and the file is unchanged"
    )
    func columns() async throws {
        let flow = try flow(
            #"{ value: { b: 1, a: "x" } }, { append: "t.csv" }, { value: { n: 1 } }, { append: "t.csv" }"#)
        try flow.write("\"a\",b,\"c d\"\r\n0,0,0", to: "t.csv")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 1)
        #expect(
            result.errors.contains(#"the table has no column "n": its columns are a, b, c d"#),
            "\(result.errors)")
        #expect(try flow.folder.text("t.csv") == "\"a\",b,\"c d\"\r\n0,0,0\nx,1,\n")
    }

    @Test("append ends an incomplete last line before it writes")
    func torn() async throws {
        let flow = try flow(#"{ value: { n: 2 } }, { append: "log.jsonl" }"#)
        try flow.write("{\"n\":1}\n{\"n", to: "log.jsonl")
        #expect(try await flow("run", "flow.json5").status == 0)
        #expect(try flow.folder.text("log.jsonl") == "{\"n\":1}\n{\"n\n{\"n\":2}\n")
    }

    @Test(
        "a full disk leaves the file unchanged, and the command alive",
        .enabled(if: !Sanitizers.areAtWork, "ThreadSanitizer writes a larger file when a program begins"))
    func full() async throws {
        let flow = try flow(
            #"{ value: "LINES" }, { append: "log.txt" }"#.replacing(
                "LINES", with: String(repeating: "0123456789", count: 600)))
        let before = String(repeating: "before\n", count: 100)
        try flow.write(before, to: "log.txt")
        let command = try Command.executable().path
        // Blocks of 512 or 1,024 bytes, as the shell has it.
        let result = try await Command.run(
            ["-c", "ulimit -f 4; exec '\(command)' run flow.json5"], program: URL(filePath: "/bin/sh"),
            in: flow.folder.url)
        #expect(result.status == 1 && !result.wasSignalled, "\(result.status)")
        #expect(result.errors.contains("log.txt: write failed: File too large"), "\(result.errors)")
        #expect(try flow.folder.text("log.txt") == before)
    }

    @Test("concurrent appends, in one process and in several, leave complete lines only")
    func atOnce() async throws {
        let flow = try FlowCommandRun(
            """
            { concurrency: 16, parameters: { who: "?" }, tasks: {
              list: { steps: [ { transform: "split('\(Array(repeating: "x", count: 200).joined(separator: ","))', ',')" } ] },
              each: { after: "list", map: "${tasks.list}",
                steps: [ { value: { who: "${who}", n: "${index}", pad: "\(String(repeating: "p", count: 300))" } },
                  { append: "log.jsonl" } ] },
            } }
            """)
        try await withThrowingTaskGroup(of: CommandResult.self) { group in
            for who in ["a", "b", "c"] {
                group.addTask { try await flow("run", "flow.json5", "--set", "who=\(who)", as: .process) }
            }
            for try await result in group { #expect(result.status == 0, "\(result.errors)") }
        }
        let lines = try flow.folder.text("log.jsonl").split(separator: "\n")
        #expect(lines.count == 600)
        let seen = Set(
            try lines.map { line in
                let value = try JSON(parsing: String(line))
                return "\(value["who"]?.string ?? "") \(value["n"]?.int ?? -1)"
            })
        #expect(seen.count == 600)
    }

    @Test("append waits for a locked file until the step's time-out")
    func held() async throws {
        let flow = try flow(#"{ value: 1 }, { append: "log.txt", timeout: "300ms" }"#)
        try flow.write("before\n", to: "log.txt")
        let descriptor = open(flow.folder.url.appending(path: "log.txt").path, O_RDWR)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX) == 0)
        let result = try await flow("run", "flow.json5")
        #expect(
            result.status == 1 && result.errors.contains("no end within its time-out"), "\(result.errors)")
        #expect(try flow.folder.text("log.txt") == "before\n")
        try #require(flock(descriptor, LOCK_UN) == 0)
        try flow.write(
            #"{ tasks: { a: { steps: [ { value: 1 }, { append: "log.txt" } ] } } }"#, to: "flow.json5")
        #expect(try await flow("run", "flow.json5").status == 0)
        #expect(try flow.folder.text("log.txt") == "before\n1\n")
    }

    @Test("append to a device fails with its path")
    func refused() async throws {
        let flow = try flow(#"{ value: 1 }, { append: "/dev/null" }"#)
        let device = try await flow("run", "flow.json5", "--allow-path", "/dev")
        #expect(
            device.status == 1 && device.errors.contains("/dev/null: not a regular file"), "\(device.errors)")
    }
}
