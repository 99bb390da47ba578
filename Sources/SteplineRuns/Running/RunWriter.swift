import Dispatch
import Foundation
import SteplineSupport
import SteplineWorkflow

/// Writes what becomes of a run's steps: all that has come while the last write went on, in one.
final class RunWriter: Sendable {
    /// Something to be kept, and who waits for it.
    struct Item: Sendable {
        var change: StepChange
        let part: RunPart
        let entry: JournalEntry
    }

    private struct State {
        var waiting: [Item] = []
        var signals: [RunSignal] = []
        var isWriting = false
        /// Whether a write will begin by itself before long.
        var isDue = false
        var failure: (any Error)?
        var idle: [OneShot<Void>] = []
        /// How many items have come, and how many of them are kept.
        var (added, kept) = (0, 0)
        /// Who waits until so many are kept.
        var hearers: [(count: Int, call: @Sendable () -> Void)] = []
        var executed: [String] = []
        var latest = Date.distantPast

        /// Two threads may look at the clock in another order than that in which they tell: no attempt ends before it began.
        ///
        /// A clock that was set back is another matter.
        mutating func putInOrder(_ item: inout Item) {
            if latest > item.change.date, latest.timeIntervalSince(item.change.date) < 1 {
                item.change.date = latest
            }
            latest = item.change.date
        }
    }

    /// How many milliseconds something waits that nobody waits for.
    private static let delay = 2
    /// How many changes go into one write.
    private static let most = 4096
    /// How many bytes of results go into one write, unless one result is larger.
    static let mostBytes = 16 << 20

    private let run: any OpenRun
    private let faults: FaultPlan
    private let send: @Sendable (RunSignal) throws -> Void
    private let failed: @Sendable () -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.writer", attributes: .concurrent)

    /// `failed` is called when nothing can be kept any more: whatever goes on is to stop.
    init(
        _ run: any OpenRun, faults: FaultPlan, send: @escaping @Sendable (RunSignal) throws -> Void,
        failed: @escaping @Sendable () -> Void
    ) {
        self.run = run
        self.faults = faults
        self.send = send
        self.failed = failed
    }

    /// Why nothing can be kept any more.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The steps that have ended, in the order in which that was kept.
    var executed: [String] { state.withLock { $0.executed } }

    func add(_ item: Item) {
        let next = state.withLock { state -> Next in
            guard state.failure == nil else { return .refuse }
            var item = item
            state.putInOrder(&item)
            state.waiting.append(item)
            state.added += 1
            guard !state.isWriting else { return .nothing }
            // A begin that nobody waits for is best written with the end, if that comes soon.
            guard item.entry.isAwaited else {
                defer { state.isDue = true }
                return state.isDue ? .nothing : .writeLater
            }
            state.isWriting = true
            return .write
        }
        switch next {
        case .nothing: break
        case .writeLater: Stages.async(on: queue, after: Self.delay) { self.writeIfWanted() }
        // Who may be held up writes by itself: a chain needs no other thread.
        case .write where item.entry.mayBlock: write()
        case .write: Stages.async(on: queue) { self.write() }
        case .refuse:
            if item.entry.isAwaited {
                Stages.async(on: queue) { item.part.workflow.wasNotKept([item.entry]) }
            }
        }
    }

    private enum Next { case nothing, write, writeLater, refuse }

