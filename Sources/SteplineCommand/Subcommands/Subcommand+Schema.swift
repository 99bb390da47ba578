import Foundation

extension Subcommand {
    /// `stepline schema`.
    static let schema = Subcommand(
        name: "schema", summary: "write the JSON Schema of workflow files, for editors", operands: .none,
        groups: [],
        examples: [
            Example(
                command: "stepline schema > flow.schema.json",
                purpose: "then begin a file with { $schema: \"flow.schema.json\", …")
        ]
    ) { _, session in
        try session.output.write(Data(PackageResources.flow_schema_json))
        return .success
    }
}
