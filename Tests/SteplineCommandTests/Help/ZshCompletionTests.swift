import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite(
    "Completions in zsh", .timeLimit(.minutes(5)),
    .enabled(if: InstalledShell.place(of: .zsh) != nil, InstalledShell.absence(of: .zsh)))
struct ZshCompletionTests {
    /// Completes a line as soon as there is an editor, writes down what came of it, and ends.
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
        zle-line-init() {
            BUFFER=$STEPLINE_LINE; CURSOR=$#BUFFER
            zle offer
            print -rl -- "$BUFFER" ${(u)offered} > $ZDOTDIR/answer
            BUFFER=exit; zle accept-line
        }
        zle -N zle-line-init
        """#

    /// What becomes of a line at whose end somebody completes, and what is offered there.
    private func complete(
        _ line: String, in folder: URL, isSourced: Bool = false
    ) async throws -> (line: String, offers: [String]) {
        let settings = try TemporaryFolder()
        try await Command.run(["completion", "zsh"]).data
            .write(to: settings.url.appending(path: "_stepline"))
        try Data(Self.settings.utf8).write(to: settings.url.appending(path: ".zshrc"))
        // Neither the machine's settings nor its user's.
        let terminal = try Terminal(
            ["-d", "-i"],
            program: InstalledShell.place(of: .zsh),
            environment: [
                "ZDOTDIR": settings.url.path, "STEPLINE_LINE": line, "STEPLINE_FOLDER": folder.path,
                "STEPLINE_SOURCED": isSourced ? "yes" : "no",
            ])
        let code = await terminal.exitCode()
        #expect(code == 0, "\(terminal.text)")
        let answer = try settings.text("answer").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        return (answer[0], answer.dropFirst().filter { !$0.isEmpty })
    }

    @Test(
        "zsh completes subcommands, options, and the values of those that have few",
        arguments: [
            ("fe", "fetch ", ["fetch"]), ("--v", "--version ", ["--version"]),
            ("fetch --re", "fetch --re", ["--resume", "--retries", "--retry-wait", "--report"]),
            ("fetch --no-", "fetch --no-", ["--no-follow", "--no-color"]),
            ("fetch --format t", "fetch --format text ", ["text"]),
            ("fetch --format=j", "fetch --format=json", ["json", "jsonl"]),
            ("fetch -f t", "fetch -f text ", ["text"]), ("fetch -ft", "fetch -ftext ", ["text"]),
            ("fetch --jobs ", "fetch --jobs ", []), ("completion f", "completion fish ", ["fish"]),
            ("help ex", "help explain ", ["explain"]), ("run fetch --form", "run fetch --form", []),
            ("run f.json5 --se", "run f.json5 --set=", ["--set"]),
        ])
    func words(line: String, becomes: String, offers: [String]) async throws {
        let folder = try TemporaryFolder()
        let answer = try await complete("stepline " + line, in: folder.url)
        #expect(answer.line == "stepline " + becomes && answer.offers == offers)
    }

    @Test("zsh offers every option of every subcommand; the script works by being sourced, too")
    func all() async throws {
        let folder = try TemporaryFolder()
        let commands = try await complete("stepline ", in: folder.url, isSourced: true)
        #expect(commands.offers == Subcommand.all.map(\.name) + ["--help", "--version"])
        for command in Subcommand.all {
            let options = try await complete("stepline \(command.name) --", in: folder.url, isSourced: true)
            let names = command.rows.flatMap { row in
                ["--" + row.name] + (row.isNegatable ? ["--no-" + row.name] : [])
            }
            #expect(Set(options.offers) == Set(names), "\(command.name)")
        }
    }

    @Test("zsh offers files where a file is wanted, and folders where a folder is")
    func files() async throws {
        let folder = try folderToComplete()
        for line in ["run a", "fetch --out a", "fetch --out=a", "fetch -o a"] {
            let answer = try await complete("stepline " + line, in: folder.url)
            #expect(Set(answer.offers) == ["a\\ flow.json5", "a\\ folder"], "\(line)")
        }
        let folders = try await complete("stepline run --allow-path ", in: folder.url)
        #expect(folders.line == "stepline run --allow-path a\\ folder/")
        #expect(try await complete("stepline fetch ", in: folder.url).offers.isEmpty)
    }
}
