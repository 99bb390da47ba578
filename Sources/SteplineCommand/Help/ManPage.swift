/// The manual page, made from the tables, for `man`.
enum ManPage {
    static var text: String {
        var lines = [
            ".TH STEPLINE 1 \"\" \"stepline \(Version.text)\" \"User Commands\"",
            ".SH NAME", "stepline \\- work that is done in steps, from a shell",
            ".SH SYNOPSIS",
        ]
        for command in Subcommand.all { lines += [".B " + roff(command.usage), ".br"] }
        lines += [".B stepline \\-\\-version", ".SH DESCRIPTION"]
        lines += [
            roff(
                "Loads, parses, selects and saves, one URL or many at once, or a whole workflow from a file.")
        ]
        lines.append(".SH COMMANDS")
        for command in Subcommand.all { lines += section(command) }
        lines.append(".SH EXIT STATUS")
        for code in ExitCode.all { lines += [".TP", ".B \(code.number)", roff(code.meaning)] }
        lines += [
            ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "If set, no colours are used.",
            ".TP", ".B http_proxy, https_proxy, no_proxy", "The proxies that transfers go through.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ command: Subcommand) -> [String] {
        var lines = [".SS " + roff(command.usage), roff(command.summary.capitalizedFirst + ".")]
        for paragraph in command.discussion { lines += [".PP", roff(paragraph)] }
        for row in command.groups.flatMap(\.rows) {
            let spelling = row.spelling.split(separator: " ").joined(separator: " ")
            lines += [".TP", ".B " + roff(spelling), roff(row.summary.capitalizedFirst + ".")]
        }
        for example in command.examples {
            lines += [".PP", roff(example.purpose.capitalizedFirst + ":"), ".PP", ".nf", ".RS"]
            lines += [roff(example.command), ".RE", ".fi"]
        }
        return lines
    }

    /// The text with what means something to roff written so that it stands for itself.
    private static func roff(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga").replacing("…", with: "...")
            .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
