import Foundation
import SteplinePipeline
import SteplineRuns
import SteplineWorkflow

/// The state of a run derived from its events, for status line and summary.
///
/// A pure value: tests apply events and read the state at a date.
struct RunBoard: Sendable {
    /// A running task or element.
    struct Row: Sendable {
        let name: String
        /// The map of an element.
        var map: String?
        /// The running step with its position: `load (1/2)`.
        var step: String?
        /// The text of the latest progress report.
        var note: String?
        /// Whether the task waits for its next attempt.
        var isWaiting = false
    }

    /// The running tasks in the order of their start.
    private(set) var rows: [Row] = []
    private(set) var finished = 0
    private(set) var failed = 0
    /// The number of permitted failures among them.
    private(set) var allowed = 0
    private(set) var cancelled = 0
    /// The number of tasks skipped by a condition or a skipped prerequisite.
    private(set) var skipped = 0
    /// The running tasks that will end as skipped.
    private var skips: Set<String> = []
    /// The number of tasks that are up to date.
    var upToDate = 0
    /// The number of received bytes.
    private(set) var bytes: Int64 = 0
    /// The bytes counted for the current step of each task.
    private var counted: [String: Int64] = [:]
    private var pace = Pace()
    /// Whether the tasks are the pages of a crawl: the rate counts pages instead of bytes.
    var countsPages = false
    /// The number of pages of an earlier process.
    private var kept = 0
    /// The time at which the pace last noted a page.
    private var paced = Date.distantPast
    /// The number of tasks; nil if unknown.
    var total: Int?
    let began: Date
    /// A notice about the whole workflow, such as that it is stopping.
    var notice: String?

    init(total: Int?, began: Date) {
        self.total = total
        self.began = began
    }

    /// The number of tasks that have neither started nor ended; after the run, those that never can.
    var notRun: Int {
        let ended = finished + failed + cancelled + skipped
        return max((total ?? 0) - ended - rows.count { $0.map == nil }, 0)
    }

    /// The number of pages that were found and aren't being loaded.
    var queued: Int { max((total ?? 0) - finished - failed - rows.count, 0) }

    /// The number of pages that this process has loaded.
    var loaded: Int { finished + failed - kept }

    /// Returns the recent rate in bytes or pages per second.
    func rate(at now: Date) -> Double { pace.rate(at: now) }

    /// Adds tasks that had finished in an earlier process.
    mutating func keep(_ count: Int) {
        finished += count
        kept += count
    }

    /// Creates the state of another process's run from its store.
    init(_ look: RunLook, total: Int?) {
        self.init(total: total, began: look.run.owner.since)
        finished = look.run.finished
        failed = look.run.failed
        cancelled = look.cancelled
        if look.run.state == .waiting { notice = "waiting for a process that runs it" }
        rows = look.active.map { step in
            Row(name: step.name, isWaiting: step.state == .waiting)
        }
    }

    /// Marks a running task as skipped.
    mutating func skip(_ task: String) { skips.insert(task) }

    /// Counts a task that failed before its start.
    mutating func failOutside() { failed += 1 }

    /// Counts a permitted failure.
    mutating func allowFailure() { allowed += 1 }

    mutating func apply(_ event: WorkflowEvent) {
        guard event.task != nil else { return }
        switch event.kind {
        case .added: total? += 1
        case .started:
            remove(event.name)
            rows.append(Row(name: event.name))
        case .progress(_, let text): change(event.name) { $0.note = text }
        case .attemptFailed(_, let wait): change(event.name) { $0.isWaiting = wait > .zero }
        case .finished: end(event.name, skips.remove(event.name) == nil ? \.finished : \.skipped)
        case .failed: end(event.name, \.failed)
        case .cancelled: end(event.name, \.cancelled)
        default: break
        }
        // Ten samples a second suffice: pages may finish in thousands.
        guard countsPages, event.kind.isEnd, event.time.timeIntervalSince(paced) >= 0.1 else { return }
        pace.note(Int64(loaded), at: event.time)
        paced = event.time
    }

    /// Applies an event of a map's element.
    mutating func apply(_ event: WorkflowEvent, elementOf map: String) {
        switch event.kind {
        case .started:
            remove(event.name)
            // Ignore events after the map's end.
            guard rows.contains(where: { $0.name == map }) else { return }
            rows.append(Row(name: event.name, map: map))
        case .attemptFailed(_, let wait): change(event.name) { $0.isWaiting = wait > .zero }
        case .finished, .failed, .cancelled: remove(event.name)
        default: break
        }
    }

    /// Applies an event of a task's pipeline.
    ///
    /// The streams of workflow and pipeline are read concurrently: an event after the task's end counts but isn't
    /// shown. Steps at `hidden` positions are auxiliary and not shown.
    mutating func apply(_ event: PipelineEvent, of task: String, hidden: Set<Int> = []) {
        switch event.kind {
        case .stepStarted(let step, _) where hidden.contains(step.index): break
        case .stepStarted(let step, _):
            counted[task] = nil
            let count = step.count - hidden.count
            let number = step.index - hidden.count { $0 < step.index } + 1
            change(task) { row in
                row.step = count > 1 ? "\(step.name) (\(number)/\(count))" : step.name
                row.isWaiting = false
            }
        case .progressed(_, _, let completed?, _): count(completed, of: task, at: event.time)
        case .retrying:
            change(task) { $0.isWaiting = true }
        case .ended:
            counted[task] = nil
        default: break
        }
    }

    private mutating func count(_ completed: Int64, of task: String, at date: Date) {
        bytes += max(completed - (counted[task] ?? 0), 0)
        counted[task] = completed
        pace.note(bytes, at: date)
    }

    private mutating func change(_ name: String, _ body: (inout Row) -> Void) {
        if let index = rows.firstIndex(where: { $0.name == name }) { body(&rows[index]) }
    }

    private mutating func end(_ name: String, _ count: WritableKeyPath<RunBoard, Int>) {
        remove(name)
        rows.removeAll { $0.map == name }
        self[keyPath: count] += 1
    }

    private mutating func remove(_ name: String) {
        guard let index = rows.firstIndex(where: { $0.name == name }) else { return }
        rows.remove(at: index)
    }
}

/// The recent growth rate of a count.
struct Pace: Sendable {
    private static let span: TimeInterval = 3
    private var samples: [(date: Date, count: Int64)] = []

    mutating func note(_ count: Int64, at date: Date) {
        // A restarted step counts from zero.
        if let last = samples.last, count < last.count { samples = [] }
        samples.append((date, count))
        let old = samples.dropLast().lastIndex { date.timeIntervalSince($0.date) > Self.span }
        if let old { samples.removeFirst(old) }
    }

    /// Returns the rate per second over the last seconds; 0 without recent samples.
    func rate(at now: Date) -> Double {
        guard let first = samples.first, let last = samples.last, samples.count > 1,
            now.timeIntervalSince(last.date) < Self.span
        else { return 0 }
        return Double(last.count - first.count) / max(now.timeIntervalSince(first.date), 0.001)
    }
}
