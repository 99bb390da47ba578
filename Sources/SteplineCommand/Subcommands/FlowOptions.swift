/// The output formats of graphs.
enum GraphFormat: String, Sendable, CaseIterable {
    case dot, mermaid, svg, html
}

extension Option<String> {
    static let set = Option(
        text: "set", short: "s", value: "NAME=VALUE", completion: .parameters, isRepeatable: true,
        "set a parameter of the file")
    static let allowPath = Option(
        text: "allow-path", value: "FOLDER", completion: .folder, isRepeatable: true,
        "let the file also read and write in this folder")
    static let allowRun = Option(
        text: "allow-run", value: "PROGRAM", isRepeatable: true,
        "let the file run this program, with all your permissions")
    static let allowEnv = Option(
        text: "allow-env", value: "NAME", isRepeatable: true,
        "let the file and its programs read this environment variable")
    static let graphOut = Option(
        text: "out", short: "o", value: "FILE", completion: .file, "write to this file")
}

extension Option<Bool> {
    static let offline = Option(flag: "offline", "forbid network access")
}

extension Option<GraphFormat> {
    static let graphFormat = Option(choice: "format", short: "f", value: "FORMAT", "output format (dot)")
}

extension Subcommand.Group {
    /// The options of all subcommands that read a workflow file.
    static let flow = Subcommand.Group(
        title: "Workflow file", rows: [Option.set.row, Option.allowPath.row, Option.offline.row])
}

extension Subcommand.Operands {
    static let flow = Subcommand.Operands(placeholder: "FLOW", count: 1...1, completion: .file)
}
