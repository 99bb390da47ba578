import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows: copy, move, delete, folder", .timeLimit(.minutes(5)))
struct FileStepTests {
    private func run(
        _ steps: String, files: [String: String] = [:], _ words: String...
    ) async throws -> (CommandResult, FlowCommandRun) {
        let flow = try FlowCommandRun("{}", named: "w/flow.json5")
        for (name, text) in files { try flow.write(text, to: name) }
        try flow.write("{ tasks: { a: { steps: [ \(steps) ] } } }", to: "w/flow.json5")
        return (
            try await Command.run(["run", "w/flow.json5"] + words, in: flow.folder.url), flow
        )
    }

    @Test("files are copied and moved, into folders that are made, and the value passes on")
    func relocated() async throws {
        let (result, flow) = try await run(
            """
            { value: 7 }, { folder: "made/deep" }, { copy: "a.txt", to: "made/deep/b.txt" },
            { move: "a.txt", to: "done/" }, { move: "in", to: "old" }, { save: "value" }
            """, files: ["w/a.txt": "A", "w/in/x": "X"])
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(try flow.folder.names(in: "w") == ["done", "flow.json5", "made", "old", "value"])
        for (name, text) in [
            ("made/deep/b.txt", "A"), ("done/a.txt", "A"), ("old/x", "X"), ("value", "7\n"),
        ] {
            #expect(try flow.folder.text("w/\(name)") == text, "\(name)")
        }
    }

    @Test("the files of a list are moved, copied and deleted one after the other")
    func lists() async throws {
        let (result, flow) = try await run(
            """
            { files: "in/*.csv" }, { copy: "${it}", to: "copies/" }, { move: "${it}", to: "done/" },
            { files: "tmp/*" }, { delete: "${it}" }
            """, files: ["w/in/a.csv": "A", "w/in/b.csv": "B", "w/tmp/1": "", "w/tmp/2": ""])
        #expect(result.status == 0, "\(result.errors)")
        for place in ["copies", "done"] {
            #expect(try flow.folder.names(in: "w/\(place)") == ["a.csv", "b.csv"])
        }
        #expect(try flow.folder.names(in: "w/in") == [] && flow.folder.names(in: "w/tmp") == [])
        let one = try await run(
            #"{ files: "in/*" }, { move: "${it}", to: "x" }"#, files: ["w/in/a": "A", "w/in/b": "B"])
        #expect(
            one.0.status == 1 && one.0.errors.contains("2 files can go into a folder only"), "\(one.0.errors)"
        )
    }

