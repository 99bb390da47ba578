import Foundation
import SteplineSupport
import SteplineWorkflow

extension DurableProgram {
    /// Works on the runs that are left to workers, until it is asked to leave or has nothing to do for long.
    func work(_ words: ProgramWords) async throws -> Int32 {
        let settings = try WorkerSettings(words)
        let place = try place(of: words)
        guard let store = try place.open() as? any SharedRunStore else {
            throw RunsError(
                "\(place.shown) is kept by one machine: workers want a server, --store postgresql://…",
                isUsage: true)
        }
        let worker = workerMaker.worker(in: store, settings, isJSON: words.isOn("json"))
        let signals = SignalWatch { _ in worker.leave() }
        defer { signals.stop() }
        try await worker.run()
        return 0
    }

    /// What makes this program's workers.
    var workerMaker: WorkerMaker {
        WorkerMaker(name: Program.name, output: output, workflows: ProgramWorkflows(self))
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

/// Makes workers of a program, which tell of themselves where that writes.
struct WorkerMaker: Sendable {
    private let name: String
    private let output: ProgramOutput
    private let workflows: any WorkflowMaking

    fileprivate init(name: String, output: ProgramOutput, workflows: any WorkflowMaking) {
        self.name = name
        self.output = output
        self.workflows = workflows
    }

    func worker(in store: any SharedRunStore, _ settings: WorkerSettings, isJSON: Bool) -> StepWorker {
        StepWorker(of: name, in: store, settings, build: { [workflows] in try workflows.make($0) }) {
            [name, output] news in
            let line = WorkerLine(news, at: Date())
            if isJSON {
                if let text = try? RunsText.json(line) { output.write(text + "\n") }
            } else if let text = line.text {
                output.complain("\(name): \(RunsText.oneLine(text))\n")
            }
        }
    }
}

extension WorkerSettings {
    /// Those that are given by `--slots`, `--idle` and `--grace`.
    init(_ words: ProgramWords) throws {
        self.init(slots: try Self.slots(words) ?? ProcessInfo.processInfo.activeProcessorCount)
        func time(_ name: String) throws -> Duration? {
            guard let word = words[name] else { return nil }
            guard let time = UnitText.duration(word) else {
                throw RunsError("--\(name) wants a length of time such as 60s, not '\(word)'", isUsage: true)
            }
            return time
        }
        idle = try time("idle")
        grace = try time("grace") ?? grace
    }

    /// How many steps at once `--slots` asks for; nil if nothing is said.
    static func slots(_ words: ProgramWords) throws -> Int? {
        guard let word = words["slots"] else { return nil }
        guard let count = Int(word), (1...10_000).contains(count) else {
            throw RunsError("--slots wants a number from 1 to 10000, not '\(word)'", isUsage: true)
        }
        return count
    }
}
