import Foundation
import SteplineRuns

/// A step as a row, and many of them as lists of their columns.
enum StepRow {
    /// The columns from `name` to `size` of a statement that selects just these.
    static func read(_ row: Answer.Row) -> StepRecord {
        var step = StepRecord(name: row.text(0))
        step.state = states.indices.contains(row.integer(1)) ? states[row.integer(1)] : .pending
        step.attempt = row.integer(2)
        step.token = row.unsigned(3)
        step.version = row.integer(4)
        step.links = row.unsigned(5)
        step.failures = row.integer(6)
        step.interruptions = row.integer(7)
        step.began = row.date(8)
        step.ended = row.date(9)
        step.due = row.date(10)
        step.wait = row.double(11)
        if !row.isNull(12) {
            step.failure = StepFailure(
                code: row.text(12), subject: row.text(13), message: row.text(14),
                underlying: row.isNull(15) ? nil : row.text(15))
        }
        step.resultSize = row.isNull(16) ? nil : row.integer(16)
        return step
    }

    /// The columns from `name` to `size`, a list each.
    static func columns(_ steps: [StepRecord]) -> [Value] {
        [
            .list(steps.map { String?.some($0.name) }),
            .list(steps.map { states.firstIndex(of: $0.state) }),
            .list(steps.map { Int?.some($0.attempt) }), .list(steps.map(\.token)),
            .list(steps.map { Int?.some($0.version) }), .list(steps.map(\.links)),
            .list(steps.map { Int?.some($0.failures) }), .list(steps.map { Int?.some($0.interruptions) }),
            .list(steps.map(\.began)), .list(steps.map(\.ended)), .list(steps.map(\.due)),
            .list(steps.map { Double?.some($0.wait) }),
            .list(steps.map { text($0.failure?.code) }), .list(steps.map { text($0.failure?.subject) }),
            .list(steps.map { text($0.failure?.message) }), .list(steps.map { text($0.failure?.underlying) }),
            .list(steps.map(\.resultSize)),
        ]
    }

    /// The server keeps no text with this character in it; a message without it says as much.
    private static func text(_ text: String?) -> String? { text?.replacing("\0", with: "\u{FFFD}") }

    /// By their numbers.
    private static let states: [StepState] = [.pending, .running, .waiting, .finished, .failed, .cancelled]
}
