import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// A run of a workflow in front of a user: shown, logged, interruptible, reported.
///
/// All it shows it has from the events of the workflow and of the pipelines that it follows.
final class LiveRun: Sendable {
    let arguments: Arguments
    let session: Session

    /// What is told in words, on stderr.
    let teller: RunTeller

    private let files: RunFiles
    private let board = Locked(RunBoard(total: 0, began: Date()))
    /// Whether the run was given up for a reason that is told elsewhere.
    private let isGivenUp = Locked(false)
    /// Which tasks have been told to have begun.
    private let order = Locked(StartOrder())
    private let upToDate = Locked(0)
    private let skips = SkippedTasks()
    private let secrets = Locked(SecretRedactor())
    private let readers = RunFollowers()
    /// Makes the line about a failed task of its name and the error's text.
    private let failureLine: @Sendable (String, String) -> String

    init(
        _ arguments: Arguments, _ session: Session,
        failureLine: @escaping @Sendable (_ task: String, _ error: String) -> String = {
            "\($0) failed: \(ErrorText.withoutName($0, $1))"
        }
    ) {
        self.arguments = arguments
        self.session = session
        self.failureLine = failureLine
        files = RunFiles(arguments, session)
        teller = RunTeller(arguments, session)
    }

    private var format: LogFormat { teller.format }
    /// The status line on the terminal; nil where there is none.
    private var screen: LiveScreen? { teller.screen }

    /// Throws if what is to be written about the run can't be, or would take the place of something else.
    func checkFiles(beside others: [NamedFile] = []) throws(UsageError) { try files.check(beside: others) }

    /// How many attempts the workflow keeps for the files that are written about the run: its option of that name.
    var keptAttempts: Int { files.keptAttempts }

    /// Takes these secrets out of all that is shown, logged and written about the run.
    func hide(_ redactor: SecretRedactor) {
        secrets.withLock { $0 = redactor }
        teller.hide(redactor)
        session.errors.hide(redactor)
        session.output.hide(redactor)
    }

    /// Hears signals from now on; the second takes the status line away.
    func hearSignals() -> RunSignals { RunSignals(session, closing: screen) }

    /// Whether steps, and what is inside tasks, are shown or logged.
    var tellsSteps: Bool { screen != nil || format != .auto }

    /// Shows and logs the steps, bytes and attempts of a pipeline that a task of that name runs.
    ///
    /// To be called where the pipeline is made, so before it starts. What it returns ends when all that happened
    /// in the pipeline has been told; a task that waits for it has its end told after that.
    /// Of `hidden` steps, by their places in the pipeline, nothing is told but bytes.
    @discardableResult
    func follow(
        _ pipeline: AnyPipeline, of task: String, hidden: Set<Int> = []
    ) -> Task<Void, Never>? {
        guard tellsSteps else { return nil }
        let events = pipeline.events
        let start = order.withLock { $0.follow(task) }
        return readers.begin { [self] in
            await start?.value
            for await event in events {
                let isHidden = event.step.map { hidden.contains($0.index) } ?? false
                board.withLock { $0.apply(event, of: task, hidden: hidden) }
                if case .retrying(let step, _, let error, let wait) = event.kind {
                    tellRetry(of: "\(task): \(step.name)", error, wait)
                }
                guard !isHidden, let entry = EventLog.entry(event, of: task) else { continue }
                // At once, so that the end of the task isn't told in between.
                order.withLock { if !$0.hasFinished(task) { teller.log(entry) } }
            }
        }
    }

    /// Shows and logs the elements of a map, which are tasks of a workflow inside it.
    ///
    /// To be called before that starts. What it returns ends when that has settled and all has been told.
    func follow(elements: Workflow, of task: String) -> Task<Void, Never>? {
        guard tellsSteps else { return nil }
        let events = elements.events
        let start = order.withLock { $0.follow(task) }
        return readers.begin { [self] in
            await start?.value
            for await event in events {
                guard event.task != nil else {
                    if case .settled = event.kind { break }
                    continue
                }
                board.withLock { $0.apply(event, elementOf: task) }
                if event.kind.isEnd { order.withLock { $0.finish(event.name) } }
                log(skips.entry(event))
                if case .started = event.kind { begin(event.name) }
            }
        }
    }

    private func begin(_ task: String) {
        for waiter in order.withLock({ $0.begin(task) }) { waiter.fulfill(()) }
    }

    /// Writes to stdout, above the status line if both are on one terminal.
    func write(_ data: Data) throws {
        guard let screen, session.output.isTerminal else { return try session.output.write(data) }
        try screen.above {
            try session.output.write(data)
            // The status line begins a line of its own.
            if !data.isEmpty, data.last != UInt8(ascii: "\n") { try session.output.write("\n") }
        }
    }

    /// Stops a workflow for a reason that the caller tells, if anybody is to be told.
    func giveUp(_ workflow: Workflow?) {
        isGivenUp.withLock { $0 = true }
        workflow?.cancel("given up")
    }

    /// Notes tasks that are not run, as all they make is there.
    func leaveOut(_ tasks: [String]) {
        upToDate.withLock { $0 = tasks.count }
        for task in tasks {
            log(EventLog.skipped(task, "up to date", at: Date()))
        }
    }

    /// Notes that a task which runs is skipped; to be called before it ends.
    func skip(_ task: String, reason: String) {
        skips.add(task, reason)
        board.withLock { $0.skip(task) }
    }

