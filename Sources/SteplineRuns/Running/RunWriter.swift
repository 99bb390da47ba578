import Dispatch
import Foundation
import SteplineSupport
import SteplineWorkflow

/// The writer of a run: batches changes of steps and confirms them to the workflows.
///
/// Group commit: while one write is active, new changes gather and go into the next write. A single short chain of
/// steps writes on its own threads without a hand-off. `state` is a lock; it is never held during a write or a
/// callback.
///
/// | state | meaning |
/// |---|---|
/// | idle | `waiting` and `signals` are empty |
/// | due | a begin waits for a write in 2 ms, or for an earlier write of an awaited change |
/// | writing | one thread is in `write()`; others only append |
/// | failed | `failure` is set; awaited items are rejected, others dropped |
///
/// **Invariants.** One thread writes at a time (`isWriting`). Changes reach the store in the order of `add`. A signal
/// reaches the store before all changes added after it. An awaited entry receives exactly one of `wasKept`,
/// `wasRefused` and `wasNotKept`.
///
/// **Failure.** After a failed write the writer stores nothing further. The workflow is cancelled, cleanups included,
/// with the reason `.storeFailed`. A task whose end wasn't stored becomes Cancelled, so its dependents don't begin.
/// `DurableRun` throws the error, and the run has no ending. With `isRelaxed` an end counts before it is stored, and
/// dependents of the task may have begun. A file that other processes keep busy is tried three times before that.
///
/// A full disk is no fault of the bodies that it stops. `release()` then clears their attempts, once they have stopped,
/// so that the next opening doesn't count an interruption. That write is small, and fails only if no space at all is
/// left.
///
/// **Costs.** One transaction for each batch of at most 4,096 changes or 16 MiB of results.
final class RunWriter: Sendable {
    /// A change, with the workflow entry to confirm.
    struct Item: Sendable {
        let change: StepChange
        let part: RunPart
        let entry: JournalEntry
    }

    private struct State {
        var waiting = WaitingChanges()  // added, not yet taken by a write
        var signals: [RunSignal] = []  // written before all items
        var isWriting = false
        var isDue = false  // a delayed write is scheduled
        var failure: (any Error)?  // set once, never cleared
        var idle: [OneShot<Void>] = []  // callers of `flush`
        /// The numbers of added and stored items.
        var (added, kept) = (0, 0)
        /// Callbacks, each with the value of `kept` that it waits for.
        var hearers: [(count: Int, call: @Sendable () -> Void)] = []
        var executed: [String] = []  // steps whose end is stored, in order
        /// The changes that clear the attempts whose ends aren't stored because of the failure; by step.
        var stopped: [String: StepChange] = [:]
        var latest = Date.distantPast  // the latest date given to a change

        /// Records the attempts whose ends are lost.
        mutating func stop(_ changes: [StepChange]) {
            for change in changes where change.endsAttempt {
                var change = change
                change.kind = .cleared
                stopped[change.step] = change
            }
        }

        /// Adds a change; raises its date to the latest date, so that no attempt ends before it began.
        ///
        /// Two threads may read the clock in one order and add their changes in the other. A difference of more than a
        /// second comes from a clock that was set back: leave it.
        mutating func add(_ item: borrowing Item) {
            let date = item.change.date
            latest = latest > date && latest.timeIntervalSince(date) < 1 ? latest : date
            waiting.append(item, at: latest)
            added += 1
        }
    }

    /// The delay in milliseconds of changes that no task waits for.
    private static let delay = 2
    /// The number of tries of one batch, each as long as the store waits for other processes.
    private static let tries = 3
    private let run: any OpenRun
    private let faults: FaultPlan
    private let send: @Sendable (RunSignal) throws -> Void
    private let failed: @Sendable () -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.writer", attributes: .concurrent)

    /// Creates the writer of a run.
    ///
    /// - Parameters:
    ///   - run: The open run.
    ///   - faults: The faults that tests inject.
    ///   - send: Stores a signal.
    ///   - failed: Called when nothing can be stored any more; stops the workflow.
    init(
        _ run: any OpenRun, faults: FaultPlan, send: @escaping @Sendable (RunSignal) throws -> Void,
        failed: @escaping @Sendable () -> Void
    ) {
        self.run = run
        self.faults = faults
        self.send = send
        self.failed = failed
    }

