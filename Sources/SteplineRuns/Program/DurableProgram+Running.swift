import Foundation
import SteplineSupport
import SteplineWorkflow

/// The final report of a run in the output of `run --json`.
private struct RunEnd: Encodable {
    struct Failure: Encodable {
        let step: String
        let error: String
    }

    let workflow: String
    let key: String
    let state: RunState?
    let kept: [String]
    let executed: [String]
    let gone: [String]
    let failures: [Failure]
    let next: String?
}

extension DurableProgram {
    /// Starts or resumes a run; returns after its end or after a stop request.
    ///
    /// Returns the exit status: 0 for a finished run, 1 for a failed one, 128 plus the number after a signal.
    func run(_ key: String, _ words: ProgramWords, retrying: Bool) async throws -> Int32 {
        let id = RunID(Program.name, key: key)
        let workers = try WorkerWords(words)
        // Helpers exist with `--on` only.
        let helpers = try workers.map { try RunHelpers($0, of: id, words, self) }
        let shared = try helpers.map { _ in try place(of: words).openShared() }
        let store = try shared ?? store(words)
        let input = try input(given: words["input"], kept: store.run(id)?.input, of: id)
        // Before opening the run: a missing secret must not count as an opening.
        try input.checkSecrets()
        let workflow = try workflow(input.value)
        let known = Locked<OpenedRun?>(nil)
        let data = input.data
        let output = self.output
        @Sendable func own(on place: RunPlace) async throws -> DurableReport {
            try await workflow.run(
                in: store, key: key, retryingFailures: retrying, input: data, on: place
            ) { opened in
                known.withLock { $0 = opened }
                for line in opened.lines { output.complain("\(id.workflow): \(line)\n") }
            }
        }
        let task = Task {
            guard let helpers, let shared else { return try await own(on: .process) }
            return try await helpers.helping(in: shared) { try await own(on: .workers) }
        }
        // The first signal interrupts the run, which can be resumed. The second ends the process.
        let signals = SignalWatch { _ in
            output.complain("\(id.workflow): stopping (again to end at once)\n")
            task.cancel()
        }
        let result = await task.result
        signals.stop()
        let end = end(result, id, known.withLock { $0 }, try? store.run(id), guide(words))
        tell(end, isJSON: words.isOn("json"))
        guard case .failure(let error) = result else { return 0 }
        // The exit status of a process that a signal has stopped.
        if let signal = signals.received, error is CancellationError { return 128 + signal }
        // Failures of steps were reported one by one.
        if end.failures.isEmpty, !(error is CancellationError) { complain(ErrorText.line(error)) }
        return 1
    }

    private func end(
        _ result: Result<DurableReport, any Error>, _ id: RunID, _ opened: OpenedRun?,
        _ run: RunRecord?, _ guide: RunsGuide
    ) -> RunEnd {
        var report: RunReport?
        var executed: [String] = []
        switch result {
        case .success(let durable): (report, executed) = (durable.run, durable.executed)
        case .failure(let error): report = (error as? WorkflowError)?.report
        }
        let failures = report?.failures.map { failure in
            RunEnd.Failure(
                step: failure.task.name, error: ErrorText.withoutName(failure.task.name, failure.text))
        }
        return RunEnd(
            workflow: id.workflow, key: id.key, state: run?.state, kept: opened?.kept ?? [],
            executed: executed, gone: opened?.gone ?? [], failures: failures ?? [],
            next: run.map(guide.next))
    }

    private func tell(_ end: RunEnd, isJSON: Bool) {
        for failure in end.failures { complain("\(failure.step) failed: \(failure.error)") }
        if isJSON {
            if let line = try? RunsText.json(end) { output.write(line + "\n") }
            return
        }
        guard let state = end.state else { return }
        if state == .finished {
            let run = RunsText.count(end.executed.count, "step")
            output.write("\(end.workflow)/\(end.key) finished: \(run) run, \(end.kept.count) kept\n")
        } else {
            complain("\(end.workflow)/\(end.key) is \(state.rawValue); \(end.next ?? "")")
        }
    }
}
