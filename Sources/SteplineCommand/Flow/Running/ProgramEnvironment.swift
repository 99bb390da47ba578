import SteplineSupport

/// The variables that programs of a workflow file have: a small fixed part of the command's, and those allowed by name.
///
/// A variable can hand a program a secret of the user's, and most can make an allowed program run another's code:
/// `PATH`, `BASH_ENV`, `PYTHONSTARTUP`, `GIT_SSH_COMMAND`. No list of the harmful ones would be complete.
enum ProgramEnvironment {
    /// The variables that every program inherits, beside those of the locale.
    private static let inherited: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "http_proxy", "https_proxy",
        "no_proxy",
        "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
        // Marks what comes from a program, so that it is ended with it.
        "STEPLINE_PROGRAM",
    ]

    /// Whether a file may set a variable without `--allow-env`: those of the language and the time zone.
    static func isFree(_ name: String) -> Bool {
        name == "LANG" || name == "LANGUAGE" || name == "TZ" || name.begins(with: "LC_")
    }

    /// Returns what programs inherit of an environment.
    static func inherited(_ environment: [String: String], allowing names: [String]) -> [String: String] {
        environment.filter { name, _ in
            inherited.contains(name) || isFree(name)
                || names.contains(where: { ExactText($0) == ExactText(name) })
        }
    }
}
