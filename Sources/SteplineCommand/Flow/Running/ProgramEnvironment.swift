import SteplineSupport

/// The environment variables of a workflow file's programs: a small fixed set, and those allowed by name.
///
/// Variables can pass a user's secrets to a program. Many can make a permitted program execute other code: `PATH`,
/// `BASH_ENV`, `PYTHONSTARTUP`, `GIT_SSH_COMMAND`. A list of harmful variables would never be complete.
enum ProgramEnvironment {
    /// The inherited variables in addition to those of the locale.
    private static let inherited: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "http_proxy", "https_proxy",
        "no_proxy",
        "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
        // Marks processes started by a program, so that they are ended with it.
        "STEPLINE_PROGRAM",
    ]

    /// Returns whether a file may set a variable without `--allow-env`: language and time zone.
    static func isFree(_ name: String) -> Bool {
        name == "LANG" || name == "LANGUAGE" || name == "TZ" || name.begins(with: "LC_")
    }

    /// Returns the variables that programs inherit.
    static func inherited(_ environment: [String: String], allowing names: [String]) -> [String: String] {
        environment.filter { name, _ in
            inherited.contains(name) || isFree(name)
                || names.contains(where: { ExactText($0) == ExactText(name) })
        }
    }
}
