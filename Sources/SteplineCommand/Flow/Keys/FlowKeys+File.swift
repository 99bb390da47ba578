import SteplineJSON
import SteplineRequests
import SteplineSupport

extension FlowKeys {
    /// The pattern of names that expressions can refer to.
    private static let name = #"^[\p{L}_][\p{L}\p{N}_]*$"#

    /// The keys of a workflow file.
    static let file = FlowKeys([
        FlowKey("$schema", .string, "Where this schema is, for editors.", example: "flow.schema.json"),
        FlowKey("name", .text, "The workflow's name (that of the file).", example: "weather"),
        FlowKey(
            "description", .string, "A description of the workflow.",
            example: "The forecast of a city."),
        FlowKey(
            "parameters",
            .members(of: .shared(.parameter), matching: Self.name, except: FlowExpression.Name.reserved),
            "The parameters that --set sets, by name: a default value, or an object.",
            example: ["city": "Oslo", "server": ["required": true]]),
        FlowKey(
            "secrets", .members(of: .shared(.secret), matching: Self.name),
            """
            Secrets by name, with the source of each. Their values are read when the workflow \
            runs, redacted in output, and never stored.
            """,
            example: ["token": ["env": "API_TOKEN"]]),
        FlowKey(
            "namespaces", .members(of: .string), "Namespaces of the prefixes in XPaths.",
            example: ["atom": "http://www.w3.org/2005/Atom"]),
        FlowKey(
            "pools", .members(of: .integer(FlowType.capacity)),
            "The capacity of each pool that tasks share.", example: ["downloads": 4]),
        FlowKey(
            "network", .object(.network), "Network settings of all loads.",
            example: ["cache": "cache", "rate": 2]),
        FlowKey(
            "defaults", .object(.policies), "Defaults for tasks.",
            example: ["timeout": "20s", "retry": 3]),
        FlowKey(
            "concurrency", .integer(FlowType.capacity),
            "The maximum number of tasks and elements that run at once (8); --jobs overrides it.", default: 8,
            example: 4),
        FlowKey(
            "onFailure", .choice(["finishOthers", "cancelOthers"]),
            "The fate of other tasks when one fails (finishOthers).",
            default: "finishOthers", example: "cancelOthers"),
        FlowKey("deadline", .duration, "The maximum duration of the run.", example: "1h"),
        FlowKey(
            "tasks", .members(of: .shared(.task), atLeast: 1), "The tasks, by name.",
            isRequired: true, example: ["list": ["steps": [["load": "in/list.json"]]]]),
        FlowKey(
            "result", .any,
            """
            What run prints, and what the file makes for one that runs it: any value, whose texts may \
            hold ${...} of its tasks and parameters.
            """,
            example: "${tasks.table}"),
    ])

    static let network = FlowKeys(
        [
            FlowKey(
                "cookies", .either([.yes, .text]),
                "The file that keeps cookies, in curl's format, or true for cookies of this run alone.",
                example: "cookies.txt"),
            FlowKey(
                "cache", .text,
                "The folder of the HTTP cache.",
                example: "cache"),
            FlowKey(
                "rate", .number(0.001...1_000_000), "The maximum number of requests per second to each host.",
                example: 2),
            FlowKey(
                "connections", .integer(1...1000),
                "The maximum number of connections to each host (the number of tasks that run).",
                default: 6, example: 2),
            FlowKey(
                "tls", .choice(TLSOptions.Version.self), "The minimum version of TLS.", example: "1.3"
            ),
            FlowKey(
                "cacert", .text, "The certificate authorities that replace the system's: a file in PEM.",
                example: "ours.pem"),
            FlowKey(
                "cert", .text, "The client certificate: PEM, or .p12.",
                example: "me.pem"),
            FlowKey(
                "key", .text, "The certificate's key; STEPLINE_KEY_PASSWORD in the environment unlocks it.",
                example: "me.key"),
        ], needs: ["key": "cert"])

    static let parameter = FlowKeys([
        FlowKey(
            "type", .choice(FlowParameter.Kind.self),
            "The type of the value (that of the default, or string).",
            default: "string", example: "integer"),
        FlowKey("default", .scalarOrList, "The value if none is given.", example: "Oslo"),
        FlowKey(
            "required", .boolean, "Whether a value must be given (true without a default).",
            default: true, example: true),
        FlowKey("description", .string, "A description of the parameter.", example: "The city to ask for."),
        FlowKey(
            "values", .list(of: .scalar, atLeast: 1),
            "The only values that it may have; of a list, that its elements may have.",
            example: ["daily", "hourly"]),
        FlowKey(
            "pattern", .string,
            "A regular expression that a text, or each element of a list, must be as a whole.",
            example: "[a-z]{2}"),
        FlowKey("minimum", .number(nil), "The minimum of a number.", example: 1),
        FlowKey("maximum", .number(nil), "The maximum of a number.", example: 100),
    ])

    static let secret = FlowKeys(
        [
            FlowKey("env", .text, "The variable of the environment that has it.", example: "API_TOKEN"),
            FlowKey(
                "file", .text, "The file that has it, without the line's end.", example: "key.txt"),
            FlowKey(
                "command", .list(of: .string, atLeast: 1),
                "The program, and its arguments, that writes it. Needs --allow-run.",
                example: ["pass", "show", "api"]),
        ], oneOf: ["env", "file", "command"])
}
