import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

/// Completion of the names in a workflow file, by shells that call the command's binary.
@Suite("Completion of tasks and parameters", .timeLimit(.minutes(5)))
struct FlowNameCompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        let run = try FlowCommandRun(
            """
            { parameters: { city: "Oslo", count: 1 }, tasks: {
              load: { steps: [ { value: "${city}" } ] }, list: { steps: [ { value: "${count}" } ] },
              "$(touch made)": { steps: [ { value: 1 } ] },
            } }
            """
        )
        folder = run.folder
        try run.write("tasks: { later: { steps: [ { value: 1 } ] } }", to: "other.yaml")
    }

    private static let cases: [(line: [String], offers: [String])] =
        [
            (["run", "flow.json5", "l"], ["load", "list"]), (["run", "-q", "flow.json5", "li"], ["list"]),
            (["run", "flow.json5", "--from", "l"], ["load", "list"]),
            (["run", "flow.json5", "--print", "lo"], ["load"]), (["run", "fl"], ["flow.json5"]),
            (["run", "gone.json5", "l"], []),
        ] + (LibYAML.isNeeded ? [(["run", "other.yaml", "l"], ["later"])] : [])

    /// Runs a shell with the command as `stepline` in its search path.
    private func shell(_ shell: Shell, _ arguments: [String]) async throws -> CommandResult {
        let programs = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            at: programs.url.appending(path: "stepline"), withDestinationURL: Command.executable())
        return try await Command.run(
            arguments, program: InstalledShell.place(of: shell),
            environment: ["PATH": "\(programs.url.path):/usr/bin:/bin", "HOME": folder.url.path],
            in: folder.url)
    }

    private func bash(_ words: [String]) async throws -> [String] {
        let script =
            try await Command.run(["completion", "bash"]).output + """
                COMP_WORDS=(stepline "$@"); COMP_CWORD=$#; _stepline; printf '%s\\n' "${COMPREPLY[@]}"
                """
        let result = try await shell(.bash, ["-c", script, "bash"] + words)
        #expect(result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("bash offers tasks once the file is given, and files before", arguments: cases)
    func tasksInBash(line: [String], offers: [String]) async throws {
        #expect(try await bash(line) == offers)
    }

    @Test("bash offers parameters with an equals sign; a name is quoted, and never run")
    func parametersInBash() async throws {
        #expect(try await bash(["run", "flow.json5", "--set", "c"]) == ["city=", "count="])
        #expect(try await bash(["run", "flow.json5", "-s", "ci"]) == ["city="])
        #expect(try await bash(["run", "flow.json5", "$"]) == [#"\$\(touch\ made\)"#])
        #expect(try !folder.names().contains("made"))
    }

    @Test(
        "fish offers tasks and parameters of the file",
        .enabled(if: InstalledShell.place(of: .fish) != nil, InstalledShell.absence(of: .fish)))
    func fish() async throws {
        let script = folder.url.appending(path: ".script")
        try await Command.run(["completion", "fish"]).data.write(to: script)
        func offers(_ line: String) async throws -> Set<String> {
            let result = try await shell(
                .fish, ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script.path, line])
            #expect(result.errors.isEmpty, "\(result.errors)")
            // A name may be followed by the option's description.
            return Set(result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
        }
        // fish offers files that hold the text as well.
        for (line, expected) in Self.cases where !expected.isEmpty {
            #expect(try await offers("stepline " + line.joined(separator: " ")) == Set(expected), "\(line)")
        }
        #expect(try await offers("stepline run flow.json5 --set c") == ["city=", "count="])
    }

    @Test(
        "zsh offers tasks and parameters of the file",
        .enabled(if: InstalledShell.place(of: .zsh) != nil, InstalledShell.absence(of: .zsh)))
    func zsh() async throws {
        // The functions of the completion system are replaced by what shows the names that are added.
        let script =
            try await Command.run(["completion", "zsh"]).output + """

                compdef() { :; }
                _call_program() { shift; eval "$*"; }
                compadd() { print -r -- "$2"; print -rl -- ${(P)@[-1]}; }
                program=stepline; words=("$@"); CURRENT=$#words; KIND=$words[1]; words[1]=run
                if [[ $KIND == tasks ]]; then _stepline_names tasks ' '; else _stepline_names parameters =; fi
                """
        func names(_ words: String...) async throws -> [String] {
            let result = try await shell(.zsh, ["-f", "-c", "compdef() { :; }\n" + script, "zsh"] + words)
            #expect(result.errors.isEmpty, "\(result.errors)")
            return result.output.split(separator: "\n").map(String.init)
        }
        #expect(try await names("tasks", "flow.json5", "l") == [" ", "load", "list", "$(touch made)"])
        #expect(try await names("parameters", "flow.json5", "--set", "c") == ["=", "city", "count"])
        if LibYAML.isNeeded { #expect(try await names("tasks", "other.yaml", "l") == [" ", "later"]) }
        #expect(try await names("tasks", "gone.json5", "l") == [])
        #expect(try !folder.names().contains("made"))
    }
}
