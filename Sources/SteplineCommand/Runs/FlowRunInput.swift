import Foundation
import SteplineRuns

/// The input of a workflow file's run, as stored with it.
struct FlowRunInput: Codable {
    /// The path of the file.
    let flow: String
    /// The given parameters as `NAME=VALUE`.
    let set: [String]
    let allowRun: [String]
    let allowPath: [String]
    /// Nil in inputs stored before secrets existed.
    let allowEnv: [String]?
    let isOffline: Bool
    /// Nil in inputs stored before workers existed.
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

    /// Decodes a stored input; nil if it doesn't belong to a workflow file.
    init?(kept: Data?) {
        guard let kept, let input = try? JSONDecoder().decode(Self.self, from: kept) else { return nil }
        self = input
    }

    /// The arguments for reading the file again.
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

    /// Returns the command that resumes the run; the store has its parameters.
    func command(store: String, key: String, isRetry: Bool = false) -> String {
        var words = ["stepline", "run", flow, "--store", store, "--key", key] + permissions
        if isRetry { words.append("--retrying-failures") }
        return words.map(RunsText.quoted).joined(separator: " ")
    }

    /// The permissions as command-line options.
    var permissions: [String] {
        var words: [String] = []
        for program in allowRun { words += ["--allow-run", program] }
        for folder in allowPath { words += ["--allow-path", folder] }
        for name in allowEnv ?? [] { words += ["--allow-env", name] }
        if isOffline { words.append("--offline") }
        return words
    }
}
