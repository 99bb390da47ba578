import SteplineJSON

extension Subcommand {
    /// `stepline schema`.
    static let schema = Subcommand(
        name: "schema", summary: "write the JSON Schema of workflow files, for editors", operands: .none,
        groups: [Group(title: "Format", rows: [Option.flowManual.row])],
        examples: [
            Example(
                command: "stepline schema > flow.schema.json",
                purpose: "begin files with { $schema: \"flow.schema.json\", …"),
            Example(
                command: "stepline schema --man | man -l -",
                purpose: "read stepline-flow(5), the manual page of workflow files"),
        ]
    ) { arguments, session in
        if arguments.isOn(.flowManual) {
            try session.output.write(FlowManual.text())
        } else {
            try session.output.write(FlowSchema.json().prettyPrinted + "\n")
        }
        return .success
    }
}

extension Option<Bool> {
    static let flowManual = Option(flag: "man", "write the manual page of workflow files for man(1)")
}
