import SteplineSupport

extension Completions {
    static var zsh: String {
        var lines = [
            "#compdef stepline", "# zsh completion for stepline: save as _stepline in a folder of $fpath",
            "",
            "# The names of tasks or parameters in the first workflow file among the words; fails without a file.",
            "_stepline_names() {",
            "    local word",
            "    for word in ${words[2,CURRENT-1]}; do",
            "        word=${(Q)word}",
            "        [[ $word == *.(json5|json|yaml|yml) && -f $word ]] || continue",
            "        local -a names",
            "        names=(${(f)\"$(_call_program names ${program} list ${(q)word} --names $1 2>/dev/null)\"})",
            "        compadd -S \"$2\" -a names",
            "        return 0",
            "    done",
            "    return 1",
            "}",
            "_stepline_tasks() { _stepline_names tasks ' ' || _files }",
            "_stepline_parameters() { _stepline_names parameters = }",
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
            "    local program=$words[1] command=$words[2]",
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
        if row.isNegatable { all.append(quoted("--no-\(row.name)[\(escaped("off: " + row.summary))]")) }
        return all
    }

    private static func action(_ completion: ValueRow.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .choices(let choices): "(\(choices.joined(separator: " ")))"
        case .tasks: "_stepline_tasks"
        case .parameters: "_stepline_parameters"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.rewriting { "\\[]:".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.rewriting { $0 == "'" ? "'\\''" : nil } + "'"
    }
}
