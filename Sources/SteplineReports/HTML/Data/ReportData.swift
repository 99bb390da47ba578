import Foundation
import SteplineWorkflow

/// All that a report's page knows of a run, as one object of JSON: columns of numbers, and each text once.
///
/// The script of the page reads it (``ReportScript/reading``); what the columns mean stands there and here.
struct ReportData {
    /// The object, which may stand in an element of a page.
    private(set) var text = ""

    private let rows: [ReportRow]
    private var texts = ReportTexts()
    private var columns: [(name: String, column: ReportColumn)] = []

    /// - Parameter zero: The time that all others count from.
    init(_ graph: WorkflowGraph, _ rows: [ReportRow], zero: Int64, began: Date?, map: GraphMap?) {
        self.rows = rows
        let end = rows.lazy.compactMap { $0.task.attempts.last?.endTime }.max() ?? zero
        let names = addNames()
        addTasks()
        addAttempts(zero)
        addEdges()
        if let map {
            columns += map.columns
            add("frameName", map.frameNames.map { Int64(texts.place(of: $0)) })
        }
        var members = [
            "\"name\":\(Self.string(graph.name))", "\"length\":\(max(0, end.minus(zero)))",
            "\"states\":\(Self.list(TaskLook.allCases.map(\.word)))",
            "\"endings\":\(Self.list(Self.endings.map(\.description)))",
            "\"endingStates\":\(Self.list(Self.endings.map { TaskLook($0).rawValue }))",
            "\"names\":\(Self.list(names))", "\"texts\":\(Self.list(texts.all))",
            "\"errors\":\(texts.errors)",
        ]
        if let began {
            members.append("\"began\":\(Int64((began.timeIntervalSince1970 * 1000).rounded()))")
        }
        if let map {
            members.append("\"map\":{\"width\":\(Int(map.width)),\"height\":\(Int(map.height))}")
        }
        members += columns.map { "\"\($0.name)\":\"\($0.column.text)\"" }
        text = "{\(members.joined(separator: ",\n"))}"
    }

    static let endings: [AttemptRecord.Ending] = [
        .executing, .finished, .failed, .retried, .cancelled, .reset,
    ]

    private mutating func add(_ name: String, _ numbers: some Sequence<Int64>) {
        var column = ReportColumn()
        for number in numbers { column.append(number) }
        columns.append((name, column))
    }

    // MARK: Tasks

    /// Adds how many units of UTF-16, as the script counts, each name begins with as the one before did; gives the rests.
    private mutating func addNames() -> [String] {
        var last = "".unicodeScalars[...]
        var rests: [String] = []
        var shared = ReportColumn()
        for row in rows {
            let name = Escaping.visible(row.task.name).unicodeScalars[...]
            let common = zip(name, last).prefix { $0 == $1 }
            shared.append(common.reduce(0) { $0 + UTF16.width($1.0) })
            rests.append(String(name.dropFirst(common.count)))
            last = name
        }
        columns.append(("shared", shared))
        return rests
    }

    private mutating func addTasks() {
        add("parent", rows.enumerated().map { place, row in row.parent.map { Int64(place - $0) } ?? 0 })
        let states = TaskLook.allCases
        add("state", rows.map { Int64(states.firstIndex(of: $0.look) ?? 0) })
        add("attempt", rows.map { Int64($0.task.attempt) })
        add("kept", rows.map { Int64($0.task.attempts.count) })
        add("slack", rows.map { $0.slack ?? -1 })
        add(
            "marks",
            rows.map {
                ($0.isCritical ? 1 : 0) | ($0.task.isCleanup ? 2 : 0) | ($0.task.isCondition ? 4 : 0)
            })
        add("error", rows.map { Int64($0.look == .failed ? texts.place(of: $0.task.error) : 0) })
        add("group", rows.map { row in row.group.map { Int64(texts.place(of: $0) + 1) } ?? 0 })
    }

    // MARK: Attempts

    private mutating func addAttempts(_ zero: Int64) {
        let empty = ReportColumn()
        var (numbers, begins, times, endings) = (empty, empty, empty, empty)
        var (errors, waits, causes, waitTimes) = (empty, empty, empty, empty)
        var workers = empty
        var last = zero
        for row in rows {
            for attempt in row.task.attempts {
                numbers.append(attempt.number)
                begins.append(attempt.beginTime.minus(last))
                last = attempt.beginTime
                times.append(attempt.endTime - attempt.beginTime)
                endings.append(Self.endings.firstIndex(of: attempt.ending) ?? 0)
                errors.append(texts.place(of: attempt.error))
                workers.append(attempt.worker.map { texts.place(of: $0) + 1 } ?? 0)
                waits.append(attempt.waits.count)
                for wait in attempt.waits {
                    causes.append(texts.place(of: wait.cause.description))
                    waitTimes.append(wait.duration.nanoseconds)
                }
            }
        }
        columns += [
            ("number", numbers), ("begin", begins), ("time", times), ("ending", endings),
            ("attemptError", errors), ("worker", workers), ("waits", waits), ("cause", causes),
            ("waitTime", waitTimes),
        ]
    }

    // MARK: Prerequisites

    private mutating func addEdges() {
        let empty = ReportColumn()
        var (counts, froms, kinds, keys) = (empty, empty, empty, empty)
        for (place, row) in rows.enumerated() {
            counts.append(row.edges.count)
            for edge in row.edges {
                froms.append(place - edge.row)
                kinds.append((edge.edge.allowsFailure ? 1 : 0) | (edge.edge.guards ? 2 : 0))
                let words = edge.edge.keys.joined(separator: ", ")
                keys.append(words.isEmpty ? 0 : texts.place(of: words) + 1)
            }
        }
        columns += [("edges", counts), ("from", froms), ("kind", kinds), ("key", keys)]
    }

    // MARK: JSON

    private static func string(_ text: String) -> String { "\"\(Escaping.pageData(text))\"" }

    private static func list(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ","))]" }
}
