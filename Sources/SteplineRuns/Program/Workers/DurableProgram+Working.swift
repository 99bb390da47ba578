import Foundation
import SteplineSupport
import SteplineWorkflow

extension DurableProgram {
    /// Runs a worker until it is asked to leave or has been idle too long.
    func work(_ words: ProgramWords) async throws -> Int32 {
        let settings = try WorkerSettings(words)
        let place = try place(of: words)
        let store = try place.openShared()
        let worker = workerMaker.worker(in: store, settings, isJSON: words.isOn("json"))
        let signals = SignalWatch { _ in worker.leave() }
        defer { signals.stop() }
        try await worker.run()
        return 0
    }

    /// Creates the factory of this program's workers.
    var workerMaker: WorkerMaker {
        WorkerMaker(of: Program.name, ProgramWorkflows(self), output)
    }
}

extension WorkerMaker {
    // Takes an existential, so that the closures capture a value and not the generic type.
    fileprivate init(of name: String, _ workflows: any WorkflowMaking, _ output: ProgramOutput) {
        self.init(
            of: name, WorkedWorkflows { run, _ in try workflows.make(run.input) },
            tell: { output.complain("\(name): \(RunsText.oneLine($0))\n") }, write: output.write)
    }
}

/// A factory of workflows from inputs.
protocol WorkflowMaking: Sendable {
    func make(_ input: Data?) throws -> Workflow
}

// The generic type has no stored state, so the value is safe to share.
struct ProgramWorkflows<Program: DurableWorkflow>: WorkflowMaking, @unchecked Sendable {
    private let program: DurableProgram<Program>

    init(_ program: DurableProgram<Program>) { self.program = program }

    func make(_ input: Data?) throws -> Workflow {
        // Only messages contain the key, and the worker's message names the run.
        let input = try program.input(kept: input, of: RunID(Program.name, key: ""))
        // An error here refuses the step, which returns to the queue for workers that have the secrets.
        try input.checkSecrets()
        return try program.workflow(input.value)
    }
}

extension WorkerSettings {
    /// Creates settings from `--slots`, `--idle` and `--grace`.
    init(_ words: ProgramWords) throws {
        func time(_ name: String) throws -> Duration? {
            guard let word = words[name] else { return nil }
            guard let time = UnitText.duration(word) else {
                throw RunsError("--\(name) expects a duration such as 60s, got '\(word)'", isUsage: true)
            }
            return time
        }
        self.init(asked: try Self.slots(words), idle: try time("idle"), grace: try time("grace"))
    }

    /// Parses `--slots`; nil if the option is missing.
    static func slots(_ words: ProgramWords) throws -> Int? {
        guard let word = words["slots"] else { return nil }
        guard let count = Int(word), slotCounts.contains(count) else {
            throw RunsError(
                "--slots expects a number from 1 to \(slotCounts.upperBound), got '\(word)'", isUsage: true)
        }
        return count
    }
}
