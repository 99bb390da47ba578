package import Foundation
import SteplineSupport
package import SteplineWorkflow

/// A worker: executes steps that run owners offer, until it is asked to leave or has been idle for too long.
///
/// The worker's thread claims steps, builds their workflows and hands in ends. A second thread only renews the lease,
/// which no code of a user's delays therefore; see ``WorkerLease``. Bodies run as those of any workflow do.
package final class StepWorker: Sendable {
    private struct Inbox {
        var ends: [WorkerSession.BodyEnd] = []  // reported by bodies, in order
        var hasNews = true  // a notification came since the last pass
        var isLeaving = false  // `leave()` was called
        /// The owned runs, each with its Swift task; nil between reservation and start of the task.
        var owned: [RunID: Task<Void, Never>?] = [:]
        /// Runs that can't be taken over, each with the uptime of the next try.
        var passed: [RunID: Duration] = [:]
    }

    /// The pause before another try to take over a run.
    private static let patience = Duration.seconds(60)

    private let store: any SharedRunStore
    private let workflow: String
    private let settings: WorkerSettings
    private let clock: any StepClock
    private let workflows: WorkedWorkflows
    private let tell: @Sendable (WorkerNews) -> Void
    private let inbox = Locked(Inbox())
    private let bell = DispatchSemaphore(value: 0)  // signalled for each change of the inbox

    package init(
        of workflow: String, in store: any SharedRunStore, _ settings: WorkerSettings,
        workflows: WorkedWorkflows, tell: @escaping @Sendable (WorkerNews) -> Void = { _ in }
    ) {
        self.workflow = workflow
        self.store = store
        self.settings = settings
        clock = settings.clock
        self.workflows = workflows
        self.tell = tell
    }

    /// Creates a worker for workflows that depend on the run's input only.
    ///
    /// - Parameters:
    ///   - workflow: The name of the workflow.
    ///   - store: The store of the runs.
    ///   - settings: The worker's slots, limits and clock.
    ///   - build: Returns the workflow for an input.
    ///   - tell: Called on the worker's threads with news.
    package convenience init(
        of workflow: String, in store: any SharedRunStore, _ settings: WorkerSettings,
        build: @escaping @Sendable (Data?) throws -> Workflow,
        tell: @escaping @Sendable (WorkerNews) -> Void = { _ in }
    ) {
        self.init(
            of: workflow, in: store, settings, workflows: WorkedWorkflows { run, _ in try build(run.input) },
            tell: tell)
    }

    /// Executes steps until the worker leaves; cancelling the Swift task makes it leave.
    package func run() async throws {
        let result = OneShot<Void>()
        let failure = Locked<(any Error)?>(nil)
        // A thread of its own: blocking store calls must not occupy Swift's pool.
        let thread = Thread {
            do { try self.work() } catch { failure.withLock { $0 = error } }
            result.fulfill(())
        }
        thread.name = "stepline.worker"
        thread.start()
        await withTaskCancellationHandler {
            await result.value
        } onCancel: {
            leave()
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Asks the worker to leave: it claims nothing more and returns steps that don't end within the grace.
    package func leave() {
        inbox.withLock { $0.isLeaving = true }
        bell.signal()
    }

    private func hear() {
        inbox.withLock { $0.hasNews = true }
        bell.signal()
    }

    private func hear(_ end: WorkerSession.BodyEnd) {
        inbox.withLock { $0.ends.append(end) }
        bell.signal()
    }

    // MARK: The loop

    private func work() throws {
        // Created on this thread, the only one that uses the session.
        let session = try WorkerSession(
            store, workflow, settings, workflows, tell, news: { [weak self] in self?.hear() },
            ended: { [weak self] in self?.hear($0) })
        defer {
            // Also after an error: no other code cancels the owned runs.
            cancelOwned()
            session.close()
            tell(.left)
        }
        let keeper = Thread { [lease = session.lease] in lease.keep() }
        keeper.name = "stepline.lease"
        keeper.start()
        // The uptime of the next heartbeat, at which it also looks for work and for runs without an owner.
        var nextLook = clock.uptime
        var areRunsLeft = false
        var leaveBy: Duration?
        while true {
            // Clear the flag before reading the store: a notification in between sets it again.
            let (ends, hasNews, isLeaving) = inbox.withLock { inbox in
                defer { (inbox.ends, inbox.hasNews) = ([], false) }
                return (inbox.ends, inbox.hasNews, inbox.isLeaving)
            }
            let isDue = clock.uptime >= nextLook
            session.signals.sendRest()
            try session.take(ends)
            var areStepsWaiting = !ends.isEmpty || hasNews
            if isDue || hasNews {
                let beat = try session.beat(asIdle: session.isIdle && !hasNews)
                // An own end or a notification can mean new work even if the heartbeat's answer is older.
                areStepsWaiting = areStepsWaiting || beat.areStepsWaiting
                areRunsLeft = beat.areRunsLeft
            }
            if isLeaving {
                if leaveBy == nil {
                    // Once, on the first pass after the request.
                    cancelOwned()
                    try session.handBackUnbegun()
                }
                let end = leaveBy ?? clock.uptime + settings.grace
                leaveBy = end
                // Owned runs must have stored their state before this worker disconnects.
                let isDone = session.isIdle && inbox.withLock(\.owned.isEmpty)
                if isDone || clock.uptime >= end { return try session.signals.expectRestSent() }
            } else {
                if areStepsWaiting { try session.claim() }
                if isDue && areRunsLeft { try takeOver() }
            }
            let idleEnd = idleEnd(session)
            if let idleEnd, clock.uptime >= idleEnd { return }
            let look = clock.uptime + session.lease.pause(isIdle: session.isIdle && !areRunsLeft)
            nextLook = isDue ? look : min(look, nextLook)
            wait(for: session.rest, until: [leaveBy, idleEnd].compactMap(\.self).reduce(nextLook, min))
        }
    }

    /// Returns the uptime at which the worker leaves for lack of work; nil while it has work or no limit.
    private func idleEnd(_ session: WorkerSession) -> Duration? {
        guard let idle = settings.idle, session.isIdle, inbox.withLock({ $0.owned.isEmpty }) else {
            return nil
        }
        return session.idleSince.map { $0 + idle }
    }

    private func wait(for rest: Duration?, until date: Duration) {
        bell.wait(until: rest.map { min(clock.uptime + $0, date) } ?? date, by: clock)
    }

    // MARK: Owning runs

    /// Takes over runs that are open to workers and have no living owner.
    private func takeOver() throws {
        let now = clock.uptime
        inbox.withLock { inbox in inbox.passed = inbox.passed.filter { now < $0.value } }
        for run in try store.ownerless(of: workflow) {
            let isNew = inbox.withLock { inbox in
                guard inbox.owned[run.id] == nil, inbox.passed[run.id] == nil else { return false }
                // Reserve the run before the task starts, so that the next pass doesn't start a second one.
                inbox.owned[run.id] = .some(nil)
                return true
            }
            guard isNew else { continue }
            let task = Task {
                // Blocking parts of the ownership run elsewhere; see `Blocking`.
                await own(run)
                inbox.withLock { _ = $0.owned.removeValue(forKey: run.id) }
                hear()
            }
            // The task may have ended and removed its entry already: don't add it again.
            inbox.withLock { if $0.owned[run.id] != nil { $0.owned[run.id] = .some(task) } }
        }
    }

    private func cancelOwned() {
        for task in inbox.withLock({ $0.owned.values }) { task?.cancel() }
    }

    /// Owns one run until it ends or can't be owned here; the store then has its state.
    private func own(_ run: RunRecord) async {
        let isOwner = Locked(false)
        do {
            let workflow = try await Blocking.call { [workflows] in try workflows.make(run, isOwned: true) }
            _ = try await workflow.run(
                in: store, key: run.id.key, retryingFailures: false, input: run.input, on: .worker
            ) { [tell] _ in
                isOwner.withLock { $0 = true }
                tell(.owns(run.id))
            }
        } catch {
            // Another worker has the run, it has ended or was cancelled, or this worker leaves. A `WorkflowError` of an
            // opened run is about failed steps, which the store has.
            let code = (error as? RunStoreError)?.code
            let isExpected =
                code == .inProgress || code == .ownershipLost || error is CancellationError
                || (error is WorkflowError && isOwner.withLock(\.self))
            if !isExpected {
                // The run stays without an owner. Another try at once would end in the same way.
                let end = clock.uptime + Self.patience
                inbox.withLock { $0.passed[run.id] = end }
                tell(.cannotOwn(run.id, reason: ErrorText.line(error)))
            }
        }
        // Not after an error before the opening: this worker never became the owner.
        if isOwner.withLock(\.self) { tell(.owned(run.id)) }
    }
}
