import Foundation
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

extension RunsCommand {
    /// Displays the changes of another process's run until it has no owner any more; returns its exit status.
    ///
    /// Uses a status line on a terminal, otherwise a line for each change.
    func follow(_ key: String) async throws -> ExitCode {
        try checkReport()
        // Find the run first, so that an unknown key is reported without a status line.
        let run = try runs.run(key)
        let key = run.id.description
        let screen = canvas == nil ? nil : LiveScreen(session.output)
        let number: Int32
        do {
            number = try await SignalWatch.interrupting(for: session.signals) {
                let answer =
                    if let screen {
                        try await show(key, of: run, on: screen)
                    } else {
                        try await runs.follow(key, by: .system) { try session.output.write($0) }
                    }
                try session.output.write(answer.output)
                return answer.code
            }
        } catch {
            screen?.close()
            throw error
        }
        screen?.close()
        try writeReport(of: key)
        return switch number {
        case 0: .success
        case 1: .failure
        default: .signalled(number - 128)
        }
    }

    /// The terminal for a status line; nil without one.
    private var canvas: RunFrame.Canvas? {
        guard !arguments.isOn(.asJSON) else { return nil }
        return LiveScreen.canvas(of: session.output, session.environment, wantsColors: nil)
    }

    private func show(_ key: String, of run: RunRecord, on screen: LiveScreen) async throws -> RunsAnswer {
        // Only a workflow file tells the total number of tasks.
        let tasks = shape(of: run)?.allTasks.map(\.name)
        var names = Set(tasks ?? [])
        let run = try await runs.watch(key, by: .system) { look in
            if tasks != nil { names.formUnion(look.changes.map(\.name)) }
            for step in look.changes where step.state == .failed {
                let words = ErrorText.withoutName(step.name, step.failure?.message ?? "")
                let text = "\(step.name) failed: \(words)"
                try screen.above { try session.output.write(RunsText.oneLine(text) + "\n") }
            }
            let board = RunBoard(look, total: tasks == nil ? nil : names.count)
            screen.draw(RunFrame(canvas: canvas ?? .init()).line(board, at: Date()))
        }
        screen.close()
        return try runs.ending(of: run)
    }
}
