/// The shells that completions are made for.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}

extension Subcommand {
    /// `stepline completion SHELL`.
    static let completion = Subcommand(
        name: "completion", summary: "write a shell's completion script",
        operands: Operands(
            placeholder: "SHELL", count: 1...1, completion: .choices(Shell.allCases.map(\.rawValue))),
        groups: [],
        examples: [
            Example(command: "source <(stepline completion bash)", purpose: "completions for this shell"),
            Example(
                command: "stepline completion fish > ~/.config/fish/completions/stepline.fish",
                purpose: "for all fish shells"),
        ]
    ) { arguments, session in
        let name = arguments.operands[0]
        guard let shell = Shell(rawValue: name) else {
            let shells = Shell.allCases.map(\.rawValue)
            throw UsageError(
                "SHELL is one of \(shells.joined(separator: ", ")), not '\(name)'"
                    + Guess.question(name, among: shells))
        }
        try session.output.write(Completions.script(for: shell))
        return .success
    }
}
