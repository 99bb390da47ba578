import Foundation
import SteplineSupport

/// Where a workflow and all its tasks stand: a machine that decides and does nothing.
///
/// Each event that can happen is a mutating method. What is to be done about it, once the lock is released, is
/// appended to ``due``, in order. Tasks are numbers, and all that is known of them is in a few arrays; what only
/// some tasks have is in tables beside them. Times are readings of the clock's `uptime`.
struct WorkflowState {
    let options: WorkflowOptions
    let limit: Int
    let width: Int

    var nodes = GrowingTable<TaskNode>()
    var parts = GrowingTable<TaskPart>()
    var edges = GrowingTable<TaskEdge>()
    /// The names given; empty for the default.
    var names = GrowingTable<String>()

    var queue = ReadyQueue()
    var due = DueLine()
    /// Threads that run bodies of this workflow.
    var workers = 0
    /// Those among them that look out whether they are needed.
    var lookouts = 0
    /// Bodies that have begun and not ended.
    var liveBodies = 0
    /// Tasks that may change by themselves: queued, Executing, in a wait, or with a live body.
    var busy = 0
    /// Counts the bodies begun; a helper sees by it how fast the work goes.
    var begun = 0
    /// How many tasks are in each state.
    var counts = StateCounts()
    /// Tasks without dependents that aren't Finished.
    var unfinishedLeaves = 0
    var lastMark: UInt32 = 0

    weak var workflow: Workflow?
    /// The workflow itself, while something is going on.
    var keepAlive: Workflow?
    var isRunning = false
    var isSettled = true
    var hasSettleDue = false
    var isDisbanded = false
    var cancelReason: String?
    /// Whether it runs inside another workflow.
    var isEnclosed = false
    /// Whether all tasks are told of: there is a delegate of the workflow, or a notification center.
    var tellsAll = false

    var readers = EventFanout<WorkflowEvent>()
    /// Whether events are made: there were readers, or attempts are kept.
    var isHeard = false
    var eventCount = 0
    /// When what is decided just now happens, where several events may come of it; they wait in `fresh`.
    var moment: Date?
    var fresh: [WorkflowEvent] = []
    let calendar: Double

    var tables: TaskTables

    init(name: String, options: WorkflowOptions, width: Int, calendar: Double) {
        tables = TaskTables(name: name)
        self.options = options
        self.calendar = calendar
        self.width = width
        // A limit of none would let everything wait in silence; `check()` tells of it.
        limit = max(1, options.maximumConcurrency ?? .max)
        if options.keptAttempts > 0 {
            tables.log = AttemptLog(kept: options.keptAttempts)
            isHeard = true
        }
    }

    var count: Int32 { Int32(truncatingIfNeeded: nodes.count) }

    /// Whether every task without dependents is Finished.
    var isComplete: Bool { unfinishedLeaves == 0 }

    // MARK: Small changes

    @inline(__always)
    mutating func set(_ index: Int, _ state: WorkflowTask.State) {
        counts.move(from: nodes[index].state, to: state)
        nodes[index].state = state
    }

    func isLeaf(_ index: Int) -> Bool { !nodes[index].flags.contains(.hasDependents) }

    func edgeRange(_ index: Int) -> Range<Int> {
        let first = Int(parts[index].firstEdge)
        return first..<first + Int(parts[index].edgeCount)
    }

    /// Whether an edge holds its dependent back no longer.
    func isSatisfied(_ edge: TaskEdge) -> Bool {
        let upstream = Int(edge.prerequisite)
        let flags = nodes[upstream].flags
        if edge.guards {
            return flags.contains(.released) || flags.contains(.blocked)
                || nodes[upstream].state == .cancelled
        }
        if flags.contains(.released) {
            let state = nodes[upstream].state
            return state == .finished || (edge.allowsFailure && state == .failed)
        }
        return edge.allowsFailure && flags.contains(.blockedByFailure)
    }

    /// A snapshot; for use under the lock.
    func snapshot(_ index: Int) -> WorkflowTask.Snapshot {
        let node = nodes[index]
        let hasEnded = node.state == .finished || node.state == .failed
        return WorkflowTask.Snapshot(
            state: node.state,
            attempt: Int(node.attempt),
            result: node.state == .finished ? parts[index].value : nil,
            error: node.state == .failed ? (parts[index].value as? TaskFailure)?.error : nil,
            finishDate: hasEnded ? date(parts[index].endedAt) : nil
        )
    }

    /// Appends what listeners of a task are to be told, if there are any.
    mutating func tell(_ index: Int, _ kind: TaskChange.Kind, from old: WorkflowTask.State) {
        guard isTold(index) else { return }
        if !tellsAll, !nodes[index].flags.contains(.tells), !kind.hasHook { return }
        let change = WorkflowTask.Change(oldState: old, snapshot: snapshot(index))
        due.append(
            .tell(Int32(truncatingIfNeeded: index), TaskChange(kind: kind, event: eventCount, change: change))
        )
    }

    @inline(__always)
    func isTold(_ index: Int) -> Bool {
        tellsAll || !nodes[index].flags.isDisjoint(with: [.tells, .hasHooks])
    }

    /// A task may change by itself from now on, or no longer.
    mutating func recount(_ index: Int) {
        let isBusy = isBusy(index)
        guard isBusy != nodes[index].flags.contains(.counted) else { return }
        if isBusy {
            nodes[index].flags.insert(.counted)
            busy += 1
            wake()
        } else {
            nodes[index].flags.remove(.counted)
            busy -= 1
            settleIfIdle()
        }
    }

    /// Something is going on; the workflow stays alive until it has settled.
    mutating func wake() {
        guard isSettled else { return }
        isSettled = false
        keepAlive = workflow
    }

    @inline(__always)
    func isBusy(_ index: Int) -> Bool {
        nodes[index].state == .executing || nodes[index].live != 0
            || !nodes[index].flags.isDisjoint(with: .waiting)
    }

    mutating func settleIfIdle() {
        guard busy == 0, !isSettled, !hasSettleDue else { return }
        hasSettleDue = true
        due.append(.settle)
    }
}

/// How many tasks are in each state.
struct StateCounts {
    private var counts = SIMD8<Int>()

    subscript(_ state: WorkflowTask.State) -> Int {
        get { counts[Int(state.rawValue)] }
        set { counts[Int(state.rawValue)] = newValue }
    }

    @inline(__always)
    mutating func move(from old: WorkflowTask.State, to new: WorkflowTask.State) {
        counts[Int(old.rawValue)] &-= 1
        counts[Int(new.rawValue)] &+= 1
    }
}
