import Foundation

/// The parameters of a statement that writes a row of `steps`.
enum StepRow {
    /// Binds a whole row, from `run` at 1 to `result` at 20.
    static func bind(_ step: StepRecord, run: Int, result: StoredResult?, to row: Statement) throws {
        try row.bind(run, at: 1)
        try row.bind(step.name, at: 2)
        try row.bind(step.state.number, at: 3)
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
            // A reset keeps bindings: without NULL, the row would get the failure of an earlier step.
            for place: Int32 in 14...17 { try row.bindNull(at: place) }
        }
        try row.bind(step.resultSize, at: 18)
        if let result {
            try result.bind(to: row, of: step.name, run: run, sum: 19, bytes: 20)
        } else {
            try row.bindNull(at: 19)
            try row.bindNull(at: 20)
        }
    }
}
