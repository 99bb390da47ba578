import SteplineJSON

extension Subcommand {
    /// `stepline list FLOW`.
    static let list = Subcommand(
        name: "list", summary: "list the tasks and parameters of a workflow file", operands: .flow,
        discussion: [
            """
            Prints a line for each task with its description, and for each parameter with its default, or required. \
            Nothing runs.
            """
        ],
        groups: [
            Group(title: "Workflow file", rows: [Option.allowPath.row]),
            Group(title: "Listing", rows: [Option.asJSON.row, Option.names.row]),
        ],
        examples: [
            Example(command: "stepline list weather.json5", purpose: "tasks and parameters"),
            Example(
                command: "stepline list weather.json5 --json | jq -r '.tasks[].name'", purpose: "for programs"
            ),
        ]
    ) { arguments, session in
        let input = try FlowInput(arguments, session, set: [])
        guard let plan = input.plan else {
            try input.complain(in: session)
            return .mistakes
        }
        let listing = FlowListing(of: plan)
        if let kind = arguments[.names] {
            try session.output.write(listing.names(kind))
        } else if arguments.isOn(.asJSON) {
            try session.output.write(listing.json().description + "\n")
        } else {
            try session.output.write(listing.text)
        }
        return .success
    }
}

extension Option<FlowNameKind> {
    static let names = Option(
        choice: "names", value: "KIND", "write only the names of tasks or of parameters, one a line")
}