    /// Keeps word of something that has come within this process, before anything that follows from it.
    func add(_ signal: RunSignal) {
        let begins = state.withLock { state in
            guard state.failure == nil else { return false }
            state.signals.append(signal)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { Stages.async(on: queue) { self.write() } }
    }

    /// Something failed beside the writes: the run is over.
    func fail(_ error: any Error) {
        let (lost, hearers) = state.withLock { state in
            if state.failure == nil { state.failure = error }
            state.signals = []
            defer { (state.waiting, state.hearers) = ([], []) }
            return (state.waiting, state.hearers)
        }
        tell(lost) { $0.wasNotKept($1) }
        for hearer in hearers { hearer.call() }
        failed()
    }

    /// Calls once all that has been given to it so far is kept, or can't be.
    func whenKept(_ call: @escaping @Sendable () -> Void) {
        let (isKept, begins) = state.withLock { state in
            guard state.failure == nil, state.kept < state.added else { return (true, false) }
            state.hearers.append((state.added, call))
            defer { state.isWriting = true }
            return (false, !state.isWriting)
        }
        if isKept { call() }
        if begins { Stages.async(on: queue) { self.write() } }
    }

    /// Waits until all that has been given to it is kept, or can't be.
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

    /// Writes what waits, and tells of it when the next write is somebody else's: who is told may take its time.
    private func write() {
        guard let (signals, items) = next() else { return passOn() }
        var refused: Set<Int> = []
        do {
            for signal in signals { try send(signal) }
            if !items.isEmpty {
                refused = Set(try faults.commitOnStage { try run.write(items.map(\.change)) })
            }
        } catch {
            fail(error)
            passOn()
            return tell(items.filter(\.entry.isAwaited)) { $0.wasNotKept($1) }
        }
        let hearers = note(items, refused)
        passOn()
        for hearer in hearers { hearer() }
        let awaited = items.indices.filter { items[$0].entry.isAwaited }
        if refused.isEmpty {
            tell(awaited.map { items[$0] }) { $0.wasKept($1) }
        } else {
            tell(awaited.filter { !refused.contains($0) }.map { items[$0] }) { $0.wasKept($1) }
            tell(awaited.filter { refused.contains($0) }.map { items[$0] }) { $0.wasRefused($1) }
        }
    }

    private func writeIfWanted() {
        let begins = state.withLock { state in
            state.isDue = false
            guard !state.isWriting, !state.waiting.isEmpty else { return false }
            state.isWriting = true
            return true
        }
        if begins { write() }
    }

    private func next() -> ([RunSignal], [Item])? {
        state.withLock { state in
            guard !state.waiting.isEmpty || !state.signals.isEmpty else { return nil }
            defer { state.signals = [] }
            var bytes = 0
            let items = state.waiting.prefix(Self.most).prefix { item in
                defer { bytes += item.size }
                return bytes == 0 || bytes + item.size <= Self.mostBytes
            }
            if items.count == state.waiting.count {
                defer { state.waiting = [] }
                return (state.signals, state.waiting)
            }
            state.waiting.removeFirst(items.count)
            return (state.signals, Array(items))
        }
    }

    /// Lets another thread write what has come meanwhile, if anything has.
    private func passOn() {
        let (goesOn, idle) = state.withLock { state in
            state.isWriting = !state.waiting.isEmpty || !state.signals.isEmpty
            defer { if !state.isWriting { state.idle = [] } }
            return (state.isWriting, state.isWriting ? [] : state.idle)
        }
        for waiter in idle { waiter.fulfill(()) }
        if goesOn { Stages.async(on: queue) { self.write() } }
    }

    /// A step has ended of which nothing is to be kept.
    func note(_ step: String) { state.withLock { $0.executed.append(step) } }

    /// Remembers which steps have ended; returns who has waited for what is kept now.
    private func note(_ items: [Item], _ refused: Set<Int>) -> [@Sendable () -> Void] {
        state.withLock { state in
            state.kept += items.count
            for (place, item) in items.enumerated() where item.isEnd && !refused.contains(place) {
                state.executed.append(item.change.step)
            }
            let kept = state.kept
            defer { state.hearers.removeAll { $0.count <= kept } }
            return state.hearers.filter { $0.count <= kept }.map(\.call)
        }
    }

    /// Tells the workflows of their entries.
    private func tell(_ items: [Item], _ how: (Workflow, [JournalEntry]) -> Void) {
        var rest = items[...]
        while let part = rest.first?.part {
            let own = rest.prefix { $0.part === part }
            rest = rest.dropFirst(own.count)
            how(part.workflow, own.map(\.entry))
        }
    }
}

extension RunWriter.Item {
    /// The bytes of its result.
    fileprivate var size: Int {
        if case .finished(let data?) = change.kind { data.count } else { 0 }
    }

    fileprivate var isEnd: Bool {
        switch entry.kind {
        case .finished, .failed: true
        case .began, .awaits, .retries, .cancelled, .cleared, .fulfilled: false
        }
    }
}
