import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite(
    "Completions in zsh", .timeLimit(.minutes(5)),
    .enabled(if: InstalledShell.place(of: .zsh) != nil, InstalledShell.absence(of: .zsh)))
struct ZshCompletionTests {
    /// Completes the lines of a file one after the other, writes the answer to each, and ends.
    private static let settings = #"""
        cd $STEPLINE_FOLDER
        fpath=($ZDOTDIR $fpath)
        autoload -Uz compinit; compinit -u -D
        [[ $STEPLINE_SOURCED == yes ]] && source $ZDOTDIR/_stepline
        offered=()
        offer() {
            compadd() {
                local -a found
                [[ -n ${(M)argv:#-[OAD]} ]] || { builtin compadd -O found "$@"; offered+=($found) }
                builtin compadd "$@"
            }
            _main_complete
            unfunction compadd
        }
        zle -C offer complete-word offer
        lines=("${(@f)$(<$ZDOTDIR/lines)}")
        number=1
        zle-line-init() {
            if (( number > $#lines )); then
                BUFFER=exit; zle accept-line
                return
            fi
            offered=()
            BUFFER=$lines[number]; CURSOR=$#BUFFER
            zle offer
            print -rl -- "$BUFFER" ${(u)offered} > $ZDOTDIR/answer$number
            (( number++ ))
            BUFFER=; zle accept-line
        }
        zle -N zle-line-init
        """#

    private struct Answer {
        /// The line once it is completed.
        let line: String
        let offers: [String]
    }

    /// Completes each line at its end, all in one shell.
    private func complete(
        _ lines: [String], in folder: URL, isSourced: Bool = false
    ) async throws -> [Answer] {
        let settings = try TemporaryFolder()
        try await Command.run(["completion", "zsh"]).data
            .write(to: settings.url.appending(path: "_stepline"))
        try Data(Self.settings.utf8).write(to: settings.url.appending(path: ".zshrc"))
        try Data(lines.joined(separator: "\n").utf8).write(to: settings.url.appending(path: "lines"))
        // Neither the machine's settings nor its user's.
        let terminal = try Terminal(
            ["-d", "-i"],
            program: InstalledShell.place(of: .zsh),
            environment: [
                "ZDOTDIR": settings.url.path, "STEPLINE_FOLDER": folder.path,
                "STEPLINE_SOURCED": isSourced ? "yes" : "no",
            ])
        let code = await terminal.exitCode()
        #expect(code == 0, "\(terminal.text)")
        return try (1...lines.count).map { number in
            let answer = try settings.text("answer\(number)").split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
            return Answer(line: answer[0], offers: answer.dropFirst().filter { !$0.isEmpty })
        }
    }

    @Test("zsh completes subcommands, options, and the values of options that have few")
    func words() async throws {
        let cases = [
            ("fe", "fetch ", ["fetch"]), ("--v", "--version ", ["--version"]),
            ("fetch --re", "fetch --re", ["--resume", "--retries", "--retry-wait", "--report"]),
            ("fetch --no-", "fetch --no-", ["--no-follow", "--no-color"]),
            ("fetch --format t", "fetch --format text ", ["text"]),
            ("fetch --format=j", "fetch --format=json", ["json", "jsonl"]),
            ("fetch -f t", "fetch -f text ", ["text"]), ("fetch -ft", "fetch -ftext ", ["text"]),
            ("fetch --jobs ", "fetch --jobs ", []), ("completion f", "completion fish ", ["fish"]),
            ("help sch", "help schema ", ["schema"]), ("run fetch --form", "run fetch --form", []),
            ("run f.json5 --se", "run f.json5 --set=", ["--set"]),
        ]
        let folder = try TemporaryFolder()
        let answers = try await complete(cases.map { "stepline " + $0.0 }, in: folder.url)
        for ((line, becomes, offers), answer) in zip(cases, answers) {
            #expect(answer.line == "stepline " + becomes && answer.offers == offers, "\(line)")
        }
    }

    @Test("zsh offers every option of every subcommand, also if the script is sourced")
    func all() async throws {
        let folder = try TemporaryFolder()
        let lines = ["stepline "] + Subcommand.all.map { "stepline \($0.name) --" }
        let answers = try await complete(lines, in: folder.url, isSourced: true)
        #expect(answers[0].offers == Subcommand.all.map(\.name) + ["--help", "--version"])
        for (command, answer) in zip(Subcommand.all, answers.dropFirst()) {
            let names = command.rows.flatMap { row in
                ["--" + row.name] + (row.isNegatable ? ["--no-" + row.name] : [])
            }
            #expect(Set(answer.offers) == Set(names), "\(command.name)")
        }
    }

    @Test("zsh offers files where a file is expected, and folders where a folder is")
    func files() async throws {
        let folder = try folderToComplete()
        let ofFiles = ["run a", "fetch --out a", "fetch --out=a", "fetch -o a"]
        let answers = try await complete(
            (ofFiles + ["run --allow-path ", "fetch "]).map { "stepline " + $0 }, in: folder.url)
        for (line, answer) in zip(ofFiles, answers) {
            #expect(Set(answer.offers) == ["a\\ flow.json5", "a\\ folder"], "\(line)")
        }
        #expect(answers[4].line == "stepline run --allow-path a\\ folder/")
        #expect(answers[5].offers.isEmpty)
    }
}
