import Foundation
import SteplineSupport
import SteplineWorkflow

extension DurableProgram {
    /// Works on the runs that are left to workers, until it is asked to leave or has nothing to do for long.
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

    /// What makes this program's workers.
    var workerMaker: WorkerMaker {
        WorkerMaker(of: Program.name, ProgramWorkflows(self), output)
    }
}

extension WorkerMaker {
    /// Out of what is generic, whose closures would hold a type.
    fileprivate init(of name: String, _ workflows: any WorkflowMaking, _ output: ProgramOutput) {
        self.init(
            of: name, WorkedWorkflows { run, _ in try workflows.make(run.input) },
            tell: { output.complain("\(name): \(RunsText.oneLine($0))\n") }, write: output.write)
    }
}

/// Makes the workflow of a run with some input.
private protocol WorkflowMaking: Sendable {
    func make(_ input: Data?) throws -> Workflow
}

// A type has no state.
private struct ProgramWorkflows<Program: DurableWorkflow>: WorkflowMaking, @unchecked Sendable {
    private let program: DurableProgram<Program>

    init(_ program: DurableProgram<Program>) { self.program = program }

    func make(_ input: Data?) throws -> Workflow {
        let input = try program.input(kept: input, of: RunID(Program.name, key: ""))
        try input.checkSecrets()
        return try program.workflow(input.value)
    }
}

extension WorkerSettings {
    /// Those that are given by `--slots`, `--idle` and `--grace`.
    init(_ words: ProgramWords) throws {
        func time(_ name: String) throws -> Duration? {
            guard let word = words[name] else { return nil }
            guard let time = UnitText.duration(word) else {
                throw RunsError("--\(name) wants a length of time such as 60s, not '\(word)'", isUsage: true)
            }
            return time
        }
        self.init(asked: try Self.slots(words), idle: try time("idle"), grace: try time("grace"))
    }

    /// How many steps at once `--slots` asks for; nil if nothing is said.
    static func slots(_ words: ProgramWords) throws -> Int? {
        guard let word = words["slots"] else { return nil }
        guard let count = Int(word), slotCounts.contains(count) else {
            throw RunsError(
                "--slots wants a number from 1 to \(slotCounts.upperBound), not '\(word)'", isUsage: true)
        }
        return count
    }
}
