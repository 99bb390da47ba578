import Foundation

/// A factory of workers for one workflow that report to the process's output.
package struct WorkerMaker: Sendable {
    private let workflow: String
    private let workflows: WorkedWorkflows
    private let tell: @Sendable (String) -> Void
    private let write: @Sendable (String) -> Void

    /// Creates a factory; `tell` receives lines of text without newline, `write` lines of JSON.
    package init(
        of workflow: String, _ workflows: WorkedWorkflows, tell: @escaping @Sendable (String) -> Void,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.workflow = workflow
        self.workflows = workflows
        self.tell = tell
        self.write = write
    }

    package func worker(
        in store: any SharedRunStore, _ settings: WorkerSettings, isJSON: Bool
    ) -> StepWorker {
        StepWorker(of: workflow, in: store, settings, workflows: workflows) { [tell, write] news in
            let line = WorkerLine(news, at: Date())
            if isJSON {
                if let text = try? RunsText.json(line) { write(text + "\n") }
            } else if let text = line.text {
                tell(text)
            }
        }
    }
}
