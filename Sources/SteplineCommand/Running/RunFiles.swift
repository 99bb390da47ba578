import Foundation
import SteplinePipeline
import SteplineReports
import SteplineSteps
import SteplineWorkflow

/// What is written about a run when it is over: `--report` and `--trace`.
struct RunFiles: Sendable {
    private let wanted: [OutputFile]
    /// The files of the store that the run is kept in; none if it isn't, or on a server.
    private let store: [NamedFile]

    init(_ arguments: Arguments, _ session: Session) {
        let given = [
            (arguments[.report], PictureFormat.html, "--report"), (arguments[.trace], .trace, "--trace"),
        ]
        let mayOverwrite = arguments.isOn(.force)
        wanted = given.compactMap { path, format, option in
            path.map { OutputFile(session.place($0), format, option: option, mayOverwrite: mayOverwrite) }
        }
        store = session.storeFiles(arguments[.store])
    }

    /// Throws if one of them can't be written, or would take the place of something else: of another output, too.
    func check(beside others: [NamedFile] = []) throws(UsageError) {
        try NamedFile.check(outputs: wanted.map(\.named), inputs: store + others)
        for file in wanted { try file.check() }
    }

    /// How many attempts of each task are to be kept for it.
    var keptAttempts: Int { wanted.isEmpty ? 0 : 8 }

    /// Writes the files, however the run has ended; one that can't be doesn't keep back the others.
    ///
    /// - Parameter skips: Why tasks were skipped, by their names.
    func write(
        _ workflow: Workflow, skips: [String: String] = [:], hiding secrets: SecretRedactor
    ) async throws {
        var failure: (any Error)?
        for file in wanted {
            var graph = workflow.graph { FlowWorkTask.workflow(inside: $0) }
            graph.note(skips.mapValues { "skipped: \($0)" })
            let text = file.format.draw(secrets.hidden(graph))
            do {
                try file.check()
                _ = try await Pipeline.run(file.format.name) {
                    BlockStep { Data(text.utf8) }
                    FileSaveStep(file.url)
                }
            } catch {
                failure = failure ?? (error is UsageError ? error : OutputFile.Failure(file.named, error))
            }
        }
        if let failure { throw failure }
    }
}
