package import Foundation
import SteplineSupport
package import SteplineWorkflow

/// Runs steps of a workflow's runs that their owners offer, until it is asked to leave or has had nothing to do for long.
///
/// The worker's thread claims steps, builds their workflows and hands in ends. A second thread only renews the lease,
/// which no code of a user's delays therefore; see ``WorkerLease``. Bodies run as those of any workflow do.
package final class StepWorker: Sendable {
    private struct Inbox {
        var ends: [WorkerDesk.BodyEnd] = []
        var hasNews = true
        var isLeaving = false
        /// Runs that this worker owns, and the Swift tasks in which it does.
        var owned: [RunID: Task<Void, Never>?] = [:]
        /// The runs that it could not take over, and the uptime until which it doesn't try again.
        var passed: [RunID: Duration] = [:]
    }

    /// For how long it leaves a run to others that it couldn't take over.
    private static let patience = Duration.seconds(60)

    private let store: any SharedRunStore
    private let workflow: String
    private let settings: WorkerSettings
    private let clock: any StepClock
    private let workflows: WorkedWorkflows
    private let tell: @Sendable (WorkerNews) -> Void
    private let inbox = Locked(Inbox())
    private let bell = DispatchSemaphore(value: 0)

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

    /// `build` makes the workflow that a run with that input has.
    package convenience init(
        of workflow: String, in store: any SharedRunStore, _ settings: WorkerSettings,
        build: @escaping @Sendable (Data?) throws -> Workflow,
        tell: @escaping @Sendable (WorkerNews) -> Void = { _ in }
    ) {
        self.init(
            of: workflow, in: store, settings, workflows: WorkedWorkflows { run, _ in try build(run.input) },
            tell: tell)
    }

    /// Works until it has nothing to do for long, or is asked to leave; cancelling the Swift task asks it.
    package func run() async throws {
        let result = OneShot<Void>()
        let failure = Locked<(any Error)?>(nil)
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

    /// Asks it to leave: it takes nothing more, and gives back what isn't over within the grace.
    package func leave() {
        inbox.withLock { $0.isLeaving = true }
        bell.signal()
    }

    private func hear() {
        inbox.withLock { $0.hasNews = true }
        bell.signal()
    }

    private func hear(_ end: WorkerDesk.BodyEnd) {
        inbox.withLock { $0.ends.append(end) }
        bell.signal()
    }

    // MARK: The loop

    private func work() throws {
        let desk = try WorkerDesk(
            store, workflow, settings, workflows, tell, news: { [weak self] in self?.hear() },
            ended: { [weak self] in self?.hear($0) })
        defer {
            cancelOwned()
            desk.close()
            tell(.left)
        }
        let keeper = Thread { [lease = desk.lease] in lease.keep() }
        keeper.name = "stepline.lease"
        keeper.start()
        // The uptime of the next heartbeat, at which it also looks for work and for runs without an owner.
        var nextLook = clock.uptime
        var areRunsLeft = false
        var leaveBy: Duration?
        while true {
            let (ends, hasNews, isLeaving) = inbox.withLock { inbox in
                defer { (inbox.ends, inbox.hasNews) = ([], false) }
                return (inbox.ends, inbox.hasNews, inbox.isLeaving)
            }
            let isDue = clock.uptime >= nextLook
            desk.signals.sendRest()
            try desk.take(ends)
            var areStepsWaiting = !ends.isEmpty || hasNews
            if isDue || hasNews {
                let beat = try desk.beat(asIdle: desk.isIdle && !hasNews)
                areStepsWaiting = areStepsWaiting || beat.areStepsWaiting
                areRunsLeft = beat.areRunsLeft
            }
            if isLeaving {
                if leaveBy == nil {
                    cancelOwned()
                    try desk.handBackUnbegun()
                }
                let end = leaveBy ?? clock.uptime + settings.grace
                leaveBy = end
                // Runs that it owns are left as they stand, once that is kept.
                let isDone = desk.isIdle && inbox.withLock(\.owned.isEmpty)
                if isDone || clock.uptime >= end { return try desk.signals.expectRestSent() }
            } else {
                if areStepsWaiting { try desk.claim() }
                if isDue && areRunsLeft { try takeOver() }
            }
            let idleEnd = idleEnd(desk)
            if let idleEnd, clock.uptime >= idleEnd { return }
            let look = clock.uptime + desk.lease.pause(isIdle: desk.isIdle && !areRunsLeft)
            nextLook = isDue ? look : min(look, nextLook)
            wait(for: desk.rest, until: [leaveBy, idleEnd].compactMap(\.self).reduce(nextLook, min))
        }
    }

    /// When it leaves because nothing is to be done.
    private func idleEnd(_ desk: WorkerDesk) -> Duration? {
        guard let idle = settings.idle, desk.isIdle, inbox.withLock({ $0.owned.isEmpty }) else { return nil }
        return desk.idleSince.map { $0 + idle }
    }

    private func wait(for rest: Duration?, until date: Duration) {
        bell.wait(until: rest.map { min(clock.uptime + $0, date) } ?? date, by: clock)
    }

    // MARK: Owning runs

    /// Becomes the owner of runs that are left to workers, and that nobody owns.
    private func takeOver() throws {
        let now = clock.uptime
        inbox.withLock { inbox in inbox.passed = inbox.passed.filter { now < $0.value } }
        for run in try store.ownerless(of: workflow) {
            let isNew = inbox.withLock { inbox in
                guard inbox.owned[run.id] == nil, inbox.passed[run.id] == nil else { return false }
                inbox.owned[run.id] = .some(nil)
                return true
            }
            guard isNew else { continue }
            let task = Task {
                await own(run)
                inbox.withLock { _ = $0.owned.removeValue(forKey: run.id) }
                hear()
            }
            inbox.withLock { if $0.owned[run.id] != nil { $0.owned[run.id] = .some(task) } }
        }
    }

    private func cancelOwned() {
        for task in inbox.withLock({ $0.owned.values }) { task?.cancel() }
    }

    /// Whatever ends it here, the store says how the run stands.
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
        } catch let error where !isOwner.withLock(\.self) {
            // Who was quicker has it, or has ended it.
            let code = (error as? RunStoreError)?.code
            if code == .inProgress || code == .ownershipLost || error is CancellationError { return }
            let end = clock.uptime + Self.patience
            inbox.withLock { $0.passed[run.id] = end }
            return tell(.cannotOwn(run.id, reason: ErrorText.line(error)))
        } catch {}
        tell(.owned(run.id))
    }
}
