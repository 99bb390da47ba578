import Foundation
import SteplineWorkflow

/// The data of a report's page: a JSON object with an object for each task.
///
/// The script `Page/data.js` reads it. Members with their default value are left out. Texts that several tasks share,
/// such as errors and names of workers, are written once and referenced by index.
struct ReportData {
    /// The object, escaped for an HTML element.
    private(set) var text = ""

    private var texts: [String] = []
    /// The index of each text, from 1.
    private var indices: [String: Int] = [:]
    private var textLength = 0

    /// The total size of texts in bytes beyond which further texts are shortened, so that browsers can open the page.
    private static let mostTextLength = 2_000_000
    private static let shortLength = 160

    private static let endings: [AttemptRecord.Ending] = [
        .executing, .finished, .failed, .retried, .cancelled, .reset,
    ]

    /// - Parameters:
    ///   - rows: The tasks, each before those inside it.
    ///   - zero: The time that all times count from, in nanoseconds.
    ///   - began: The date of that time; nil if no attempt was kept.
    init(_ rows: [ReportRow], zero: Int64, began: Date?) {
        let end = rows.lazy.compactMap { $0.task.attempts.last?.endTime }.max() ?? zero
        let tasks = rows.map { task($0, zero) }.joined(separator: ",\n")
        let endings = Self.endings.map { "[\(Self.string($0.description)),\"\(TaskLook($0).rawValue)\"]" }
        let date = began.map { "\"began\":\(Int64(($0.timeIntervalSince1970 * 1000).rounded())),\n" } ?? ""
        text = """
            {"length":\(max(0, end.minus(zero))),
            \(date)"states":[\(TaskLook.allCases.map { Self.string($0.word) }.joined(separator: ","))],
            "endings":[\(endings.joined(separator: ","))],
            "texts":[\(texts.map(Self.string).joined(separator: ","))],
            "tasks":[\(tasks)]}
            """
    }

    private mutating func task(_ row: ReportRow, _ zero: Int64) -> String {
        var text =
            "{\"name\":\(Self.string(row.task.name)),\"state\":\(TaskLook.allCases.firstIndex(of: row.look) ?? 0)"
        text += ",\"attempt\":\(row.task.attempt)"
        if let parent = row.parent { text += ",\"inside\":\(parent)" }
        if let slack = row.slack { text += ",\"slack\":\(slack)" }
        if row.isCritical { text += ",\"critical\":true" }
        if row.look == .failed, let error = row.task.error { text += ",\"error\":\(index(of: error))" }
        if !row.edges.isEmpty {
            text += ",\"after\":[\(row.edges.map { "\($0)" }.joined(separator: ","))]"
        }
        if !row.task.attempts.isEmpty {
            text += ",\"ran\":[\(row.task.attempts.map { attempt($0, zero) }.joined(separator: ","))]"
        }
        return text + "}"
    }

    /// Writes an attempt: number, begin, duration, ending, error and worker, then the cause and duration of each wait.
    private mutating func attempt(_ attempt: AttemptRecord, _ zero: Int64) -> String {
        var text =
            "[\(attempt.number),\(attempt.beginTime.minus(zero)),\(attempt.endTime - attempt.beginTime)"
        text += ",\(Self.endings.firstIndex(of: attempt.ending) ?? 0)"
        text += ",\(attempt.error.map { index(of: $0) } ?? 0),\(attempt.worker.map { index(of: $0) } ?? 0)"
        for wait in attempt.waits {
            text += ",\(index(of: wait.cause.description)),\(wait.duration.nanoseconds)"
        }
        return text + "]"
    }

    private mutating func index(of error: any Error) -> Int {
        index(of: ErrorChain.texts(of: error).joined(separator: "\ncaused by: "))
    }

    private mutating func index(of text: String) -> Int {
        var text = text
        if textLength > Self.mostTextLength, text.utf8.count > Self.shortLength {
            text = text.prefix(Self.shortLength) + "…"
        }
        if let index = indices[text] { return index }
        texts.append(text)
        indices[text] = texts.count
        textLength += text.utf8.count
        return texts.count
    }

    private static func string(_ text: String) -> String { "\"\(Escaping.pageData(text))\"" }
}
