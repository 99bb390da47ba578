/// The output formats of graphs.
enum GraphFormat: String, Sendable, CaseIterable {
    case dot, mermaid, svg, html
}

extension Option<String> {
    static let set = Option(
        text: "set", short: "s", value: "NAME=VALUE", completion: .parameters, isRepeatable: true,
        "give a parameter of the file a value")
    static let allowPath = Option(
        text: "allow-path", value: "FOLDER", completion: .folder, isRepeatable: true,
        "let the file read and write in this folder, too")
    static let allowRun = Option(
        text: "allow-run", value: "PROGRAM", isRepeatable: true,
        "let the file run this program, which can do whatever you can")
    static let allowEnv = Option(
        text: "allow-env", value: "NAME", isRepeatable: true,
        "let the file have this variable of the environment, and its programs")
    static let graphOut = Option(
        text: "out", short: "o", value: "FILE", completion: .file, "write it to a file")
}

extension Option<Bool> {
    static let offline = Option(flag: "offline", "let nothing reach the network")
}

extension Option<GraphFormat> {
    static let graphFormat = Option(choice: "format", short: "f", value: "FORMAT", "how to draw it (dot)")
}

extension Subcommand.Group {
    /// The options of all subcommands that read a workflow file.
    static let flow = Subcommand.Group(
        title: "Workflow file", rows: [Option.set.row, Option.allowPath.row, Option.offline.row])
}

extension Subcommand.Operands {
    static let flow = Subcommand.Operands(placeholder: "FLOW", count: 1...1, completion: .file)
}