    @Test("existing files are overwritten only on request", arguments: ["copy", "move"])
    func overwriting(verb: String) async throws {
        let files = ["w/a": "new", "w/b": "old", "w/folder/x": "", "w/sub/a": ""]
        for (steps, error) in [
            (#"{ \#(verb): "a", to: "b" }"#, "/w/b: exists already"),
            (#"{ \#(verb): "a", to: "folder", replace: true }"#, "folder"),
            (#"{ \#(verb): "a", to: "a", replace: true }"#, "is the file itself"),
            (#"{ \#(verb): "a", to: "flow.json5", replace: true }"#, "is the workflow file itself"),
            (#"{ \#(verb): "none", to: "c" }"#, "/w/none: \(verb) failed: No such file or directory"),
        ] {
            let (result, flow) = try await run(steps, files: files)
            // Findings of the check are reported before anything runs.
            #expect(
                [1, 3].contains(result.status) && result.errors.contains(error), "\(steps): \(result.errors)")
            #expect(try flow.folder.text("w/a") == "new" && flow.folder.text("w/b") == "old")
        }
        let (result, flow) = try await run(
            #"{ \#(verb): "a", to: "b", replace: true }, { \#(verb): "none", to: "c", required: false }"#,
            files: files)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.text("w/b") == "new")
        #expect(try flow.folder.names(in: "w").contains("a") == (verb == "copy"))
    }

    @Test("files and links are deleted, folders only on request, and the target of a link never")
    func deleted() async throws {
        let flow = try FlowCommandRun("{}", named: "w/flow.json5")
        for file in ["w/f", "w/dir/x", "w/dir/deep/y", "keep/me"] { try flow.write("1", to: file) }
        let w = flow.folder.url.appending(path: "w").path
        for (name, target) in [("link", "../keep"), ("dir/link", "../../keep"), ("dir/file", "../f")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(w)/\(name)", withDestinationPath: target)
        }
        func delete(_ step: String, _ words: String...) async throws -> CommandResult {
            try flow.write(
                "{ parameters: { p: '' }, tasks: { a: { steps: [ \(step) ] } } }", to: "w/flow.json5")
            return try await Command.run(["run", "w/flow.json5"] + words, in: flow.folder.url)
        }
        let folder = try await delete(#"{ delete: "dir" }"#)
        #expect(folder.status == 1 && folder.errors.contains("folders: true"), "\(folder.errors)")
        let all = try await delete(
            #"{ delete: ["dir", "link", "f"], folders: true }, { delete: "f", required: false }"#)
        #expect(all.status == 0, "\(all.errors)")
        #expect(try flow.folder.names(in: "w") == ["flow.json5"])
        #expect(try flow.folder.names(in: "keep") == ["me"])
        let gone = try await delete(#"{ delete: "${p}" }"#, "--set", "p=f")
        #expect(
            gone.status == 1 && gone.errors.contains("/w/f: delete failed: No such file"), "\(gone.errors)")
    }

    @Test("outside the folder only literal, allowed paths are deleted or moved")
    func outside() async throws {
        let flow = try FlowCommandRun("{}", named: "w/flow.json5")
        for file in ["keep/me", "keep/too", "w/sub/x"] { try flow.write("1", to: file) }
        let root = flow.folder.url.path
        try FileManager.default.createSymbolicLink(atPath: "\(root)/w/way", withDestinationPath: "../keep")
        let allowed = ["--allow-path", "\(root)/keep", "--allow-path", "\(root)/w"]
        func status(_ step: String, _ words: [String]) async throws -> CommandResult {
            try flow.write(
                "{ parameters: { p: '../keep/me', q: 'me' }, tasks: { a: { steps: [ \(step) ] } } }",
                to: "w/flow.json5")
            return try await Command.run(["run", "w/flow.json5"] + words, in: flow.folder.url)
        }
        for verb in [#"delete: "WHAT", folders: true"#, #"move: "WHAT", to: "here/""#] {
            for (path, words, error) in [
                ("../keep/me", [], "--allow-path \(root)/keep would allow it"),
                ("way/me", [], "outside the workflow's folder"),
                ("way/me", allowed, "a link leads from"), ("${p}", allowed, "is computed"),
                (".", [], "names neither"), ("sub/..", [], "names neither"),
                ("../w", ["--allow-path", root], "holds the workflow itself"),
                ("/", ["--allow-path", "/"], "names neither"),
                ("flow.json5", [], "is the workflow file itself"),
            ] {
                let step = "{ \(verb.replacing("WHAT", with: path)) }"
                let result = try await status(step, words)
                #expect(
                    [1, 3].contains(result.status) && result.errors.contains(error),
                    "\(step): \(result.errors)")
                #expect(try flow.folder.names(in: "keep") == ["me", "too"])
            }
        }
        let said = try await status(#"{ delete: "../keep/${q}" }"#, allowed)
        #expect(said.status == 0, "\(said.errors)")
        #expect(try flow.folder.names(in: "keep") == ["too"])
    }

    @Test(
        "files of the flow and of its store are neither deleted nor moved, nor folders that hold them",
        arguments: ["delete", "move"])
    func ownFiles(verb: String) async throws {
        let flow = try FlowCommandRun("{}", named: "w/flow.json5")
        try flow.write("{ tasks: { b: { steps: [ { value: 1 } ] } } }", to: "w/lib/in.json5")
        for file in ["w/kept/runs.db-wal", "w/kept/runs.db-shm"] { try flow.write("", to: file) }
        func attempt(_ path: String, _ words: [String], _ environment: [String: String] = [:]) async throws {
            let rest = verb == "move" ? #"to: "away/", replace: true"# : "folders: true"
            // A path that is computed is looked at when it is used, another one by check.
            for written in [path, "${p}"] {
                try flow.write(
                    """
                    { parameters: { p: { default: "\(path)" } }, tasks: {
                      in: { flow: "lib/in.json5" },
                      a: { after: "in", steps: [ { value: "${p}" }, { \(verb): "\(written)", \(rest) } ] } } }
                    """, to: "w/flow.json5")
                let result = try await Command.run(
                    ["run", "w/flow.json5"] + words, environment: environment, in: flow.folder.url)
                #expect(
                    [1, 3].contains(result.status)
                        && result.errors.contains(
                            "is a file of the workflow itself, or of its store, or holds one"),
                    "\(path): \(result.errors)")
            }
        }
        for path in ["lib/in.json5", "lib"] { try await attempt(path, []) }
        for path in ["kept/runs.db", "kept/runs.db-wal", "kept/runs.db-shm", "kept"] {
            try await attempt(path, ["--store", "w/kept/runs.db"])
        }
        try await attempt("kept/runs.db-wal", [], ["STEPLINE_STORE": "w/kept/runs.db"])
        #expect(try flow.folder.names(in: "w/lib") == ["in.json5"])
        #expect(try flow.folder.names(in: "w") == ["flow.json5", "kept", "lib"])
    }
}
