import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// A run of a workflow in front of a user: displayed, logged, interruptible and reported.
///
/// All output derives from events of the workflow and of the followed pipelines.
final class LiveRun: Sendable {
    let arguments: Arguments
    let session: Session

    /// Writes messages to standard error.
    let teller: RunTeller

    private let files: RunFiles
    private let board = Locked(RunBoard(total: 0, began: Date()))
    /// Whether the run was cancelled for a reason reported elsewhere.
    private let isGivenUp = Locked(false)
    /// The tasks whose start was reported.
    private let order = Locked(StartOrder())
    private let upToDate = Locked(0)
    /// The reasons for skipped tasks, by name.
    private let skips = Locked<[String: String]>([:])
    private let secrets = Locked(SecretRedactor())
    private let readers = RunFollowers()
    /// Cancels the work of this process; nil before the run.
    private let interruption = Locked<(@Sendable () -> Void)?>(nil)
    /// Whether a summary follows the run off a terminal as well.
    private let alwaysSummarizes: Bool
    /// Creates the line about a failed task from its name and the error's text.
    private let failureLine: @Sendable (String, String) -> String

    init(
        _ arguments: Arguments, _ session: Session, alwaysSummarizes: Bool = false,
        failureLine: @escaping @Sendable (_ task: String, _ error: String) -> String = {
            "\($0) failed: \(ErrorText.withoutName($0, $1))"
        }
    ) {
        self.arguments = arguments
        self.session = session
        self.alwaysSummarizes = alwaysSummarizes
        self.failureLine = failureLine
        files = RunFiles(arguments, session)
        teller = RunTeller(arguments, session)
    }

    private var format: LogFormat { teller.format }
    /// The status line on the terminal; nil without one.
    private var screen: LiveScreen? { teller.screen }

    /// Throws if an output file of the run can't be written or would overwrite another file.
    func checkFiles(beside others: [NamedFile] = []) throws(UsageError) { try files.check(beside: others) }

    /// The number of attempts to keep for reports; use it as the workflow's option.
    var keptAttempts: Int { files.keptAttempts }

    /// Removes secrets from everything displayed, logged and written.
    func hide(_ redactor: SecretRedactor) {
        secrets.withLock { $0 = redactor }
        teller.hide(redactor)
        session.errors.hide(redactor)
        session.output.hide(redactor)
    }

    /// Starts watching for signals; the second signal removes the status line.
    func hearSignals() -> RunSignals { RunSignals(session, closing: screen) }

    /// Whether steps and inner tasks are displayed or logged.
    var tellsSteps: Bool { screen != nil || format != .auto }

