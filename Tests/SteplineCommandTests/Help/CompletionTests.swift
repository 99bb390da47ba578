import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Completions", .timeLimit(.minutes(5)))
struct CompletionTests {
    private func script(_ shell: String) async throws -> Data {
        let result = try await Command.run(["completion", shell])
        #expect(result.status == 0 && result.errors.isEmpty)
        return result.data
    }

    /// The completions of bash for the last word.
    private func offers(_ words: [String], in folder: URL? = nil) async throws -> [String] {
        let source = String(decoding: try await script("bash"), as: UTF8.self)
        let script =
            source + """
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stepline; printf '%s\\n' "${COMPREPLY[@]}"
                """
        let result = try await Command.run(
            ["-c", script, "bash"] + words, program: URL(filePath: "/bin/bash"), in: folder)
        #expect(result.errors.isEmpty)
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "bash offers subcommands, options, and the values of those that have few",
        arguments: [
            (["stepline", "f"], ["fetch"]), (["stepline", "--v"], ["--version"]),
            (["stepline", "fetch", "--re"], ["--resume", "--retries", "--retry-wait", "--report"]),
            (["stepline", "fetch", "--no-"], ["--no-follow", "--no-color"]),
            (["stepline", "fetch", "--format", "j"], ["json", "jsonl"]),
            (["stepline", "fetch", "--format", "=", "t"], ["text"]),
            (["stepline", "fetch", "--format", "="], ["text", "json", "jsonl"]),
            (["stepline", "fetch", "-f", "t"], ["text"]), (["stepline", "fetch", "--jobs", ""], []),
            (["stepline", "completion", ""], ["bash", "zsh", "fish"]),
            (["stepline", "help", "sch"], ["schema"]),
            (["stepline", "help", ""], Subcommand.all.map(\.name)),
        ])
    func bash(words: [String], offers expected: [String]) async throws {
        #expect(try await offers(words) == expected)
    }

    @Test(
        "bash offers files where a file is wanted, with blanks in their names, and folders where a folder is")
    func files() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.url.appending(path: "a flow.json5"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "a folder"), withIntermediateDirectories: false)
        #expect(
            try await offers(["stepline", "run", "a"], in: folder.url).sorted() == [
                "a flow.json5", "a folder",
            ])
        #expect(try await offers(["stepline", "run", "--allow-path", "a"], in: folder.url) == ["a folder"])
        #expect(try await offers(["stepline", "fetch", "-o", "a f"], in: folder.url).count == 2)
        #expect(
            try await offers(["stepline", "fetch", "--out", "=", "a fl"], in: folder.url) == ["a flow.json5"])
    }

    @Test(
        "each script names every option, and its shell, where it is installed, can read it",
        arguments: Shell.allCases)
    func scripts(shell: Shell) async throws {
        let script = try await script(shell.rawValue)
        let text = String(decoding: script, as: UTF8.self)
        for command in Subcommand.all {
            for row in command.rows { #expect(text.contains(row.name)) }
        }
        guard let place = InstalledShell.place(of: shell) else {
            print("\(shell.rawValue) isn't installed: its script is not read")
            return
        }
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "script")
        try script.write(to: file)
        let result = try await Command.run(["-n", file.path], program: place)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
}
