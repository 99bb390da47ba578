import SteplineRuns
import SteplineSupport

/// The files written by a task's steps; a retried step replaces its file.
final class SavedFiles: Sendable {
    private let files = Locked<[ProducedFile]>([])

    var all: [ProducedFile] { files.withLock { $0 } }

    func add(_ file: ProducedFile) {
        files.withLock { $0 = $0.filter { $0.path != file.path } + [file] }
    }
}

extension FlowPlan {
    /// Runs a task's body, and removes secrets from its stored result and its error.
    func hidingSecrets(_ body: () async throws -> FlowResult) async throws -> FlowResult {
        do {
            let result = try await body()
            return isKept ? try setting.secrets.kept(result) : result
        } catch {
            throw setting.secrets.hidden(error)
        }
    }
}
