import Foundation
import SteplinePipeline
import SteplineReports
import SteplineSteps
import SteplineWorkflow

/// What is written about a run when it is over: `--report` and `--trace`.
struct RunFiles: Sendable {
    private let wanted: [(file: URL, format: PictureFormat)]

    init(_ arguments: Arguments, _ session: Session) {
        let given = [(arguments[.report], PictureFormat.html), (arguments[.trace], .trace)]
        wanted = given.compactMap { path, format in path.map { (session.place($0), format) } }
    }

    /// How many attempts of each task are to be kept for it.
    var keptAttempts: Int { wanted.isEmpty ? 0 : 8 }

    /// Writes the files, however the run has ended.
    func write(_ workflow: Workflow) async throws {
        for (file, format) in wanted {
            let text = workflow.picture(as: format)
            _ = try await Pipeline.run(format.name) {
                BlockStep { Data(text.utf8) }
                FileSaveStep(file)
            }
        }
    }
}
