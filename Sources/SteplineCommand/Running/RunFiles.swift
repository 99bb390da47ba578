import Foundation
import SteplineReports
import SteplineWorkflow

/// The files written after a run: `--report` and `--trace`.
struct RunFiles: Sendable {
    private let requested: [OutputFile]
    /// The files of the run's store; empty without a store or on a server.
    private let store: [NamedFile]

    init(_ arguments: Arguments, _ session: Session) {
        let given = [
            (arguments[.report], PictureFormat.html, "--report"), (arguments[.trace], .trace, "--trace"),
        ]
        let mayOverwrite = arguments.isOn(.force)
        requested = given.compactMap { path, format, option in
            path.map { OutputFile(session.place($0), format, option: option, mayOverwrite: mayOverwrite) }
        }
        store = session.storeFiles(arguments[.store])
    }

    /// Throws if a file can't be written or would overwrite another one.
    func check(beside others: [NamedFile] = []) throws(UsageError) {
        try NamedFile.check(outputs: requested.map(\.named), inputs: store + others)
        for file in requested { try file.check() }
    }

    /// The number of attempts of each task to keep.
    var keptAttempts: Int { requested.isEmpty ? 0 : 8 }

    /// Writes all files, whatever the outcome of the run; a failure doesn't prevent the other files.
    ///
    /// - Parameters:
    ///   - workflow: The workflow.
    ///   - skips: The reasons for skipped tasks, by name.
    ///   - secrets: The secrets to remove.
    /// - Throws: The first failure.
    func write(
        _ workflow: Workflow, skips: [String: String] = [:], hiding secrets: SecretRedactor
    ) throws {
        var failure: (any Error)?
        for file in requested {
            var graph = workflow.graph { FlowWorkTask.workflow(inside: $0) }
            graph.note(skips.mapValues { "skipped: \($0)" })
            let text = file.format.draw(secrets.hidden(graph))
            do {
                try file.check()
                try file.write(text)
            } catch {
                failure = failure ?? (error is UsageError ? error : OutputFile.Failure(file.named, error))
            }
        }
        if let failure { throw failure }
    }
}
