import Foundation
package import SteplineSupport

extension StoredRuns {
    /// How often it is looked whether something has changed.
    package static let pause = Duration.milliseconds(250)

    /// Hands out how a run stands, again and again, until nobody runs it; returns how it stands then.
    ///
    /// That is also so if its process has died. Throws `CancellationError` when the Swift task is cancelled.
    @discardableResult
    package func watch(
        _ key: String, by clock: any StepClock, _ see: (RunLook) throws -> Void
    ) async throws -> RunRecord {
        let watch = Locked(RunWatch(try run(key).id, in: store))
        while true {
            let began = clock.uptime
            let look = try await Blocking.call { try watch.withLock { try $0.look() } }
            try see(look)
            if !look.run.isOpen { return look.run }
            // A run with very many steps takes its time to be read: most of it is left to those who run it.
            try await clock.sleep(for: max(Self.pause, (clock.uptime - began) * 4))
        }
    }

    /// Writes a line for each step that stands otherwise than before, until nobody runs the run.
    ///
    /// Returns what is to be said then; its code is 0 if the run has finished, and 1 if it ended otherwise or
    /// its process did.
    package func follow(
        _ key: String, by clock: any StepClock, write: (String) throws -> Void
    ) async throws -> RunsAnswer {
        var isFirst = true
        let run = try await watch(key, by: clock) { look in
            if isFirst, look.run.isOpen {
                try write(isJSON ? RunsText.json(RunView(look.run)) + "\n" : heading(look.run) + "\n")
            }
            isFirst = false
            for step in look.changes { try write(line(step, of: look.run) + "\n") }
        }
        return try ending(of: run)
    }

    /// What is said of a run that was followed to its end, and the code that says how it ended.
    package func ending(of run: RunRecord) throws -> RunsAnswer {
        let code: Int32 = run.state == .finished ? 0 : 1
        if isJSON {
            var view = RunView(run)
            view.next = guide.next(run)
            return try RunsAnswer(json: view, code: code)
        }
        var lines = [heading(run)]
        if run.state == .interrupted {
            lines.append("process \(run.owner.process) on \(run.owner.host) no longer runs it")
        }
        return RunsAnswer(lines: lines + [guide.next(run)], code: code)
    }

    /// How a step stands, in a line.
    private func line(_ step: StepRecord, of run: RunRecord) throws -> String {
        let words = StepWords(step, of: run)
        if isJSON { return try RunsText.json(StepView(step, words)) }
        var text = "\(RunsText.date(step.ended ?? step.began)) \(step.name) \(words.state)"
        if step.attempt > 1 { text += " (attempt \(step.attempt))" }
        if !step.length.isEmpty { text += " in \(step.length)" }
        if let worker = step.worker { text += " on \(worker)" }
        // That it runs since then, the line's beginning says.
        if words.state != "running", !words.note.isEmpty { text += ": \(words.note)" }
        return RunsText.oneLine(text)
    }
}
