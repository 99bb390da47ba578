import Foundation
import Testing

@testable import SteplineCommand

@Suite("Help", .timeLimit(.minutes(5)))
struct HelpTests {
    @Test(
        "--help of each subcommand names every option, and is what `help` shows",
        arguments: Subcommand.all.map(\.name))
    func subcommands(name: String) async throws {
        let command = try Subcommand.named(name)
        let result = try await Command.run([name, "--help"])
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.output.contains("usage: stepline \(name)"))
        for row in command.rows { #expect(result.output.contains(row.spelling), "\(row.name)") }
        #expect(try await Command.run(["help", name]).output == result.output)
        let widest = result.output.split(separator: "\n").filter { !$0.hasPrefix("  stepline") }.map(\.count)
            .max()
        #expect(widest ?? 0 <= 80)
    }

    @Test("--help and help list all subcommands and exit codes; no word at all is an error that shows them")
    func overview() async throws {
        let result = try await Command.run(["--help"])
        #expect(result.status == 0 && result.errors.isEmpty)
        for command in Subcommand.all { #expect(result.output.contains("  \(command.name) ")) }
        for code in ExitCode.all { #expect(result.output.contains("  \(code.number) ")) }
        #expect(try await Command.run(["help"]).output == result.output)
        #expect(try await Command.run(["-h"]).output == result.output)
        let nothing = try await Command.run([])
        #expect(nothing.status == 2 && nothing.data.isEmpty && nothing.errors == result.output)
    }

    @Test("--version tells the version in one line", arguments: ["--version", "-V"])
    func version(option: String) async throws {
        let result = try await Command.run([option])
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.output == "stepline \(Version.text)\n")
    }

    @Test(
        "an unknown word exits with 2 and one line that names the word and the nearest known one",
        arguments: [
            (["fecth"], ["'fecth'", "fetch?"]), (["--versoin"], ["--versoin", "--version?"]),
            (["help", "rnu"], ["'rnu'", "run?"]), (["completion", "bsh"], ["'bsh'", "bash?"]),
            (["completion"], ["SHELL"]), (["help", "run", "x"], ["'x'"]), (["qqq"], ["'qqq'"]),
        ])
    func unknown(words: [String], subjects: [String]) async throws {
        let result = try await Command.run(words)
        #expect(result.status == 2 && result.data.isEmpty)
        #expect(result.complaints.count == 1 && result.errors.hasPrefix("stepline: "))
        for subject in subjects { #expect(result.errors.contains(subject), "\(result.errors)") }
    }

    @Test("the manual page names every option of every command")
    func manual() async throws {
        let page = try await Command.run(["help", "--man"])
        #expect(page.status == 0)
        #expect(page.output.hasPrefix(".TH STEPLINE 1"))
        for command in Subcommand.all {
            for row in command.rows where row.name != "help" {
                #expect(page.output.contains(row.name.replacing("-", with: "\\-")), "\(row.name)")
            }
        }
    }
}
