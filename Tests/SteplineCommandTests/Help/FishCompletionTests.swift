import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite(
    "Completions in fish", .timeLimit(.minutes(5)),
    .enabled(if: InstalledShell.place(of: .fish) != nil, InstalledShell.absence(of: .fish)))
struct FishCompletionTests {
    /// What fish offers at the end of a line, each with what it says about it.
    private func offers(_ line: String, in folder: TemporaryFolder) async throws -> [(
        word: String, text: String
    )] {
        let script = folder.url.appending(path: ".script")
        try await Command.run(["completion", "fish"]).data.write(to: script)
        let result = try await Command.run(
            ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script.path, line],
            program: InstalledShell.place(of: .fish), environment: ["HOME": folder.url.path], in: folder.url)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    @Test(
        "fish offers subcommands, options, and the values of those that have few",
        arguments: [
            ("f", ["fetch"]), ("--v", ["--version"]),
            ("fetch --re", ["--report", "--resume", "--retries", "--retry-wait"]),
            ("fetch --no-", ["--no-color", "--no-follow"]), ("fetch --format j", ["json", "jsonl"]),
            ("fetch --format=t", ["--format=text"]), ("fetch -f t", ["text"]), ("fetch --jobs ", []),
            ("completion ", ["bash", "fish", "zsh"]), ("help ex", ["explain"]),
            // An operand that is called like a subcommand isn't one.
            ("run fetch --form", []), ("run f.json5 --se", ["--set"]),
        ])
    func words(line: String, offers expected: [String]) async throws {
        let folder = try TemporaryFolder()
        #expect(try await offers("stepline " + line, in: folder).map(\.word) == expected)
    }

    @Test("fish offers every subcommand with its summary, and every option of each")
    func all() async throws {
        let folder = try TemporaryFolder()
        let commands = try await offers("stepline ", in: folder)
        #expect(Set(commands.map(\.word)) == Set(Subcommand.all.map(\.name)))
        for command in Subcommand.all {
            #expect(commands.contains { $0.word == command.name && $0.text == command.summary })
            let options = Set(try await offers("stepline \(command.name) --", in: folder).map(\.word))
            let names = command.rows.flatMap { row in
                ["--" + row.name] + (row.isNegatable ? ["--no-" + row.name] : [])
            }
            #expect(options == Set(names), "\(command.name)")
        }
    }

    @Test("fish offers files where a file is wanted, and folders where a folder is")
    func files() async throws {
        let folder = try folderToComplete()
        for line in ["run a", "fetch --out a", "fetch --out=a", "fetch -o a"] {
            let words = try await offers("stepline " + line, in: folder).map(\.word)
            let start = line.hasSuffix("=a") ? "--out=" : ""
            #expect(words.sorted() == [start + "a flow.json5", start + "a folder/"], "\(line)")
        }
        #expect(try await offers("stepline run --allow-path ", in: folder).map(\.word) == ["a folder/"])
        #expect(try await offers("stepline fetch ", in: folder).isEmpty)
    }
}
