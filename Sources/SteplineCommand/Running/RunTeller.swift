import Dispatch
import Foundation
import SteplineJSON
import SteplineSupport
import SteplineWorkflow

/// Reports a run on standard error: a status line on a terminal, otherwise lines of text or JSON.
final class RunTeller: Sendable {
    let format: LogFormat
    /// The status line on the terminal; nil without one.
    let screen: LiveScreen?
    private let session: Session
    private let isQuiet: Bool
    private let secrets = Locked(SecretRedactor())
    /// The tasks whose failure is permitted.
    private let allowed = Locked<Set<String>>([])
    /// The time of the log's last line.
    private let latest = Locked(Date.distantPast)

    init(_ arguments: Arguments, _ session: Session) {
        self.session = session
        isQuiet = arguments.isOn(.quiet)
        let canShow = LiveScreen.canvas(of: session.errors, session.environment, wantsColors: nil) != nil
        // On a terminal that can't be drawn on, use lines of text instead.
        let usual = session.errors.isTerminal && !canShow ? LogFormat.text : .auto
        let format = arguments.logFormat
        self.format = format == .auto ? usual : format
        screen = format == .auto && !isQuiet && canShow ? LiveScreen(session.errors) : nil
    }

    /// Removes secrets from all output.
    func hide(_ redactor: SecretRedactor) { secrets.withLock { $0 = redactor } }

    /// Sets the tasks whose failure is permitted.
    func allowFailures(of tasks: Set<String>) { allowed.withLock { $0 = tasks } }

    /// Reports a failed task; returns whether its failure is permitted.
    func tellFailure(of task: String, by event: WorkflowEvent, _ error: String, line: String) -> Bool {
        let isAllowed = allowed.withLock { $0.contains(task) }
        let error = ErrorText.withoutName(task, error)
        let facts: [(key: String, value: JSON)] = [("error", JSON(error))]
        let entry = EventLog.Entry(
            time: event.time, task: task, event: "failed", attempt: event.attempt > 0 ? event.attempt : nil,
            facts: facts + (isAllowed ? [("allowed", true)] : []))
        log(entry, isError: format == .json && !isAllowed)
        guard format != .json, !isAllowed || !isQuiet else { return isAllowed }
        tell(isAllowed ? "\(task) failed (allowed): \(error)" : line)
        return isAllowed
    }

    /// Writes a line of the log, if there is one.
    func log(_ entry: EventLog.Entry?, isError: Bool = false) {
        guard format != .auto, !isQuiet || isError, let entry else { return }
        let redactor = secrets.withLock { $0 }
        // Streams are read concurrently, so events may arrive out of order: keep times monotonic.
        latest.withLock { latest in
            // Redact before encoding, since a text inside JSON may be escaped twice.
            var entry = entry.hiding(redactor)
            latest = max(latest, entry.time)
            entry.time = latest
            // Standard error is closed: the error can't be reported.
            try? session.errors.write(EventLog.line(entry, as: format) + "\n")
        }
    }

    /// Writes a line instead of the status line.
    func write(_ line: String) { try? session.errors.write(Session.oneLine(line) + "\n") }

    /// Starts drawing ten times a second; returns nil without a screen.
    func startDrawing(
        inColors: Bool?, _ board: @escaping @Sendable () -> RunBoard
    ) -> (any DispatchSourceTimer)? {
        guard let screen else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "stepline.screen"))
        timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
        timer.setEventHandler { [session] in
            let canvas = LiveScreen.canvas(of: session.errors, session.environment, wantsColors: inColors)
            screen.draw(RunFrame(canvas: canvas ?? .init()).line(board(), at: Date()))
        }
        timer.activate()
        return timer
    }

    /// Writes an error line above the status line; an `error` event in a JSON log.
    func tell(_ text: String) { tell(text, as: "error", "error") { session.complain(text) } }

    /// Writes a warning; a `warning` event in a JSON log.
    func warn(_ text: String) {
        tell(text, as: "warning", "warning") { session.complain("warning: \(text)") }
    }

    /// Writes a note that needs no action; a `note` event in a JSON log.
    func note(_ text: String) {
        guard !isQuiet else { return }
        tell(text, as: "note", "text") { session.complain(text) }
    }

    /// Writes a line about the workflow file in the format of compilers.
    func tellLine(_ line: String) {
        tell(line, as: "mistake", "text") { try? session.errors.write(line + "\n") }
    }

    private func tell(_ text: String, as event: String, _ key: String, plainly: () -> Void) {
        if let screen {
            screen.above(plainly)
        } else if format == .json {
            let entry = EventLog.Entry(time: Date(), task: nil, event: event, facts: [(key, JSON(text))])
            log(entry, isError: true)
        } else {
            plainly()
        }
    }
}