    /// The error after which nothing can be stored.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The ended steps, in the order in which their ends were stored.
    var executed: [String] { state.withLock { $0.executed } }

    /// Adds a change; returns true if it is stored already, and the caller confirms its entry.
    func add(_ item: Item) -> Bool {
        let next = state.withLock { state -> Next in
            // After a failure the store can't be trusted: reject everything.
            guard state.failure == nil else {
                state.stop([item.change])
                return .refuse
            }
            state.add(item)
            // The active writer takes this item in its next batch.
            guard !state.isWriting else { return .nothing }
            // No task waits for a begin. Delay it by 2 ms: if the step ends by then, both go into one write.
            guard item.entry.isAwaited else {
                defer { state.isDue = true }
                return state.isDue ? .nothing : .writeLater
            }
            state.isWriting = true
            return .write
        }
        switch next {
        case .nothing: break
        case .writeLater: Stages.async(on: queue, after: Self.delay) { self.writeIfRequested() }
        // The caller's thread may block: write here and save the hand-off to another thread.
        case .write where item.entry.mayBlock: return write(except: item.entry)
        case .write: Stages.async(on: queue) { self.write() }
        case .refuse:
            if item.entry.isAwaited {
                // On another thread: the caller still performs the effects of its transaction. `wasNotKept` cancels the
                // workflow in a transaction of its own, and waits for its lock.
                Stages.async(on: queue) { item.part.workflow.wasNotKept([item.entry]) }
            }
        }
        return false
    }

    private enum Next { case nothing, write, writeLater, refuse }

