import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite(
    "Completions in fish", .timeLimit(.minutes(5)),
    .enabled(if: InstalledShell.place(of: .fish) != nil, InstalledShell.absence(of: .fish)))
struct FishCompletionTests {
    /// The completions of fish at the end of each line, each with its description.
    private func offers(
        _ lines: [String], in folder: TemporaryFolder
    ) async throws -> [[(word: String, text: String)]] {
        let script = folder.url.appending(path: ".script")
        try await Command.run(["completion", "fish"]).data.write(to: script)
        let loop = "source $argv[1]; for line in $argv[2..-1]; complete -C $line; echo; end"
        let result = try await Command.run(
            ["--no-config", "-c", loop, script.path] + lines.map { "stepline " + $0 },
            program: InstalledShell.place(of: .fish), environment: ["HOME": folder.url.path], in: folder.url)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        var answers: [[(word: String, text: String)]] = [[]]
        for line in result.output.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.isEmpty else {
                answers.append([])
                continue
            }
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            answers[answers.count - 1].append((parts[0], parts.count > 1 ? parts[1] : ""))
        }
        try #require(answers.count >= lines.count, "\(result.output)")
        return answers
    }

    @Test("fish offers subcommands, options, and the values of those that have few")
    func words() async throws {
        let cases = [
            ("f", ["fetch"]), ("--v", ["--version"]),
            ("fetch --re", ["--report", "--resume", "--retries", "--retry-wait"]),
            ("fetch --no-", ["--no-color", "--no-follow"]), ("fetch --format j", ["json", "jsonl"]),
            ("fetch --format=t", ["--format=text"]), ("fetch -f t", ["text"]), ("fetch --jobs ", []),
            ("completion ", ["bash", "fish", "zsh"]), ("help sch", ["schema"]),
            // An operand that is called like a subcommand isn't one.
            ("run fetch --form", []), ("run f.json5 --se", ["--set"]),
        ]
        let answers = try await offers(cases.map(\.0), in: TemporaryFolder())
        for ((line, expected), answer) in zip(cases, answers) {
            #expect(answer.map(\.word) == expected, "\(line)")
        }
    }

    @Test("fish offers every subcommand with its summary, and every option of each")
    func all() async throws {
        let lines = [""] + Subcommand.all.map { "\($0.name) --" }
        let answers = try await offers(lines, in: TemporaryFolder())
        #expect(Set(answers[0].map(\.word)) == Set(Subcommand.all.map(\.name)))
        for (command, answer) in zip(Subcommand.all, answers.dropFirst()) {
            #expect(answers[0].contains { $0.word == command.name && $0.text == command.summary })
            let names = command.rows.flatMap { row in
                ["--" + row.name] + (row.isNegatable ? ["--no-" + row.name] : [])
            }
            #expect(Set(answer.map(\.word)) == Set(names), "\(command.name)")
        }
    }

    @Test("fish offers files where a file is wanted, and folders where a folder is")
    func files() async throws {
        let lines = ["run a", "fetch --out a", "fetch --out=a", "fetch -o a"]
        let answers = try await offers(
            lines + ["run --allow-path ", "fetch "], in: folderToComplete())
        for (line, answer) in zip(lines, answers) {
            let start = line.hasSuffix("=a") ? "--out=" : ""
            #expect(answer.map(\.word).sorted() == [start + "a flow.json5", start + "a folder/"], "\(line)")
        }
        #expect(answers[4].map(\.word) == ["a folder/"] && answers[5].isEmpty)
    }
}
