extension Completions {
    /// The completion script for bash 3.2 and later.
    static var bash: String {
        var lines = [
            "# bash completion for stepline: source <(stepline completion bash)",
            "# The names of tasks or parameters in the first workflow file among the words; fails without a file.",
            "_stepline_names() {",
            "    local word name quoted",
            "    for word in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do",
            "        [[ $word == *.json5 || $word == *.json || $word == *.yaml || $word == *.yml ]] && [ -f \"$word\" ] || continue",
            "        # Quote names, never expand them: they may contain anything.",
            "        while IFS= read -r name; do",
            "            [[ $name == \"$current\"* ]] || continue",
            "            printf -v quoted %q \"$name\"",
            "            COMPREPLY+=(\"$quoted$2\")",
            "        done < <(\"${COMP_WORDS[0]}\" list \"$word\" --names \"$1\" 2>/dev/null)",
            "        return 0",
            "    done",
            "    return 1",
            "}",
            "_stepline() {",
            "    local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
            "    COMPREPLY=()",
            "    # Bash splits --name=value in three.",
            "    if [ \"$current\" = = ]; then current=",
            "    elif [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        " + words(Subcommand.all.map(\.name) + ["--help", "--version"]),
            "        return",
            "    fi",
            "    case \"${COMP_WORDS[1]} $previous\" in",
        ]
        for command in Subcommand.all {
            for row in command.rows {
                guard let value = row.value else { continue }
                let names = ["--" + row.name] + (row.short.map { ["-\($0)"] } ?? [])
                let pattern = names.map { "'\(command.name) \($0)'" }.joined(separator: "|")
                lines.append("    \(pattern)) \(action(value.completion)); return ;;")
            }
        }
        lines += ["    esac", "    case \"${COMP_WORDS[1]}\" in"]
        for command in Subcommand.all {
            lines += [
                "    \(command.name))",
                "        case \"$current\" in",
                "        -*) \(words(optionWords(of: command))) ;;",
                "        *) \(action(command.operands.completion)) ;;",
                "        esac ;;",
            ]
        }
        lines += ["    esac", "}", "complete -F _stepline stepline"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func optionWords(of command: Subcommand) -> [String] {
        command.rows.flatMap { row in
            ["--" + row.name] + (row.isNegatable ? ["--no-" + row.name] : [])
        }
    }

    private static func action(_ completion: ValueRow.Completion) -> String {
        switch completion {
        case .nothing: ":"
        case .file: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))"
        case .folder: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\"))"
        case .choices(let choices): words(choices)
        case .tasks: "_stepline_names tasks || { \(action(.file)); }"
        case .parameters: "_stepline_names parameters = && compopt -o nospace 2>/dev/null"
        }
    }

    /// Returns code that completes the words with the typed prefix; words are separated by line breaks, as in `IFS`.
    private static func words(_ words: [String]) -> String {
        "COMPREPLY=($(compgen -W $'\(words.joined(separator: "\\n"))' -- \"$current\"))"
    }
}
