import SteplineSupport

/// A shell that runs scripts.
enum FlowShell: String, Sendable, CaseIterable {
    case sh, bash, zsh

    /// The options with which the shell reads no start-up file of a user, and ends at the first failure.
    fileprivate var options: [String] {
        switch self {
        case .sh: ["-e"]
        case .bash: ["--noprofile", "--norc", "-e", "-o", "pipefail"]
        case .zsh: ["-f", "-e", "-o", "pipefail"]
        }
    }
}

/// A script of a workflow file.
///
/// Its text holds no values: they are variables of the environment.
struct FlowScript: Sendable {
    /// The longest script in bytes: Linux passes at most 128 KiB as one argument.
    static let longest = 100_000

    let shell: FlowShell
    let text: String

    /// The arguments of the shell.
    var arguments: [String] {
        // A script that begins with a dash would be read as an option.
        let isOption = text.begins(with: "-") || text.begins(with: "+")
        // The name precedes the shell's own errors.
        return shell.options + ["-c", isOption ? " " + text : text, shell.rawValue]
    }
}
