/// The manual page, generated from the tables.
enum ManPage {
    static var text: String {
        var lines = [
            ".TH STEPLINE 1 \"\(Version.date)\" \"stepline \(Version.text)\" \"User Commands\"",
            ".SH NAME", "stepline \\- run steps and workflows from a shell",
            ".SH SYNOPSIS",
        ]
        for command in Subcommand.all { lines += [".B " + Roff.text(command.usage), ".br"] }
        lines += [".B stepline \\-\\-version", ".SH DESCRIPTION"]
        lines += [
            Roff.text(
                "Loads one or many URLs, parses, selects and saves their content, crawls a site, or runs a "
                    + "workflow file.")
        ]
        lines.append(".SH COMMANDS")
        for command in Subcommand.all { lines += section(command) }
        lines.append(".SH EXIT STATUS")
        for code in ExitCode.all { lines += [".TP", ".B \(code.number)", Roff.text(code.meaning)] }
        lines += [
            ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Disables colours if set.",
            ".TP", ".B http_proxy, https_proxy, no_proxy", "The proxies for transfers.",
            ".SH SEE ALSO", ".BR stepline\\-flow (5)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ command: Subcommand) -> [String] {
        var lines = [".SS " + Roff.text(command.usage), Roff.text(command.summary.capitalizedFirst + ".")]
        for paragraph in command.discussion { lines += [".PP", Roff.text(paragraph)] }
        for row in command.groups.flatMap(\.rows) {
            let spelling = row.spelling.split(separator: " ").joined(separator: " ")
            lines += [".TP", ".B " + Roff.text(spelling), Roff.text(row.summary.capitalizedFirst + ".")]
        }
        for example in command.examples {
            lines += [".PP", Roff.text(example.purpose.capitalizedFirst + ":")]
            lines += Roff.example([example.command])
        }
        return lines
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
