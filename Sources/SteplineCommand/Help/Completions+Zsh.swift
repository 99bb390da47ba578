import SteplineSupport

extension Completions {
    static var zsh: String {
        var lines = [
            "#compdef stepline", "# zsh completion for stepline: put it in a folder of $fpath, as _stepline",
            "",
            "_stepline() {",
            "    local -a commands=(",
        ]
        for command in Subcommand.all {
            lines.append("        " + quoted("\(command.name):\(command.summary)"))
        }
        lines += [
            "    )",
            "    if (( CURRENT == 2 )); then",
            "        _describe command commands",
            "        _arguments '--help[show help]' '--version[show the version]'",
            "        return",
            "    fi",
            "    local command=$words[2]",
            "    shift words",
            "    (( CURRENT-- ))",
            "    case $command in",
        ]
        for command in Subcommand.all {
            lines.append("    \(command.name))")
            lines.append("        _arguments -s -S \\")
            for row in command.rows { lines += specifications(row).map { "            \($0) \\" } }
            let operand = command.operands
            let name = escaped(operand.placeholder)
            lines.append("            " + quoted("*:\(name):" + action(operand.completion)) + " ;;")
        }
        lines += [
            "    esac", "}", "", "if [ \"$funcstack[1]\" = _stepline ]; then", "    _stepline \"$@\"", "else",
            "    compdef _stepline stepline", "fi",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func specifications(_ row: OptionRow) -> [String] {
        let value = row.value.map { ":\(escaped($0.placeholder)):" + action($0.completion) } ?? ""
        let text = "[\(escaped(row.summary))]" + value
        let repeats = row.isRepeatable ? "*" : ""
        var all = [quoted("\(repeats)--\(row.name)\(row.value == nil ? "" : "=")\(text)")]
        if let short = row.short {
            all.append(quoted("\(repeats)-\(short)\(row.value == nil ? "" : "+")\(text)"))
        }
        if row.isNegatable { all.append(quoted("--no-\(row.name)[\(escaped("not: " + row.summary))]")) }
        return all
    }

    private static func action(_ completion: ValueRow.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .choices(let choices): "(\(choices.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.rewriting { "\\[]:".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.rewriting { $0 == "'" ? "'\\''" : nil } + "'"
    }
}
