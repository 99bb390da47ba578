import SteplineJSON

extension FlowKeys {
    /// The keys of a step, for each verb; the first key is the verb.
    static let verbs = [
        load, pages, use, value, parse, select, first, columns, transform, each, filter, run, save, files,
        append, copy, move, delete, folder,
    ]

    static func step(_ own: [FlowKey], with shared: [FlowKey] = []) -> FlowKeys {
        FlowKeys(own + shared + everyStep)
    }

    /// The keys of every step.
    static let everyStep: [FlowKey] = [
        FlowKey(
            "name", .string, "The name of the step in the display and in errors.",
            example: "find the city"),
        FlowKey("timeout", .duration, "The maximum duration of the step.", example: "30s"),
        FlowKey("retry", .retry, default: 1, example: 3),
    ]

    private static let use = step([
        FlowKey(
            "use", .string, "Takes the result of a task that this one waits for.",
            isRequired: true, example: "geo")
    ])

    private static let value = step([
        FlowKey(
            "value", .any, "Takes the value that is written here; its strings may hold ${…}.",
            isRequired: true, example: ["city": "${city}"])
    ])

    private static let parse = step([
        FlowKey(
            "parse", .choice(FlowFormat.self), "Parses bytes or text.",
            isRequired: true, example: "json")
    ])

    private static let select = step([
        FlowKey(
            "select", .query, "Takes everything that a path leads to, as a list.",
            isRequired: true, example: "$.items[*]")
    ])

    private static let first = step([
        FlowKey(
            "first", .query,
            "Takes the first that a path leads to; fails if there is none and no default.",
            isRequired: true, example: "//title"),
        FlowKey("default", .any, "The value if nothing is found.", example: "untitled"),
    ])

    private static let columns = step([
        FlowKey(
            "columns", .members(of: .either([.query, .object(.column)]), atLeast: 1),
            "Makes an object of each row, with a member for each of these paths.",
            isRequired: true, example: ["day": "$.day", "high": ["path": "$.high", "type": "number"]]),
        FlowKey(
            "rows", .query, "The path to the rows; without it, the elements of a list.",
            example: "$.daily[*]"),
    ])

    private static let transform = step([
        FlowKey(
            "transform", .expression, "Takes what the expression gives; it stands for the value.",
            isRequired: true, example: "round(it.high, 1)")
    ])

    private static let each = step([
        FlowKey(
            "each", .expression,
            """
            Takes a list, and makes a list of what the expression gives for each element, which is \
            it.
            """,
            isRequired: true, example: "it.name")
    ])

    private static let filter = step([
        FlowKey(
            "filter", .expression,
            """
            Takes a list, and keeps the elements for which the expression is true; it stands for \
            the element.
            """,
            isRequired: true, example: "it.high > 30")
    ])

    private static let run = step([
        FlowKey(
            "run", .list(of: .string, atLeast: 1),
            """
            Runs a program, never through a shell: its name and its arguments. It reads the value; \
            what it writes is the new value, as bytes. Needs --allow-run.
            """,
            isRequired: true, example: ["sort", "-r"]),
        FlowKey(
            "env", .members(of: .string),
            """
            Variables of the program's environment, beside the few that it inherits. Each needs \
            --allow-env, but for LANG, LC_… and TZ.
            """,
            example: ["TZ": "UTC"]),
        FlowKey(
            "options", .boolean,
            """
            Whether an argument that begins with ${…} may become an option, such as -v. Otherwise a value \
            there that begins with - fails the step, except for numbers and after "--".
            """,
            default: false, example: true),
        FlowKey("limit", .size, "The maximum size of the output (64MB).", default: "64MB", example: "1MB"),
    ])

    private static let save = step([
        FlowKey(
            "save", .either([.text, .object(.place)]),
            """
            Saves the value to a file of the workflow's folder, and passes it on. An object names the \
            folder and the file in it, which can't leave that folder whatever its name is made of.
            """,
            isRequired: true, example: "out/${city}.csv", ["in": "pages", "name": "${item}"]),
        FlowKey(
            "format", .choice(FlowSave.Format.self),
            "The format; without it the extension of the file decides.", example: "jsonl"),
        FlowKey(
            "pretty", .boolean, "Whether JSON is indented, with a line for each member.",
            default: false, example: true),
    ])

    /// The keys of a file's place.
    static let place = FlowKeys([
        FlowKey("in", .text, "The folder.", isRequired: true, example: "pages"),
        FlowKey(
            "name", .text, "The name of the file in the folder.", isRequired: true, example: "${item}.html"),
    ])

    /// The keys of a column.
    static let column = FlowKeys([
        FlowKey("path", .query, "The path to the value in its row.", isRequired: true, example: "$.high"),
        FlowKey(
            "type", .choice(FlowColumns.Kind.self), "The type that the text is converted to.",
            default: "string", example: "number"),
    ])
}
