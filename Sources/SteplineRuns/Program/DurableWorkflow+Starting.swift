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
        let now = Program.options.clock.now
        while try !create(id, input: given.data, by: RunOwner(since: now), at: now) {
            // Another process may have removed the run meanwhile: create it again.
            guard let run = try run(id) else { continue }
            try given.check(equals: run.input, of: id)
            return false
        }
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
    /// - Throws: A ``DurableRunError`` with the code `otherInput` if the run exists with another input, or the errors
    ///   of `Workflow.run(in:key:)`.
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
