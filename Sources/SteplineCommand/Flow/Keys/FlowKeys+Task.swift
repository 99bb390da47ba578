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
                onSuccess: runs when all tasks in after have succeeded. always: runs when they and all \
                tasks before them have ended or can't run. onFailure: likewise, if any failed or was \
                cancelled. afterSuccess: likewise, if none did. Without after, the last three follow all \
                tasks. They read the outcome as run. No task can wait for them.
                """,
                default: "onSuccess", example: "always"),
            FlowKey(
                "when", .expression,
                """
                A condition on parameters and results. If it is false, the task is skipped, and also \
                tasks that use its result unless their allowFailure lists it.
                """,
                example: "tasks.head.status == 200 && publish"),
            FlowKey(
                "after", .names, "Tasks to wait for. The result of the first of them is the first value.",
                example: ["geo", "units"]),
            FlowKey(
                "allowFailure", .names,
                "Tasks in after that may fail or be skipped, with the result null.", example: "units"),
            FlowKey(
                "map",
                .either([
                    .string, .list(of: .any), .members(of: .either([.string, .list(of: .any)]), atLeast: 1),
                ]),
                """
                Runs the steps with each element of a list as item: "${names}", or a list. For lists by \
                name, item is each combination, an object.
                """,
                example: "${tasks.cities}", ["os": ["linux", "mac"], "version": [5, 6]]),
            FlowKey(
                "key", .expression,
                """
                The element's name in logs and reports, such as "item.id" (the element if it \
                is a text or a number, else its index, or its JSON with a step grow, where equal keys \
                are one element).
                """,
                example: "item.id"),
            FlowKey(
                "except", .expression, "Omits elements of map for which the expression is true.",
                example: "item.os == 'mac' && item.version < 6"),
            FlowKey(
                "concurrency", .integer(FlowType.capacity),
                "The maximum number of elements that run at once.",
                formerly: "limit", example: 4),
            FlowKey(
                "most", .integer(FlowType.capacity),
                "The maximum number of elements with a step grow (1000); further ones are ignored.",
                default: JSON(FlowMap.standardMost), example: 500),
            FlowKey(
                "depth", .integer(0...1_000_000),
                "The maximum distance of an element that grow has found from one of map.",
                example: 3),
            FlowKey(
                "skipFailures", .boolean,
                "Omits failed elements from the result, with a warning.",
                default: false, example: true),
            FlowKey(
                "reads", .paths, "Input files besides those that steps load.",
                example: "in/names.csv"),
            FlowKey(
                "writes", .paths,
                "Output files. The task is up to date if all are newer than its inputs.",
                example: ["out/table.csv"]),
            FlowKey(
                "steps", .list(of: .shared(.step), atLeast: 1),
                "The steps. Each step takes the previous step's value.",
                example: [["load": "in/list.json"], ["parse": "json"]]),
            FlowKey(
                "flow", .text,
                "A workflow file to run instead of steps; its result is the task's.",
                example: "forecast.json5"),
            FlowKey(
                "with", .members(of: .any), "Values for the file's parameters, by name.",
                example: ["city": "${item}"]),
        ] + policies.all,
        oneOf: ["steps", "flow"],
        needs: [
            "key": "map", "except": "map", "concurrency": "map", "most": "map", "depth": "map",
            "skipFailures": "map", "with": "flow",
        ])

    /// The keys of a task that `defaults` sets for all tasks.
    static let policies = FlowKeys([
        FlowKey("retry", .retry, default: 0, example: 3),
        FlowKey("timeout", .duration, "The maximum duration of one attempt.", example: "30s"),
        FlowKey(
            "deadline", .duration, "The maximum duration of all attempts and waits.",
            example: "10m"),
        FlowKey(
            "priority", .choice(Priority.allCases.map { "\($0)" }),
            "The order among ready tasks.", default: "normal", example: "high"),
        FlowKey("pool", .string, "The pool; the task takes one slot.", example: "downloads"),
        FlowKey(
            "pools", .members(of: .integer(FlowType.capacity)),
            "The slots that the task takes, by pool name.", example: ["downloads": 2]),
    ])

    static let retry = FlowKeys([
        FlowKey(
            "retries", .integer(FlowType.retries),
            "The maximum number of retries after the first attempt (2).",
            default: 2, formerly: "attempts", now: "retries: one less than the attempts", example: 5),
        FlowKey("base", .duration, "The first wait (500ms).", default: "500ms", example: "1s"),
        FlowKey(
            "factor", .number(1...100), "The factor by which each wait grows (2).",
            default: 2, example: 1.5),
        FlowKey("cap", .duration, "The longest wait (60s).", default: "60s", example: "5m"),
        FlowKey(
            "jitter", .choice(["none", "equal", "full"]), "The jitter of the waits (full).",
            default: "full", example: "none"),
        FlowKey(
            "failures", .choice(["transient", "all"]), "Which failures to retry (transient).",
            default: "transient", formerly: "when", now: "failures: \"transient\" or \"all\"", example: "all"),
    ])
}
