import SteplineJSON
import SteplineRequests
import SteplineSupport

extension FlowKeys {
    /// The pattern of names that expressions can refer to.
    private static let name = #"^[\p{L}_][\p{L}\p{N}_]*$"#

    /// The keys of a workflow file.
    static let file = FlowKeys([
        FlowKey("$schema", .string, "The schema's URI, for editors.", example: "flow.schema.json"),
        FlowKey("name", .text, "The workflow's name (the file's name).", example: "weather"),
        FlowKey(
            "description", .string, "A description of the workflow.",
            example: "The forecast of a city."),
        FlowKey(
            "parameters",
            .members(of: .shared(.parameter), matching: Self.name, except: FlowExpression.Name.reserved),
            "Parameters by name, for --set: a default value or an object.",
            example: ["city": "Oslo", "server": ["required": true]]),
        FlowKey(
            "secrets", .members(of: .shared(.secret), matching: Self.name),
            """
            Secrets by name, with their sources. Values are read when a run \
            starts, redacted in output and never stored.
            """,
            example: ["token": ["env": "API_TOKEN"]]),
        FlowKey(
            "env", .members(of: .string),
            """
            Environment variables of all programs that steps run; values may insert parameters and secrets. \
            A step's env overrides them.
            """,
            example: ["TZ": "UTC"]),
        FlowKey(
            "namespaces", .members(of: .string), "XML namespaces by XPath prefix.",
            example: ["atom": "http://www.w3.org/2005/Atom"]),
        FlowKey(
            "pools", .members(of: .integer(FlowType.capacity)),
            "Capacities of shared pools, by pool name.", example: ["downloads": 4]),
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
            "How a failure affects other tasks (finishOthers).",
            default: "finishOthers", example: "cancelOthers"),
        FlowKey("deadline", .duration, "The maximum duration of the run.", example: "1h"),
        FlowKey(
            "tasks", .members(of: .shared(.task), atLeast: 1), "The tasks, by name.",
            isRequired: true, example: ["list": ["steps": [["load": "in/list.json"]]]]),
        FlowKey(
            "result", .any,
            """
            The value that run prints and that a task gets from its flow. Strings may insert results \
            and parameters by ${...}.
            """,
            example: "${tasks.table}"),
    ])

    static let network = FlowKeys(
        [
            FlowKey(
                "cookies", .either([.yes, .text]),
                "A cookie file in curl's format, or true for cookies that last one run.",
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
                "The maximum number of connections to each host; by default the number of tasks that run at once.",
                example: 2),
            FlowKey(
                "tls", .choice(TLSOptions.Version.self), "The minimum TLS version.", example: "1.3"
            ),
            FlowKey(
                "cacert", .text, "A PEM file of authorities to trust instead of the system's.",
                example: "ours.pem"),
            FlowKey(
                "cert", .text, "The client certificate, PEM or .p12.",
                example: "me.pem"),
            FlowKey(
                "certKey", .text,
                "The certificate's key; STEPLINE_KEY_PASSWORD in the environment unlocks it.",
                formerly: "key", example: "me.key"),
        ], needs: ["certKey": "cert"])

    static let parameter = FlowKeys([
        FlowKey(
            "type", .choice(FlowParameter.Kind.self),
            "The value's type (the default's type, or string).",
            default: "string", example: "integer"),
        FlowKey("default", .scalarOrList, "The value if none is set.", example: "Oslo"),
        FlowKey(
            "required", .boolean, "Requires a value (true without a default).",
            default: true, example: true),
        FlowKey("description", .string, "A description of the parameter.", example: "The city to ask for."),
        FlowKey(
            "values", .list(of: .scalar, atLeast: 1),
            "The allowed values of the parameter or of its list elements.",
            example: ["daily", "hourly"]),
        FlowKey(
            "pattern", .string,
            "A regular expression for the whole text, or for each list element.",
            example: "[a-z]{2}"),
        FlowKey("minimum", .number(nil), "The minimum number.", example: 1),
        FlowKey("maximum", .number(nil), "The maximum number.", example: 100),
    ])

    static let secret = FlowKeys(
        [
            FlowKey("env", .text, "The environment variable of the secret.", example: "API_TOKEN"),
            FlowKey(
                "file", .text, "The secret's file; a final newline is dropped.", example: "key.txt"),
            FlowKey(
                "command", .list(of: .string, atLeast: 1),
                "A program and arguments that print the secret. Needs --allow-run.",
                example: ["pass", "show", "api"]),
        ], oneOf: ["env", "file", "command"])
}
