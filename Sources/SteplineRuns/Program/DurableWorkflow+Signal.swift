import Foundation
import SteplineWorkflow

extension DurableWorkflow {
    /// The workflow of a run that was started with that input.
    static func workflow(_ input: Input) throws -> Workflow {
        let workflow = Workflow(name, options: options)
        try build(workflow, input)
        return workflow
    }
}

extension RunStore {
    /// Fulfils a condition of a program's run, from any process, whether or not the run goes on.
    ///
    ///     try store.signal("approved", with: true, to: "2026-11-22", of: Mirror.self)
    ///
    /// Builds the program's workflow with the input of the run, to check the condition's name and type.
    ///
    /// - Parameters:
    ///   - condition: The name of the condition's task, a path for one inside a subworkflow.
    ///   - value: What the condition expects; nil if it takes no value.
    ///   - key: The run's key.
    ///   - program: The program whose run it is.
    /// - Returns: False if the condition was fulfilled before; the first value counts.
    /// - Throws: A `DurableRunError` if the workflow has no such condition or that expects another type, and a
    ///   ``RunStoreError`` if there is no such run.
    @discardableResult
    public func signal<Program: DurableWorkflow>(
        _ condition: String, with value: (any Sendable)? = nil, to key: String, of program: Program.Type
    ) throws -> Bool {
        let id = RunID(Program.name, key: key)
        guard let run = try run(id) else { throw RunStoreError.noSuchRun(id, store: name) }
        let input = try ProgramInput<Program.Input>(
            given: nil, kept: run.input, of: id, environment: ProcessInfo.processInfo.environment)
        return try Program.workflow(input.value).fulfill(condition, with: value, in: self, key: key)
    }
}
