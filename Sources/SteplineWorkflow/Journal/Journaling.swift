import SteplineEngine

import struct Foundation.Date

/// The state of a durable run in the machine of its workflow.
struct Journaling: Sendable {
    /// An end that is being recorded; read and changed only under the machine's lock.
    final class Commit: @unchecked Sendable {
        let attempt: UInt32
        var end: AttemptResult
        let source: Attempt.Source
        /// Whether the body is over.
        var isOver = false
        /// Whether the body has reported its own end, this one or another.
        var isReported: Bool
        /// The end that a body elsewhere has reported meanwhile.
        var bodyEnd: Commit?

        init(attempt: UInt32, end: AttemptResult, source: Attempt.Source) {
            self.attempt = attempt
            self.end = end
            self.source = source
            isReported = source == .body
        }
    }

    /// The number of ends being recorded from which on no further body begins on a worker.
    ///
    /// Bodies faster than their store would fill the memory with results, and take the processor from its writer.
    static let mostCommits = 8192

    /// Whether bodies begin only when their begin is recorded.
    let isCareful: Bool
    /// Whether ends count before they are recorded.
    let isRelaxed: Bool
    /// Whether other processes run the bodies.
    let isElsewhere: Bool
    /// Whether each attempt is requested by another process, and nothing follows from its end.
    var isAlone = false
    /// With `isAlone`: the tasks whose state was set by that process, so that other tasks can read it.
    var placed: Set<Int32> = []
    var commits: [Int32: Commit] = [:]
    /// How many attempt numbers are used up, of tasks whose last body is still live under its own number.
    var skipped: [Int32: UInt32] = [:]
    /// Conditions whose next attempt continues the wait of an earlier process, and when that wait began.
    var awaiting: [Int32: Date] = [:]
}
