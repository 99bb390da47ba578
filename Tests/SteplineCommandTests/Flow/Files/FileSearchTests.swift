import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows: files by patterns", .timeLimit(.minutes(5)))
struct FileSearchTests {
    private func found(
        _ pattern: String, links: Bool = false, in flow: FlowCommandRun
    ) async throws -> [String] {
        try flow.write(
            """
            { tasks: { a: { steps: [
              { files: \(JSON(pattern)), links: \(links) }, { save: "../found.json" } ] } } }
            """, to: "w/flow.json5")
        let result = try await flow(
            "run", "w/flow.json5", "--allow-path", flow.folder.url.path, "--allow-path", "/tmp/none")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(pattern): \(result.errors)")
        let list = try JSON(parsing: flow.folder.text("found.json"))
        return list.elements.compactMap(\.string)
    }

    private func folder(_ files: String...) throws -> FlowCommandRun {
        let flow = try FlowCommandRun("{}", named: "w/flow.json5")
        for file in files { try flow.write("x", to: "w/\(file)") }
        return flow
    }

    @Test("a pattern finds a sorted list of paths, folders at any depth included")
    func patterns() async throws {
        let flow = try folder(
            "b.csv", "a.csv", "in/c.csv", "in/.hidden.csv", "in/deep/er/d.csv", ".git/e.csv", "in/f.txt",
            "in/[x].csv", "in/é.csv", "Z.csv")
        for (pattern, expected) in [
            ("*.csv", ["Z.csv", "a.csv", "b.csv"]),
            ("[a-b].csv", ["a.csv", "b.csv"]), ("[!a-b].csv", ["Z.csv"]),
            ("?.csv", ["Z.csv", "a.csv", "b.csv"]),
            (
                "**/*.csv",
                ["Z.csv", "a.csv", "b.csv", "in/[x].csv", "in/c.csv", "in/deep/er/d.csv", "in/é.csv"]
            ),
            ("in/**", ["in/[x].csv", "in/c.csv", "in/deep/er/d.csv", "in/f.txt", "in/é.csv"]),
            ("in/**/**/er/*", ["in/deep/er/d.csv"]), ("**/d*", ["in/deep/er/d.csv"]),
            ("in/.*.csv", ["in/.hidden.csv"]), ("{b,a}.csv", ["a.csv", "b.csv"]),
            ("{in/f.txt,*.csv}", ["Z.csv", "a.csv", "b.csv", "in/f.txt"]), (#"in/\[x\].csv"#, ["in/[x].csv"]),
            ("in/f.txt", ["in/f.txt"]), ("in/none*", []),
            ("*/deep/*/d.csv", ["in/deep/er/d.csv"]),
            ("in/[é].csv", ["in/é.csv"]), ("in", []),
        ] {
            #expect(try await found(pattern, in: flow) == expected, "\(pattern)")
        }
    }

    @Test("a map runs for each file; a file that has vanished fails its element")
    func map() async throws {
        let flow = try FlowCommandRun(
            """
            { parameters: { kind: "csv" }, tasks: {
              all: { steps: [ { files: ["in/*.${kind}", "in/*.txt"] } ] },
              gone: { after: "all", steps: [ { delete: "in/b.csv" } ] },
              each: { after: ["all", "gone"], map: "${tasks.all}", skipFailures: true,
                steps: [ { load: "${item}" }, { transform: "upper(it)" } ] },
              out: { after: "each", steps: [ { save: "out.json" } ] },
            } }
            """)
        for name in ["a.csv", "b.csv", "c.txt", "d.bin"] { try flow.write(name, to: "in/\(name)") }
        let result = try await flow("run", "flow.json5")
        #expect(
            result.status == 0 && result.errors.contains("each[in/b.csv] is left out"), "\(result.errors)")
        #expect(try flow.folder.text("out.json") == "[\"A.CSV\",\"C.TXT\"]\n")
    }

    @Test("names are compared by bytes, and hidden ones recognized by their first byte")
    func marks() async throws {
        let flow = try folder("e\u{301}.txt", "\u{E9}.txt", ".\u{301}h/a.txt")
        #expect(try await found("*.txt", in: flow).count == 2)
        #expect(try await found("**/a.txt", in: flow) == [])
    }

