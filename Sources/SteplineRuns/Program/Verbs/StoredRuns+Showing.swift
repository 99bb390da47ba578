import Foundation
import SteplineJSON

extension StoredRuns {
    /// Returns a run, its begun steps or one of them, and the next possible command.
    package func show(_ key: String, step name: String? = nil) throws -> RunsAnswer {
        let run = try run(key)
        let skips = skips(run)
        let steps = try steps(of: run, skips).filter { name ?? $0.step.name == $0.step.name }
        if let name, steps.isEmpty {
            throw RunsError("\(run.id) has no step \"\(name)\", or the step hasn't begun")
        }
        if isJSON {
            var view = RunView(run)
            view.input = run.input.flatMap { try? JSON(parsing: $0) }
            view.next = guide.next(run)
            view.isPaused = try store.isPaused(run.id)
            view.steps = steps.map { StepView($0, $1) }
            return try RunsAnswer(json: view)
        }
        var lines = [heading(run, skipped: skips.count)]
        let openings = run.openings > 1 ? ", opened \(run.openings) times" : ""
        lines.append("created \(RunsText.date(run.created)) UTC\(openings)")
        if try store.isPaused(run.id) { lines.append("paused: no step begins until runs resume") }
        if let ended = run.ended { lines.append("ended \(RunsText.date(ended)) UTC") }
        if !steps.isEmpty {
            let rows = steps.map { step, words in
                [
                    step.name, words.state, "\(step.attempt)", RunsText.date(step.began), step.length,
                    words.note,
                ]
            }
            lines.append("")
            lines += RunsText.table(["step", "state", "attempts", "began (UTC)", "took", "why"], rows)
            lines.append("")
        }
        return RunsAnswer(lines: lines + [guide.next(run)])
    }

    /// Returns the begun and the offered steps, sorted by name.
    private func steps(
        of run: RunRecord, _ skips: [String: String]
    ) throws -> [(step: StepRecord, words: StepWords)] {
        let offered = try OfferWords(of: run.id, in: store).steps
        // Show a claimed or queued step as offered, not as last stored.
        let names = Set(offered.map(\.step.name))
        var steps: [(step: StepRecord, words: StepWords)] = []
        try store.forEachStep(of: run.id) { step in
            // An offer is newer than the stored step.
            if !names.contains(step.name) { steps.append((step, StepWords(step, of: run, skips: skips))) }
        }
        // The store returns its steps sorted: sort only after adding offers.
        return offered.isEmpty ? steps : (steps + offered).sorted { $0.step.name < $1.step.name }
    }

    /// Returns a run's state and step counts as one line.
    func heading(_ run: RunRecord, skipped: Int = 0) -> String {
        var text = "\(run.id): \(run.state.rawValue)"
        if case .cancelled(let why)? = run.ending, !run.isOpen { text += " (\(why))" }
        // The store counts a skipped step as finished.
        let finished = RunsText.count(max(run.finished - skipped, 0), "step")
        let skips = skipped > 0 ? ", \(skipped) skipped" : ""
        return RunsText.oneLine(text + ", \(finished) finished\(skips), \(run.failed) failed")
    }

    /// Returns the result of a finished step as a line of JSON.
    package func result(_ key: String, of step: String) throws -> RunsAnswer {
        RunsAnswer(lines: [try store.resultText(of: step, in: run(key).id)])
    }

    /// Returns the result of a finished step as a value of a type.
    package func result<Value: Sendable>(
        _ key: String, of step: String, as type: Value.Type
    ) throws -> Value {
        try store.result(of: step, in: run(key).id, as: type)
    }

    /// Returns a begun step of a run; nil if there is none of that name.
    package func step(_ name: String, of run: RunRecord) throws -> StepRecord? {
        try store.step(name, of: run.id)
    }

    /// Returns all attempts of all steps by time.
    package func log(_ key: String) throws -> RunsAnswer {
        let run = try run(key)
        let skips = skips(run)
        var attempts = try store.history(of: run.id).map { ($0, StepWords(past: $0)) }
        try store.forEachStep(of: run.id) { step in
            // Skip steps that were cleared before they began.
            if step.began ?? step.ended != nil {
                attempts.append((step, StepWords(step, of: run, skips: skips)))
            }
        }
        // A step that was cancelled before its begin has an end only.
        func date(_ step: StepRecord) -> Date { step.began ?? step.ended ?? .distantPast }
        attempts.sort {
            (date($0.0), $0.0.name, $0.0.attempt) < (date($1.0), $1.0.name, $1.0.attempt)
        }
        if isJSON { return try RunsAnswer(json: attempts.map { StepView($0, $1) }) }
        guard !attempts.isEmpty else { return RunsAnswer(lines: ["no attempts"]) }
        let rows = attempts.map { step, words in
            [
                RunsText.date(date(step)), step.name, "\(step.attempt)", words.state, step.length, words.note,
            ]
        }
        return RunsAnswer(
            lines: RunsText.table(["began (UTC)", "step", "attempt", "state", "took", "why"], rows))
    }
}
