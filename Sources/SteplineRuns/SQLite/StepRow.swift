import Foundation

/// A step as a row: its places in statements and the order of its columns.
enum StepRow {
    /// The columns from `name` to `size` of a statement that selects just these.
    static func read(_ row: Statement) -> StepRecord {
        var step = StepRecord(name: row.text(0))
        step.state = state(row.integer(1))
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

    /// Binds a whole row, from `run` at 1 to `result` at 20.
    static func bind(_ step: StepRecord, run: Int, result: StoredResult?, to row: Statement) throws {
        try row.bind(run, at: 1)
        try row.bind(step.name, at: 2)
        try row.bind(number(step.state), at: 3)
        try row.bind(step.attempt, at: 4)
        try row.bind(step.token, at: 5)
        try row.bind(step.version, at: 6)
        try row.bind(step.links, at: 7)
        try row.bind(step.failures, at: 8)
        try row.bind(step.interruptions, at: 9)
        try row.bind(step.began, at: 10)
        try row.bind(step.ended, at: 11)
        try row.bind(step.due, at: 12)
        try row.bind(step.wait, at: 13)
        if let failure = step.failure {
            try row.bind(failure.code, at: 14)
            try row.bind(failure.subject, at: 15)
            try row.bind(failure.message, at: 16)
            try row.bind(failure.underlying, at: 17)
        } else {
            for place: Int32 in 14...17 { try row.bindNull(at: place) }
        }
        try row.bind(step.resultSize, at: 18)
        if let result {
            try result.bind(to: row, sum: 19, bytes: 20)
        } else {
            try row.bindNull(at: 19)
            try row.bindNull(at: 20)
        }
    }

    static func number(_ state: StepState) -> Int {
        switch state {
        case .pending: 0
        case .running: 1
        case .waiting: 2
        case .finished: 3
        case .failed: 4
        case .cancelled: 5
        }
    }

    private static func state(_ number: Int) -> StepState {
        switch number {
        case 1: .running
        case 2: .waiting
        case 3: .finished
        case 4: .failed
        case 5: .cancelled
        default: .pending
        }
    }
}
