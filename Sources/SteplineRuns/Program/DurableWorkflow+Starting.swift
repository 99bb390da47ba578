import Foundation
import SteplineSupport
import SteplineWorkflow

extension RunStore {
    /// Creates a run of a program, from any process, and leaves it to a process that serves the program.
    ///
    ///     try store.start(Mirror.self, key: "2026-11-22", input: .init(site: site))
    ///
    /// ``DurableWorkflow/serve(in:limit:ended:)``, the program's verb `run`, or a worker on a server's store runs it.
    /// Builds the program's workflow with the input, to refuse a run that couldn't begin.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - key: The key of the run, 1 to 1,024 bytes.
    ///   - input: The input, which is stored with the run.
    /// - Returns: False if the run exists with an equal input, whatever its state; nothing has changed then.
    /// - Throws: A ``DurableRunError`` with the code `otherInput` if the run exists with another input, the errors with
    ///   which a run would be refused, or a ``RunStoreError``.
    @discardableResult
    public func start<Program: DurableWorkflow>(
        _ program: Program.Type, key: String, input: Program.Input
    ) throws -> Bool {
        let id = RunID(Program.name, key: key)
        _ = try RunGraph(checking: Program.workflow(input), for: id)
        let given = try ProgramInput(input, for: id)
        // Without an opening: a repeated call mustn't count as one.
        if let run = try run(id) {
            try given.check(equals: run.input, of: id)
            return false
        }
        let now = Program.options.clock.now
        let open: any OpenRun
        do {
            open = try self.open(id, input: given.data, as: RunOwner(since: now), at: now)
        } catch let error as RunStoreError where error.code == .inProgress {
            // Another process has created the run since the check, and runs it already.
            try given.check(equals: try run(id)?.input, of: id)
            return false
        }
        // Without an ending: the run is ready to be resumed.
        defer { open.close() }
        guard open.record.openings == 1 else {
            try given.check(equals: open.record.input, of: id)
            return false
        }
        try (open as? any SharedRun)?.leave(toWorkers: true)
        return true
    }
}

extension DurableWorkflow {
    /// Runs the program here, or resumes its run.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the run.
    ///   - key: The key of the run, 1 to 1,024 bytes.
    ///   - input: The input, which is stored with a new run.
    ///   - retryingFailures: Whether failed steps, and cancelled steps and runs, of an earlier process are run again.
    ///   - ifInProgress: The reaction to a living owner of the run.
    /// - Returns: A report of the workflow and its stored steps.
    /// - Throws: A ``DurableRunError`` with the code `otherInput` if the run exists with another input, or the errors of
    ///   `Workflow.run(in:key:)`.
    @discardableResult
    public static func run(
        in store: some RunStore, key: String, input: Input, retryingFailures: Bool = false,
        ifInProgress: RunInProgress = .fail
    ) async throws -> DurableReport {
        let id = RunID(name, key: key)
        let given = try ProgramInput(input, for: id)
        let kept = try await Blocking.call { try store.run(id) }
        if let kept { try given.check(equals: kept.input, of: id) }
        return try await workflow(input).run(
            in: store, key: key, retryingFailures: retryingFailures, input: given.data,
            ifInProgress: ifInProgress
        ) { _ in }
    }
}
