import SteplineRuns
import SteplineSupport

/// The files that the steps of a task have written: a step that is retried replaces its file.
final class SavedFiles: Sendable {
    private let files = Locked<[ProducedFile]>([])

    var all: [ProducedFile] { files.withLock { $0 } }

    func add(_ file: ProducedFile) {
        files.withLock { $0 = $0.filter { $0.path != file.path } + [file] }
    }
}

extension FlowPlan {
    /// Runs the body of a task, and removes secrets from a kept result and from an error.
    func hidingSecrets(_ body: () async throws -> FlowResult) async throws -> FlowResult {
        do {
            let result = try await body()
            return isKept ? try setting.secrets.kept(result) : result
        } catch {
            throw setting.secrets.hidden(error)
        }
    }
}
