import Foundation
import SteplinePipeline
import SteplineRuns
import SteplineWorkflow

/// What is going on in a run, as its events tell: what the live view and the summary show.
///
/// Pure: events go in, and it is read with a date; so it is tested without a run.
struct RunBoard: Sendable {
    /// A task that runs.
    struct Row: Sendable {
        let name: String
        /// The map that it is an element of.
        var map: String?
        let began: Date
        var attempt: Int
        /// The step that runs, with its place among the task's steps.
        var step: Step?
        /// What a body has told about itself.
        var note: String?
        var fraction: Double?
        var completed: Int64 = 0
        var total: Int64?
        var pace = Pace()
        /// Whether it waits for its next attempt.
        var isWaiting = false
    }

    /// A step, as it is shown.
    struct Step: Sendable {
        let name: String
        /// From 0.
        let index: Int
        let count: Int

        init(_ step: StepPosition, hidden: Set<Int>) {
            name = step.name
            index = step.index - hidden.count { $0 < step.index }
            count = step.count - hidden.count
        }
    }

    /// How far the elements of a map are.
    struct Elements: Sendable {
        var total = 0
        var ended = 0
        var failed = 0
    }

    /// The elements of the maps that run, by their names.
    private(set) var elements: [String: Elements] = [:]
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
            var row = Row(name: step.name, began: step.began ?? step.latest, attempt: step.attempt)
            row.isWaiting = step.state == .waiting
            return row
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
            rows.append(Row(name: event.name, began: event.time, attempt: event.attempt))
        case .progress(let fraction, let text):
            change(event.name) { row in
                row.fraction = fraction
                row.note = text
            }
        case .attemptFailed(_, let wait):
            change(event.name) { row in
                row.isWaiting = wait > .zero
            }
        case .finished: end(event.name, skips.remove(event.name) == nil ? \.finished : \.skipped)
        case .failed: end(event.name, \.failed)
        case .cancelled: end(event.name, \.cancelled)
        default: break
        }
    }

    /// A map has so many elements.
    mutating func addElements(_ count: Int, of map: String) {
        elements[map, default: Elements()].total += count
    }

    /// Notes what happened to an element of a map.
    mutating func apply(_ event: WorkflowEvent, elementOf map: String) {
        switch event.kind {
        case .added: addElements(1, of: map)
        case .started:
            remove(event.name)
            // What comes after the map's end shows nowhere.
            guard rows.contains(where: { $0.name == map }) else { return }
            var row = Row(name: event.name, began: event.time, attempt: event.attempt)
            row.map = map
            rows.append(row)
        case .attemptFailed(_, let wait): change(event.name) { $0.isWaiting = wait > .zero }
        case .finished, .failed, .cancelled:
            remove(event.name)
            elements[map]?.ended += 1
            if case .failed = event.kind { elements[map]?.failed += 1 }
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
        case .stepStarted(let step, let attempt):
            counted[task] = nil
            change(task) { row in
                row.step = Step(step, hidden: hidden)
                row.attempt = attempt
                row.isWaiting = false
                row.completed = 0
                row.total = nil
                row.fraction = nil
            }
        case .progressed(_, let fraction, let completed, let total):
            if let completed { count(completed, of: task, at: event.time) }
            change(task) { row in
                row.fraction = fraction
                row.total = total
                row.completed = completed ?? row.completed
                if let completed { row.pace.note(completed, at: event.time) }
            }
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
        elements[name] = nil
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
