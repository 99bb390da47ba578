import SteplineJSON
import SteplineSupport

extension FlowKeys {
    /// The keys of a task.
    static let task = FlowKeys(
        [
            FlowKey(
                "description", .string, "A description of the task.", example: "Finds where the city is."
            ),
            FlowKey(
                "runs", .choice(FlowRuns.self),
                """
                When the task is run: once those it comes after have succeeded; always, once they and all \
                before them have ended or will never run; or then only if something of that has failed or \
                was cancelled, or only if nothing has. Without after, the last three come after all tasks, \
                and know how it went as run. Nothing can wait for them.
                """,
                default: "onSuccess", example: "always"),
            FlowKey(
                "when", .expression,
                """
                What must be true for the task to be run, of parameters and results: it is skipped \
                otherwise, and so are those that take its result, unless allowFailure names it.
                """,
                example: "tasks.head.status == 200 && publish"),
            FlowKey(
                "after", .names, "The tasks to wait for; the result of a single one is the first value.",
                example: ["geo", "units"]),
            FlowKey(
                "allowFailure", .names,
                "Those of after that may fail or be skipped: their result is null then.", example: "units"),
            FlowKey(
                "map",
                .either([
                    .string, .list(of: .any), .members(of: .either([.string, .list(of: .any)]), atLeast: 1),
                ]),
                """
                The list whose elements the steps run for, each as item: "${names}", or a list; or lists \
                by name, whose combinations they run for, each as an object.
                """,
                example: "${tasks.cities}", ["os": ["linux", "mac"], "version": [5, 6]]),
            FlowKey(
                "key", .expression,
                """
                The name of an element in logs and reports, as "item.id"; otherwise itself if it \
                is a text or a number, else its number.
                """,
                example: "item.id"),
            FlowKey(
                "except", .expression, "Of a map: elements for which the expression is true are left out.",
                example: "item.os == 'mac' && item.version < 6"),
            FlowKey(
                "limit", .integer(FlowType.capacity), "The maximum number of elements that run at once.",
                example: 4),
            FlowKey(
                "skipFailures", .boolean,
                "Whether elements that fail are left out of the result, with a warning.",
                default: false, example: true),
            FlowKey(
                "reads", .paths, "The files that it reads beside those that it loads.",
                example: "in/names.csv"),
            FlowKey(
                "writes", .paths,
                "The files that it makes: where they are newer than all it is made of, it isn't run.",
                example: ["out/table.csv"]),
            FlowKey(
                "steps", .list(of: .shared(.step), atLeast: 1),
                "The steps, each of which takes the value of the one before.",
                example: [["load": "in/list.json"], ["parse": "json"]]),
            FlowKey(
                "flow", .text,
                "Another workflow file that the task runs in place of steps; its result is the task's.",
                example: "forecast.json5"),
            FlowKey(
                "with", .members(of: .any), "The parameters that the file is given, by their names.",
                example: ["city": "${item}"]),
        ] + policies.all,
        oneOf: ["steps", "flow"],
        needs: ["key": "map", "except": "map", "limit": "map", "skipFailures": "map", "with": "flow"])

    /// The keys of a task that `defaults` sets for all tasks.
    static let policies = FlowKeys([
        FlowKey("retry", .retry, default: 1, example: 3),
        FlowKey("timeout", .duration, "The maximum duration of one attempt.", example: "30s"),
        FlowKey(
            "deadline", .duration, "The maximum duration of all attempts and waits.",
            example: "10m"),
        FlowKey(
            "priority", .choice(Priority.allCases.map { "\($0)" }),
            "The order among ready tasks.", default: "normal", example: "high"),
        FlowKey("pool", .string, "The pool that the task takes one slot of.", example: "downloads"),
        FlowKey(
            "pools", .members(of: .integer(FlowType.capacity)),
            "The pools that the task takes slots of, with the number of slots.", example: ["downloads": 2]),
    ])

    static let retry = FlowKeys([
        FlowKey(
            "attempts", .integer(FlowType.attempts), "The number of attempts, with the first (3).",
            default: 3, example: 5),
        FlowKey("base", .duration, "The first wait (500ms).", default: "500ms", example: "1s"),
        FlowKey(
            "factor", .number(1...100), "The factor between one wait and the next (2).",
            default: 2, example: 1.5),
        FlowKey("cap", .duration, "The longest wait (60s).", default: "60s", example: "5m"),
        FlowKey(
            "jitter", .choice(["none", "equal", "full"]), "The jitter of the waits (full).",
            default: "full", example: "none"),
        FlowKey(
            "when", .choice(["transient", "always"]),
            """
            The failures that are retried: transient ones, or all (transient).
            """,
            default: "transient", example: "always"),
    ])
}
