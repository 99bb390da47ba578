import Foundation
import SteplinePipeline
import SteplineRuns
import SteplineWorkflow

/// The state of a run, made from its events, for the status line and the summary.
///
/// Pure: events go in, and it is read with a date; so it is tested without a run.
struct RunBoard: Sendable {
    /// A task that runs, or an element of a map.
    struct Row: Sendable {
        let name: String
        /// The map that it is an element of.
        var map: String?
        /// The step that runs, with its position: `load (1/2)`.
        var step: String?
        /// The text of the body's latest progress report.
        var note: String?
        /// Whether it waits for its next attempt.
        var isWaiting = false
    }

    /// The tasks that run, in the order in which they have begun.
    private(set) var rows: [Row] = []
    private(set) var finished = 0
    private(set) var failed = 0
    /// How many of them may.
    private(set) var allowed = 0
    private(set) var cancelled = 0
    /// Tasks that weren't run, as their condition was false or what they take was skipped.
    private(set) var skipped = 0
    /// Those that are going to end so.
    private var skips: Set<String> = []
    /// Tasks that weren't run, as all they make is there.
    var upToDate = 0
    /// Bytes that have come in all.
    private(set) var bytes: Int64 = 0
    /// How many of them belong to the step that a task runs, or has run last.
    private var counted: [String: Int64] = [:]
    private var pace = Pace()
    /// How many tasks there are in all; nil if that isn't known.
    var total: Int?
    let began: Date
    /// What is shown of the workflow as a whole, such as that it is being stopped.
    var notice: String?

    init(total: Int?, began: Date) {
        self.total = total
        self.began = began
    }

    /// Tasks that have neither ended nor begun: when the run is over, those that can't.
    var notRun: Int {
        let ended = finished + failed + cancelled + skipped
        return max((total ?? 0) - ended - rows.count { $0.map == nil }, 0)
    }

    /// Bytes a second, as of late.
    func rate(at now: Date) -> Double { pace.rate(at: now) }

    /// Tasks had finished before, and aren't run again.
    mutating func keep(_ count: Int) { finished += count }

    /// A run of another process, as it is seen in its store.
    init(_ look: RunLook, total: Int?) {
        self.init(total: total, began: look.run.owner.since)
        finished = look.run.finished
        failed = look.run.failed
        cancelled = look.cancelled
        rows = look.active.map { step in
            Row(name: step.name, isWaiting: step.state == .waiting)
        }
    }

    /// A task that runs won't do anything.
    mutating func skip(_ task: String) { skips.insert(task) }

    /// A task has failed before it could begin.
    mutating func failOutside() { failed += 1 }

    /// A failure was none of the run.
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
    }

    /// Notes what happened to an element of a map.
    mutating func apply(_ event: WorkflowEvent, elementOf map: String) {
        switch event.kind {
        case .started:
            remove(event.name)
            // What comes after the map's end shows nowhere.
            guard rows.contains(where: { $0.name == map }) else { return }
            rows.append(Row(name: event.name, map: map))
        case .attemptFailed(_, let wait): change(event.name) { $0.isWaiting = wait > .zero }
        case .finished, .failed, .cancelled: remove(event.name)
        default: break
        }
    }

    /// Notes what happened in the pipeline that a task runs.
    ///
    /// The two streams are read side by side: what comes after the task's end still counts, but shows nowhere.
    ///
    /// Steps at the places of `hidden` aren't shown: they only serve the others.
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

/// How fast a count has grown lately.
struct Pace: Sendable {
    private static let span: TimeInterval = 3
    private var samples: [(date: Date, count: Int64)] = []

    mutating func note(_ count: Int64, at date: Date) {
        // A step that starts over counts from the start.
        if let last = samples.last, count < last.count { samples = [] }
        samples.append((date, count))
        let old = samples.dropLast().lastIndex { date.timeIntervalSince($0.date) > Self.span }
        if let old { samples.removeFirst(old) }
    }

    /// A second, over the last seconds; nothing where nothing came for so long.
    func rate(at now: Date) -> Double {
        guard let first = samples.first, let last = samples.last, samples.count > 1,
            now.timeIntervalSince(last.date) < Self.span
        else { return 0 }
        return Double(last.count - first.count) / max(now.timeIntervalSince(first.date), 0.001)
    }
}
