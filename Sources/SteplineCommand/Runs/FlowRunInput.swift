import Foundation
import SteplineRuns

/// What a run of a workflow file was begun with, as it is kept with it.
struct FlowRunInput: Codable {
    /// The file's path.
    let flow: String
    /// The parameters that were given, `NAME=VALUE` each.
    let set: [String]
    let allowRun: [String]
    let allowPath: [String]
    /// Nil in what was kept before there were secrets.
    let allowEnv: [String]?
    let isOffline: Bool
    /// Nil in what was kept before there were workers of workflow files.
    let manner: FlowManner?

    init(_ arguments: Arguments, _ session: Session) {
        func path(_ text: String) -> String { session.place(text).path(percentEncoded: false) }
        flow = path(arguments.operands.first ?? "")
        set = arguments.all(.set)
        allowRun = arguments.all(.allowRun)
        allowPath = arguments.all(.allowPath).map(path)
        allowEnv = arguments.all(.allowEnv)
        isOffline = arguments.isOn(.offline)
        manner = FlowManner(arguments)
    }

    /// What was kept with a run; nil if it wasn't one of a workflow file.
    init?(kept: Data?) {
        guard let kept, let input = try? JSONDecoder().decode(Self.self, from: kept) else { return nil }
        self = input
    }

    /// What is given to read the file again.
    var arguments: Arguments {
        var arguments = Arguments()
        arguments.operands = [flow]
        for folder in allowPath { arguments.add(folder, for: Option.allowPath.row) }
        if isOffline { arguments.add(true, for: Option.offline.row) }
        return arguments
    }

    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The command that goes on with a run of that key; its parameters are known to the store.
    func command(store: String, key: String, isRetry: Bool = false) -> String {
        var words = ["stepline", "run", flow, "--store", store, "--key", key] + permissions
        if isRetry { words.append("--retrying-failures") }
        return words.map(RunsText.quoted).joined(separator: " ")
    }

    /// What it may do, in words of the command.
    var permissions: [String] {
        var words: [String] = []
        for program in allowRun { words += ["--allow-run", program] }
        for folder in allowPath { words += ["--allow-path", folder] }
        for name in allowEnv ?? [] { words += ["--allow-env", name] }
        if isOffline { words.append("--offline") }
        return words
    }
}