    /// Stores a signal from this process before all changes added later.
    func add(_ signal: RunSignal) {
        let begins = state.withLock { state in
            guard state.failure == nil else { return false }
            state.signals.append(signal)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { Stages.async(on: queue) { self.write() } }
    }

    /// Fails the run after an error outside a write.
    func fail(_ error: any Error) {
        let lost = state.withLock { state in
            // Keep the first error: later ones are consequences.
            if state.failure == nil { state.failure = error }
            let lost = state.waiting.all
            for batch in lost { state.stop(batch.changes) }
            (state.waiting, state.signals, state.hearers) = (WaitingChanges(), [], [])
            return lost
        }
        // After unlock: both call into the workflow.
        for batch in lost { batch.tell { $0.wasNotKept($1) } }
        failed()
    }

    /// Clears the attempts that a full disk has stopped; called once all bodies have stopped.
    func release() {
        let (failure, stopped) = state.withLock { ($0.failure, Array($0.stopped.values)) }
        // After another failure the store may be damaged, or have another owner.
        guard (failure as? RunStoreError)?.code == .full, !stopped.isEmpty else { return }
        _ = try? run.write(stopped)
    }

    /// Calls a closure once everything added so far is stored; never calls it if that fails.
    func whenKept(_ call: @escaping @Sendable () -> Void) {
        let (isKept, begins) = state.withLock { state in
            guard state.failure == nil else { return (false, false) }
            guard state.kept < state.added else { return (true, false) }
            state.hearers.append((state.added, call))
            defer { state.isWriting = true }
            return (false, !state.isWriting)
        }
        if isKept { call() }
        if begins { Stages.async(on: queue) { self.write() } }
    }

    /// Waits until everything added so far is stored, or can't be stored.
    func flush() async {
        let idle = OneShot<Void>()
        let (waits, begins) = state.withLock { state in
            let hasWork = !state.waiting.isEmpty || !state.signals.isEmpty
            guard state.isWriting || hasWork else { return (false, false) }
            state.idle.append(idle)
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if begins { Stages.async(on: queue) { self.write() } }
        if waits { await idle.value }
    }

    // MARK: Writing

    /// Writes one batch, hands over to the next writer, then confirms the batch.
    ///
    /// Handing over first lets the next write overlap with the confirmations, which run code of the workflow.
    ///
    /// - Parameter own: An entry that isn't confirmed here if it is stored.
    /// - Returns: Whether this entry is stored.
    @discardableResult
    private func write(except own: JournalEntry? = nil) -> Bool {
        guard let (signals, batch) = next() else {
            passOn()
            return false
        }
        let refused: Set<Int>
        do { refused = try store(signals, batch.changes) } catch {
            state.withLock { $0.stop(batch.changes) }
            // Set the failure before handing over, so that the next writer finds an empty queue.
            fail(error)
            passOn()
            batch.tell { $0.wasNotKept($1) }
            return false
        }
        let hearers = note(batch, refused)
        passOn()
        for hearer in hearers { hearer() }
        var isOwnKept = false
        batch.tell(where: { place, entry in
            guard !refused.contains(place) else { return false }
            if entry === own { isOwnKept = true }
            return entry !== own
        }) { $0.wasKept($1) }
        // A refused change: the store has a later attempt of the step.
        if !refused.isEmpty {
            batch.tell(where: { place, _ in refused.contains(place) }) { $0.wasRefused($1) }
        }
        return isOwnKept
    }

    /// Stores signals and changes; returns the places of refused changes.
    private func store(_ signals: [RunSignal], _ changes: [StepChange]) throws -> Set<Int> {
        var tries = 1
        while true {
            do {
                // Signals first: a crash in between repeats the step that sent them, instead of losing them.
                for signal in signals { try send(signal) }
                if changes.isEmpty { return [] }
                return Set(try faults.commitOnStage { try run.write(changes) })
            } catch let error as RunStoreError where error.code == .busy && canRepeat && tries < Self.tries {
                tries += 1
            }
        }
    }

    /// Whether a busy store has certainly stored nothing.
    ///
    /// A server's store repeats its transactions itself. The answer to an earlier commit of the batch may be lost, and
    /// the store would refuse the changes as repeated ends.
    private var canRepeat: Bool { !(run is any SharedRun) }

    private func writeIfRequested() {
        let begins = state.withLock { state in
            state.isDue = false
            // An awaited change may have written the begin already, or its writer is active.
            guard !state.isWriting, !state.waiting.isEmpty else { return false }
            state.isWriting = true
            return true
        }
        if begins { write() }
    }

    private func next() -> ([RunSignal], ChangeBatch)? {
        state.withLock { state in
            guard !state.waiting.isEmpty || !state.signals.isEmpty else { return nil }
            defer { state.signals = [] }
            return (state.signals, state.waiting.takeBatch())
        }
    }

    /// Lets another thread write the changes that have gathered meanwhile.
    private func passOn() {
        let (continues, idle) = state.withLock { state in
            // `isWriting` stays set during the hand-off, so that no third thread starts a write.
            state.isWriting = !state.waiting.isEmpty || !state.signals.isEmpty
            defer { if !state.isWriting { state.idle = [] } }
            return (state.isWriting, state.isWriting ? [] : state.idle)
        }
        for waiter in idle { waiter.fulfill(()) }
        if continues { Stages.async(on: queue) { self.write() } }
    }

    /// Records the end of a step whose end isn't written here.
    func note(_ step: String) { state.withLock { $0.executed.append(step) } }

    /// Records ended steps, and returns the callbacks whose items are stored now.
    private func note(_ batch: ChangeBatch, _ refused: Set<Int>) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.kept += batch.changes.count
            // A refused end belongs to a stale attempt and doesn't count.
            for (place, origin) in batch.origins.enumerated()
            where origin.entry.isEnd && !refused.contains(place) {
                state.executed.append(batch.changes[place].step)
            }
            guard !state.hearers.isEmpty else { return [] }
            let kept = state.kept
            defer { state.hearers.removeAll { $0.count <= kept } }
            return state.hearers.filter { $0.count <= kept }.map(\.call)
        }
    }
}

extension StepChange {
    /// Whether the attempt is over after the change, and may be `running` in the store without it.
    fileprivate var endsAttempt: Bool {
        switch kind {
        case .finished, .failed, .waiting, .cleared: true
        // A step that was cancelled stays so.
        case .began, .cancelled: false
        }
    }
}
