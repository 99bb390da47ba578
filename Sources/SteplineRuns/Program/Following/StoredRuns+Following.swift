import Foundation
package import SteplineSupport

extension StoredRuns {
    /// The pause between two looks.
    package static let pause = Duration.milliseconds(250)

    /// Calls `see` with each new state of a run until the run has no owner any more; returns its last record.
    ///
    /// A run whose process died also ends the loop. A run that waits for its first owner doesn't. Throws
    /// `CancellationError` if the Swift task is cancelled.
    @discardableResult
    package func watch(
        _ key: String, by clock: any StepClock, _ see: (RunLook) throws -> Void
    ) async throws -> RunRecord {
        let watch = Locked(RunWatch(try run(key).id, in: store))
        while true {
            let began = clock.uptime
            let look = try await Blocking.call { try watch.withLock { try $0.look() } }
            try see(look)
            if !look.run.isOpen, look.run.state != .waiting { return look.run }
            // Reading a run with many steps takes time: poll at most a fifth of the time.
            try await clock.sleep(for: max(Self.pause, (clock.uptime - began) * 4))
        }
    }

    /// Writes a line for each changed step until the run has no owner any more; see ``watch(_:by:_:)``.
    ///
    /// Returns the final message, with code 0 for a finished run and 1 otherwise.
    package func follow(
        _ key: String, by clock: any StepClock, write: (String) throws -> Void
    ) async throws -> RunsAnswer {
        var isFirst = true
        let run = try await watch(key, by: clock) { look in
            if isFirst, look.run.isOpen || look.run.state == .waiting {
                try write(isJSON ? RunsText.json(RunView(look.run)) + "\n" : heading(look.run) + "\n")
            }
            isFirst = false
            let skips = look.changes.contains { $0.state == .finished } ? skips(look.run) : [:]
            for step in look.changes { try write(line(step, of: look.run, skips) + "\n") }
        }
        return try ending(of: run)
    }

    /// Returns the final message about a followed run, and the exit status.
    package func ending(of run: RunRecord) throws -> RunsAnswer {
        let code: Int32 = run.state == .finished ? 0 : 1
        if isJSON {
            var view = RunView(run)
            view.next = guide.next(run)
            return try RunsAnswer(json: view, code: code)
        }
        var lines = [heading(run, skipped: skips(run).count)]
        if run.state == .interrupted {
            lines.append("process \(run.owner.process) on \(run.owner.host) no longer runs it")
        }
        return RunsAnswer(lines: lines + [guide.next(run)], code: code)
    }

    /// Returns a step's state as one line.
    private func line(
        _ step: StepRecord, of run: RunRecord, _ skips: [String: String]
    ) throws -> String {
        let words = StepWords(step, of: run, skips: skips)
        if isJSON { return try RunsText.json(StepView(step, words)) }
        var text = "\(RunsText.date(step.ended ?? step.began)) \(step.name) \(words.state)"
        if step.attempt > 1 { text += " (attempt \(step.attempt))" }
        if !step.length.isEmpty { text += " in \(step.length)" }
        if let worker = step.worker { text += " on \(worker)" }
        // The line begins with the date, so "running since" would repeat it.
        if words.state != "running", !words.note.isEmpty { text += ": \(words.note)" }
        return RunsText.oneLine(text)
    }
}