    /// Starts the workflow, and waits until it has settled or was interrupted; what failed has been told then.
    ///
    /// Where it is kept, an interruption cancels only what is done here. Throws only if nothing was run, as the
    /// workflow's check has found errors or the store can't have it.
    ///
    /// Watches for signals until the end, with the caller's watch if there is one.
    func run(
        _ workflow: Workflow, in kept: KeptFlow? = nil, hearing signals: RunSignals? = nil
    ) async throws -> ExitCode {
        let skipped = upToDate.withLock { $0 }
        // What only serves a map's elements is nobody's task.
        let hidden = Set(workflow.allTasks.compactMap { $0 as? FlowListTask }.map(\.name))
        board.withLock { board in
            board = RunBoard(total: workflow.taskCount - hidden.count, began: Date())
            board.upToDate = skipped
        }
        let work = Locked<Task<Void, any Error>?>(nil)
        let signals = signals ?? hearSignals()
        defer { signals.stop() }
        signals.onFirst { [weak self] in
            self?.board.withLock { $0.notice = "stopping (again to end at once)" }
            if kept == nil { workflow.cancel("interrupted") } else { work.withLock { $0 }?.cancel() }
        }
        let ticks = teller.startDrawing(inColors: arguments[.color]) { self.board.withLock { $0 } }
        let events = workflow.events
        let elsewhere = kept?.skips(in: workflow)
        let reader = Task {
            for await event in events {
                if let reason = elsewhere?.reason(of: event) { skip(event.name, reason: reason) }
                event.task != nil && hidden.contains(event.name) ? noteHidden(event) : note(event)
            }
        }
        let running = Task {
            if let kept {
                try await kept.run(workflow) { self.note($0, of: workflow) }
            } else {
                try await workflow.run()
            }
        }
        work.withLock { $0 = running }
        // The signal may have come before there was anything to be cancelled.
        if signals.received != nil, kept != nil { running.cancel() }
        let outcome = await running.result
        // What was told before the end is still read; then the streams end.
        reader.cancel()
        await reader.value
        for waiter in order.withLock({ $0.end() }) { waiter.fulfill(()) }
        await readers.finish()
        ticks?.cancel()
        let code = try conclude(outcome, signals.received, isKept: kept != nil)
        if code != .success, let hint = kept?.hint { tell(hint) }
        do {
            try await files.write(workflow, skips: skips.all, hiding: secrets.withLock { $0 })
        } catch {
            tell("\(PipelineError.cause(of: error).error)")
            return code == .success ? .failure : code
        }
        return code
    }

    private func conclude(
        _ outcome: Result<Void, any Error>, _ signal: Int32?, isKept: Bool
    ) throws -> ExitCode {
        if case .failure(let error) = outcome, Self.isBeforeRun(error) {
            screen?.close()
            throw error
        }
        let (board, now) = (board.withLock { $0 }, Date())
        if let screen {
            let summary = RunFrame(canvas: .init()).summary(board, at: now)
            screen.close()
            teller.write(summary)
        } else if format != .auto, !arguments.isOn(.quiet) {
            log(EventLog.summary(board, at: now))
        }
        if let signal, case .failure = outcome {
            tell("interrupted")
            return ExitCode.signalled(signal)
        }
        if case .failure(let error) = outcome {
            // Failures of tasks have been told as they came; that a run is cancelled which is kept, its hint tells.
            let isTold = board.failed > 0 || isKept && error is CancellationError
            if !isTold, !isGivenUp.withLock({ $0 }) { tell("\(error)") }
            return .failure
        }
        return .success
    }

    /// Whether nothing was run at all.
    private static func isBeforeRun(_ error: any Error) -> Bool {
        (error as? WorkflowError)?.code == .checkFailed || KeptFlow.isRefusal(error)
    }

    /// A run that is kept was opened: what is kept of it, and what is done again.
    private func note(_ opened: OpenedRun, of workflow: Workflow) {
        let names = Set(opened.kept)
        board.withLock {
            $0.keep(workflow.allTasks.count { names.contains($0.name) && !($0 is FlowListTask) })
        }
        if format == .json { return log(EventLog.entry(opened)) }
        guard !arguments.isOn(.quiet) else { return }
        if arguments[.runKey] == nil { tell("the run's key is \(opened.id.key)") }
        for line in opened.lines { tell(line) }
    }

    private func note(_ event: WorkflowEvent) {
        board.withLock { $0.apply(event) }
        if event.kind.isEnd { order.withLock { $0.finish(event.name) } }
        if case .failed(let error) = event.kind, event.task != nil {
            return noteFailure(event, of: event.name, error)
        }
        if case .attemptFailed(let error, let wait) = event.kind {
            tellRetry(of: event.name, ErrorText.withoutName(event.name, error), wait)
        }
        log(skips.entry(event))
        if case .started = event.kind { begin(event.name) }
    }

    /// Of the list of a map only its failure is told: it is the map's own.
    private func noteHidden(_ event: WorkflowEvent) {
        guard case .failed(let error) = event.kind else { return }
        noteFailure(
            event, of: FlowListTask.map(ofList: event.name), ErrorText.withoutName(event.name, error))
        board.withLock { $0.failOutside() }
    }

    private func noteFailure(_ event: WorkflowEvent, of task: String, _ error: String) {
        let line = failureLine(task, error)
        guard teller.tellFailure(of: task, by: event, error, line: line) else { return }
        board.withLock { $0.allowFailure() }
    }

    /// Writes a line above the status line, where there is one: the log has an event of its own.
    private func tellRetry(of what: String, _ error: String, _ wait: Duration) {
        guard screen != nil else { return }
        teller.note(
            "\(what) is tried again in \(Amounts.time(wait.seconds)): \(ErrorText.withoutBreaks(error))")
    }

    private func log(_ entry: EventLog.Entry?) { teller.log(entry) }

    private func tell(_ text: String) { teller.tell(text) }
}