    /// Displays and logs the steps, bytes and attempts of a task's pipeline.
    ///
    /// Call before the pipeline starts. The returned Swift task ends after all events were reported: await it, so that
    /// the task's end is reported later. Of `hidden` positions only bytes are reported.
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
                // Under the lock, so that the task's end can't be reported in between.
                order.withLock { if !$0.hasFinished(task) { teller.log(entry) } }
            }
        }
    }

    /// Displays and logs the elements of a map, which are tasks of an inner workflow.
    ///
    /// Call before the workflow starts. The returned Swift task ends after all events were reported.
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
                log(entry(of: event))
                if case .started = event.kind { begin(event.name) }
            }
        }
    }

    private func begin(_ task: String) {
        for waiter in order.withLock({ $0.begin(task) }) { waiter.fulfill(()) }
    }

    /// Writes to standard output, above the status line if both share a terminal.
    func write(_ data: Data) throws {
        guard let screen, session.output.isTerminal else { return try session.output.write(data) }
        try screen.above {
            try session.output.write(data)
            // The status line needs a line of its own.
            if !data.isEmpty, data.last != UInt8(ascii: "\n") { try session.output.write("\n") }
        }
    }

    /// Cancels a workflow for a reason that the caller reports.
    func giveUp(_ workflow: Workflow?) {
        isGivenUp.withLock { $0 = true }
        workflow?.cancel("given up")
    }

    /// Cancels the work of this process for a reason that the caller reports; a durable run can be continued.
    func giveUp() {
        isGivenUp.withLock { $0 = true }
        interruption.withLock { $0 }?()
    }

    /// Records tasks that don't run because they are up to date.
    func leaveOut(_ tasks: [String]) {
        upToDate.withLock { $0 = tasks.count }
        for task in tasks {
            log(EventLog.skipped(task, "up to date", at: Date()))
        }
    }

    /// The reasons for skipped tasks, by name.
    var skipReasons: [String: String] { skips.withLock { $0 } }

    /// Records that a running task is skipped; call before its end.
    func skip(_ task: String, reason: String) {
        skips.withLock { $0[task] = reason }
        board.withLock { $0.skip(task) }
    }

    /// A map whose elements are displayed as the tasks of the run.
    struct ShownMap: Sendable {
        /// The inner workflow of the map.
        let elements: Workflow
        /// Called before the first body starts; of a durable run, when this process owns it.
        let opened: @Sendable () -> Void
        /// Called with each event of the elements, after it was displayed.
        let observe: @Sendable (WorkflowEvent) -> Void
        /// Called on the first signal; calls its argument to cancel the work of this process.
        let stop: @Sendable (_ cancel: @escaping @Sendable () -> Void) -> Void
    }

    /// Runs the workflow until it settles or is interrupted; failures are reported on the way.
    ///
    /// The first signal cancels the workflow except its cleanups, the tasks of `FlowPlan.addLast`. Interrupting a
    /// durable run cancels only the work of this process. Throws only if nothing ran: the workflow's check failed, or
    /// the store refused the run. Watches for signals until the end.
    func run(
        _ workflow: Workflow, in kept: (any KeptRun)? = nil, showing map: ShownMap? = nil,
        hearing signals: RunSignals? = nil
    ) async throws -> ExitCode {
        let skipped = upToDate.withLock { $0 }
        // Auxiliary tasks of maps aren't shown.
        let hidden = Set(workflow.allTasks.compactMap { $0 as? FlowListTask }.map(\.name))
        board.withLock { board in
            board = RunBoard(total: map == nil ? workflow.taskCount - hidden.count : 0, began: Date())
            board.upToDate = skipped
            board.countsPages = map != nil
        }
        let work = Locked<Task<Void, any Error>?>(nil)
        let signals = signals ?? hearSignals()
        defer { signals.stop() }
        let isCancelled = Locked(false)
        let cancelWork: @Sendable () -> Void = {
            isCancelled.withLock { $0 = true }
            work.withLock { $0 }?.cancel()
        }
        interruption.withLock { $0 = cancelWork }
        defer { interruption.withLock { $0 = nil } }
        signals.onFirst { [weak self] in
            self?.board.withLock { $0.notice = "stopping (again to end at once)" }
            if let map { return map.stop(cancelWork) }
            if kept == nil { workflow.cancel("interrupted") } else { cancelWork() }
        }
        let ticks = teller.startDrawing(inColors: arguments[.color]) { self.board.withLock { $0 } }
        let events = (map?.elements ?? workflow).events
        let elsewhere = kept?.skips(in: workflow)
        let reader = Task {
            for await event in events {
                // Elements of a stored map have a reader of their own: `follow(elements:of:)`.
                if map == nil, let task = event.task, task.path.count > 1 { continue }
                if let reason = elsewhere?.reason(of: event) { skip(event.name, reason: reason) }
                event.task != nil && hidden.contains(event.name)
                    ? noteHidden(event) : note(event, isElement: map != nil)
                map?.observe(event)
            }
        }
        let running = Task {
            if let kept {
                try await kept.run(workflow) { opened in
                    self.note(opened, of: workflow, showing: map)
                    map?.opened()
                }
            } else {
                map?.opened()
                try await workflow.run()
            }
        }
        work.withLock { $0 = running }
        // The signal may have come before the task existed.
        if isCancelled.withLock({ $0 }) { running.cancel() }
        let outcome = await running.result
        // Buffered events are still read; then the streams end.
        reader.cancel()
        await reader.value
        for waiter in order.withLock({ $0.end() }) { waiter.fulfill(()) }
        await readers.finish()
        ticks?.cancel()
        let code = try conclude(outcome, signals.received, isKept: kept != nil)
        if code != .success, let hint = kept?.hint { tell(hint) }
        do {
            try files.write(workflow, skips: skipReasons, hiding: secrets.withLock { $0 })
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
        } else if alwaysSummarizes, !arguments.isOn(.quiet) {
            // Earlier versions wrote events for --json: name the option that does.
            let events = arguments.isOn(.runObject) ? " (--log-format json writes events)" : ""
            teller.write(RunFrame(canvas: .init()).summary(board, at: now) + events)
        }
        if let signal, case .failure = outcome {
            tell("interrupted")
            return ExitCode.signalled(signal)
        }
        if case .failure(let error) = outcome {
            // Failures of tasks were reported already, and the hint reports the cancellation of a durable run.
            let isReported = board.failed > 0 || isKept && error is CancellationError
            if !isReported, !isGivenUp.withLock({ $0 }) { tell("\(error)") }
            return .failure
        }
        return .success
    }

    /// Returns whether an error means that nothing ran.
    private static func isBeforeRun(_ error: any Error) -> Bool {
        (error as? WorkflowError)?.code == .checkFailed || KeptFlow.isRefusal(error)
    }

    /// Records the steps of an opened durable run that are kept or repeated.
    private func note(_ opened: OpenedRun, of workflow: Workflow, showing map: ShownMap?) {
        let names = Set(opened.kept)
        board.withLock { board in
            if let map {
                let prefix = "\(map.elements.name)["
                board.keep(opened.kept.count { $0.hasPrefix(prefix) })
            } else {
                board.keep(workflow.allTasks.count { names.contains($0.name) && !($0 is FlowListTask) })
            }
        }
        if format == .json { return log(EventLog.entry(opened)) }
        guard !arguments.isOn(.quiet) else { return }
        if arguments[.runKey] == nil { tell("the run's key is \(opened.id.key)") }
        for line in opened.lines { tell(line) }
    }

    private func note(_ event: WorkflowEvent, isElement: Bool) {
        board.withLock { $0.apply(event) }
        // The elements of a crawl have no pipelines to order, and are many.
        if event.kind.isEnd, !isElement { order.withLock { $0.finish(event.name) } }
        if case .failed(let error) = event.kind, event.task != nil {
            return noteFailure(event, of: event.name, error)
        }
        if case .attemptFailed(let error, let wait) = event.kind {
            tellRetry(of: event.name, ErrorText.withoutName(event.name, error), wait)
        }
        log(entry(of: event))
        if case .started = event.kind, !isElement { begin(event.name) }
    }

    /// Reports the failure of a map's list as a failure of the map.
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

    /// Writes a line about a retry above the status line; the log has its own event.
    private func tellRetry(of what: String, _ error: String, _ wait: Duration) {
        guard screen != nil else { return }
        teller.note(
            "\(what) is tried again in \(Amounts.time(wait.seconds)): \(ErrorText.withoutBreaks(error))")
    }

    /// Converts an event to a log entry; the end of a skipped task becomes a `skipped` entry.
    private func entry(of event: WorkflowEvent) -> EventLog.Entry? {
        var reason: String?
        if case .finished = event.kind { reason = skipReasons[event.name] }
        return reason.map { EventLog.skipped(event.name, $0, at: event.time) } ?? EventLog.entry(event)
    }

    private func log(_ entry: EventLog.Entry?) { teller.log(entry) }

    private func tell(_ text: String) { teller.tell(text) }
}
