import SteplineJSON

extension FlowKeys {
    /// The keys of a step, for each verb; the first key is the verb.
    static let verbs = [
        load, pages, use, value, parse, select, first, columns, transform, each, filter, grow, mask, run,
        save, files, append, copy, move, delete, folder,
    ]

    static func step(_ own: [FlowKey], with shared: [FlowKey] = []) -> FlowKeys {
        FlowKeys(own + shared + everyStep)
    }

    /// The keys of every step.
    static let everyStep: [FlowKey] = [
        FlowKey(
            "name", .string, "The step's name in the display and in errors.",
            example: "find the city"),
        FlowKey("timeout", .duration, "The maximum duration of the step.", example: "30s"),
        FlowKey("retry", .retry, default: 0, example: 3),
    ]

    private static let use = step([
        FlowKey(
            "use", .string, "Returns the result of a task listed in after.",
            isRequired: true, example: "geo")
    ])

    private static let value = step([
        FlowKey(
            "value", .any, "Returns this value; its strings may contain ${…}.",
            isRequired: true, example: ["city": "${city}"])
    ])

    private static let parse = step([
        FlowKey(
            "parse", .choice(FlowFormat.self), "Parses bytes or text.",
            isRequired: true, example: "json")
    ])

    private static let select = step([
        FlowKey(
            "select", .query, "Returns a list of all matches of a path.",
            isRequired: true, example: "$.items[*]")
    ])

    private static let first = step([
        FlowKey(
            "first", .query,
            "Returns the first match of a path. Fails without match and default.",
            isRequired: true, example: "//title"),
        FlowKey("default", .any, "The value without a match.", example: "untitled"),
    ])

    private static let columns = step([
        FlowKey(
            "columns", .members(of: .either([.query, .object(.column)]), atLeast: 1),
            "Turns each row into an object with one member per path.",
            isRequired: true, example: ["day": "$.day", "high": ["path": "$.high", "type": "number"]]),
        FlowKey(
            "rows", .query, "The path to the rows (the elements of a list).",
            example: "$.daily[*]"),
    ])

    private static let transform = step([
        FlowKey(
            "transform", .expression, "Evaluates an expression, with the input as it.",
            isRequired: true, example: "round(it.high, 1)")
    ])

    private static let each = step([
        FlowKey(
            "each", .expression,
            """
            Evaluates the expression with each element of a list as it, and returns the \
            results.
            """,
            isRequired: true, example: "it.name")
    ])

    private static let filter = step([
        FlowKey(
            "filter", .expression,
            """
            Keeps the elements of a list for which the expression is true, with the element \
            as it.
            """,
            isRequired: true, example: "it.high > 30")
    ])

    private static let grow = step([
        FlowKey(
            "grow", .query,
            """
            Adds all matches of a path to the elements of the task's map, each key once, without null. \
            Returns its input.
            """,
            isRequired: true, example: "//a/@href"),
        FlowKey(
            "as", .expression, "The element for a match, which is it.", example: "url(it, item)"),
    ])

    private static let mask = step([
        FlowKey(
            "mask", .expression,
            """
            Hides the value of the expression, a text or a list of texts, in all later output as a secret. \
            Returns its input.
            """,
            isRequired: true, example: "it.access_token")
    ])

    private static let run = step([
        FlowKey(
            "run", .either([.list(of: .string, atLeast: 1), .object(.script)]),
            """
            Runs a program, given by name and arguments, without a shell, or a script. Its stdin is the \
            value; its stdout is the new value, as bytes. Needs --allow-run, for a script with the shell.
            """,
            isRequired: true, example: ["sort", "-r"], ["shell": "bash", "script": ["make", "make check"]]),
        FlowKey(
            "env", .members(of: .string),
            """
            Extra environment variables of the program. Each needs --allow-env, \
            except for scripts, and LANG, LANGUAGE, LC_… and TZ.
            """,
            example: ["TZ": "UTC"]),
        FlowKey("in", .text, "The folder in which the program runs (the workflow's folder).", example: "src"),
        FlowKey(
            "options", .boolean,
            """
            Allows an argument that begins with ${…} to become an option, such as -v. By default a leading \
            - in the value fails the step, except in numbers and after "--".
            """,
            default: false, example: true),
        FlowKey("limit", .size, "The maximum size of the output (64MiB).", default: "64MiB", example: "1MB"),
    ])

    private static let save = step([
        FlowKey(
            "save", .either([.text, .object(.place)]),
            """
            Saves the value to a file in the workflow's folder. Returns its input. An object gives a \
            folder and a file name; the file can't be outside that folder.
            """,
            isRequired: true, example: "out/${city}.csv", ["in": "pages", "name": "${item}"]),
        FlowKey(
            "format", .choice(FlowSave.Format.self),
            "The format (by the file's extension).", example: "jsonl"),
        FlowKey(
            "pretty", .boolean, "Indents JSON, with one line per member.",
            default: false, example: true),
    ])

    /// The keys of a script.
    static let script = FlowKeys([
        FlowKey(
            "shell", .choice(FlowShell.self), "The shell; it ends at the first command that fails.",
            isRequired: true, example: "bash"),
        FlowKey(
            "script", .either([.text, .list(of: .string, atLeast: 1)]),
            "The script, or its lines. Values come from env and stdin; $${ is a literal ${.",
            isRequired: true, example: ["make", "make check"]),
    ])

    /// The keys of a file's place.
    static let place = FlowKeys([
        FlowKey("in", .text, "The folder.", isRequired: true, example: "pages"),
        FlowKey(
            "name", .text, "The file's name in the folder.", isRequired: true, example: "${item}.html"),
    ])

    /// The keys of a column.
    static let column = FlowKeys([
        FlowKey("path", .query, "The path to the value in the row.", isRequired: true, example: "$.high"),
        FlowKey(
            "type", .choice(FlowColumns.Kind.self), "The type to convert the text to.",
            default: "string", example: "number"),
    ])
}
