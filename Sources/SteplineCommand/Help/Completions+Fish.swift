import SteplineSupport

extension Completions {
    static var fish: String {
        var lines = [
            "# fish completion for stepline: save as stepline.fish in a folder of $fish_complete_path",
            "# Tests whether the subcommand is $argv[1]; without argument, whether it is missing.",
            "function __stepline_command",
            "    set -l words (commandline -opc)",
            "    test \"$words[2]\" = \"$argv[1]\"",
            "end",
            "# The first workflow file among the words; fails without one.",
            "function __stepline_flow",
            "    for word in (commandline -opc)[3..-1]",
            "        if string match -qr '\\.(json5?|ya?ml)$' -- $word; and test -f $word",
            "            echo $word",
            "            return 0",
            "        end",
            "    end",
            "    return 1",
            "end",
            "# Its task or parameter names.",
            "function __stepline_names",
            "    set -l flow (__stepline_flow); or return",
            "    set -l words (commandline -opc)",
            "    $words[1] list $flow --names $argv[1] 2>/dev/null",
            "end",
            "complete -c stepline -f",
            "complete -c stepline -n __stepline_command -l help -s h -d 'show help'",
            "complete -c stepline -n __stepline_command -l version -s V -d 'show the version'",
        ]
        for command in Subcommand.all {
            lines.append(
                "complete -c stepline -n __stepline_command -a \(command.name) -d \(quoted(command.summary))"
            )
        }
        for command in Subcommand.all {
            let start = "complete -c stepline -n '__stepline_command \(command.name)'"
            for row in command.rows {
                let short = row.short.map { " -s \($0)" } ?? ""
                let value = row.value.map { " " + action($0.completion) } ?? ""
                lines.append("\(start) -l \(row.name)\(short)\(value) -d \(quoted(row.summary))")
                if row.isNegatable {
                    lines.append("\(start) -l no-\(row.name) -d \(quoted("off: " + row.summary))")
                }
            }
            switch command.operands.completion {
            case .nothing: break
            case .file: lines.append("\(start) -F")
            case .folder: lines.append("\(start) -a '(__fish_complete_directories)'")
            case .choices(let choices): lines.append("\(start) -a \(quoted(choices.joined(separator: " ")))")
            case .tasks:
                let isFileMissing = "__stepline_command \(command.name); and not __stepline_flow >/dev/null"
                lines.append("complete -c stepline -n '\(isFileMissing)' -F")
                lines.append("\(start) -a '(__stepline_names tasks)'")
            case .parameters: lines.append("\(start) -a '(__stepline_names parameters)='")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func action(_ completion: ValueRow.Completion) -> String {
        switch completion {
        case .nothing: "-x"
        case .file: "-r -F"
        case .folder: "-x -a '(__fish_complete_directories)'"
        case .choices(let choices): "-x -a \(quoted(choices.joined(separator: " ")))"
        case .tasks: "-x -a '(__stepline_names tasks)'"
        case .parameters: "-x -a '(__stepline_names parameters)='"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.rewriting { $0 == "\\" || $0 == "'" ? "\\\($0)" : nil } + "'"
    }
}