    @Test("a value filled into a pattern matches literally and cannot leave the folder")
    func filled() async throws {
        let flow = try FlowCommandRun(
            """
            { parameters: { name: "*" }, tasks: { a: { steps: [
              { files: "in/${name}.csv" }, { save: "out.json" } ] } } }
            """)
        try flow.write("x", to: "in/a.csv")
        #expect(try await flow("run", "flow.json5").status == 0)
        #expect(try flow.folder.text("out.json") == "[]\n")
        try flow.write("x", to: "in/a\u{301}.csv")
        #expect(try await flow("run", "flow.json5", "--set", "name=*\u{301}").status == 0)
        #expect(try flow.folder.text("out.json") == "[]\n")
        let out = try await flow("run", "flow.json5", "--set", "name=../*")
        #expect(out.status == 1 && out.errors.contains("can't be part of a file's name"), "\(out.errors)")
    }

    @Test(
        "links to folders are followed on request, out of the folder with permission, and never endlessly"
    )
    func links() async throws {
        let flow = try folder("in/a.csv", "in/sub/b.csv")
        try flow.write("x", to: "outside/c.csv")
        let w = flow.folder.url.appending(path: "w")
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: w.appending(path: name).path, withDestinationPath: target)
        }
        try link("in/loop", "..")
        try link("in/self", "self")
        try link("in/out", "../../outside")
        try link("in/none", "nowhere")
        try link("in/also.csv", "a.csv")
        #expect(try await found("in/**/*.csv", in: flow) == ["in/a.csv", "in/also.csv", "in/sub/b.csv"])
        #expect(
            try await found("in/**/*.csv", links: true, in: flow)
                == ["in/a.csv", "in/also.csv", "in/out/c.csv", "in/sub/b.csv"])

        try flow.write(
            #"{ tasks: { a: { steps: [ { files: "in/**/*.csv", links: true } ] } } }"#, to: "w/flow.json5")
        let refused = try await flow("run", "w/flow.json5")
        #expect(refused.status == 1 && refused.errors.contains("--allow-path"), "\(refused.errors)")
    }

    @Test("a folder that isn't there or can't be read is a failure with its path")
    func unreadable() async throws {
        let flow = try FlowCommandRun(
            #"{ parameters: { f: "in" }, tasks: { a: { steps: [ { files: "${f}/*" } ] } } }"#)
        let missing = try await flow("run", "flow.json5")
        #expect(
            missing.status == 1 && missing.errors.contains("/in: open failed: No such file"),
            "\(missing.errors)")
        try flow.write("x", to: "file")
        let file = try await flow("run", "flow.json5", "--set", "f=file")
        #expect(file.status == 1 && file.errors.contains("Not a directory"), "\(file.errors)")
    }

    @Test("a task whose files are up to date is run again when one that is found, or copied, is newer")
    func upToDate() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              found: { steps: [ { files: "in/*" } ] },
              made: { after: "found", writes: "out", steps: [ { use: "found" }, { save: "out" } ] },
              kept: { writes: "copy", steps: [ { copy: "in/a", to: "copy", replace: true } ] },
            } }
            """)
        try flow.write("A", to: "in/a")
        for round in 1...3 {
            if round == 3 {
                try flow.write("B", to: "in/a")
                let later = Date(timeIntervalSinceNow: 60)
                try FileManager.default.setAttributes(
                    [.modificationDate: later], ofItemAtPath: flow.folder.url.appending(path: "in/a").path)
            }
            let result = try await flow("run", "flow.json5", "--log-format", "json")
            #expect(result.status == 0, "\(result.errors)")
            let skipped = try result.complaints.map { try JSON(parsing: $0) }
                .filter { $0["event"] == "skipped" }.compactMap { $0["task"]?.string }
            #expect(skipped.sorted() == (round == 2 ? ["found", "kept", "made"] : []), "\(round)")
        }
        #expect(try flow.folder.text("copy") == "B")
    }

    @Test("a pattern with many stars is decided at once, whether a name matches or not")
    func stars() throws {
        let many = String(repeating: "*a", count: 24)
        let pattern = try #require(try PathPattern.all(many + "b").first)
        guard case .wild(let tokens) = pattern.parts[0] else {
            Issue.record("it is wild")
            return
        }
        #expect(!PathPattern.fits(String(repeating: "a", count: 250), tokens))
        #expect(PathPattern.fits(String(repeating: "a", count: 250) + "b", tokens))
        #expect(throws: PathPattern.Mistake.self) {
            try PathPattern.all(String(repeating: "{a,b}", count: 12))
        }
    }
}
