import Foundation

/// The parameters of a statement that writes a row of `steps`.
enum StepRow {
    /// The values that successive rows of a run usually have in common.
    struct Common: Equatable {
        fileprivate let run: Int
        fileprivate let token: UInt64
        fileprivate let version: Int
        fileprivate let failures: Int
        fileprivate let interruptions: Int

        /// Creates the common values of a row; nil if it has values that most rows don't have.
        fileprivate init?(_ step: StepRecord, run: Int) {
            guard step.failure == nil, step.due == nil, step.wait == 0 else { return nil }
            self.run = run
            token = step.token
            version = step.version
            failures = step.failures
            interruptions = step.interruptions
        }
    }

    /// Binds a row, from `run` at 1 to `result` at 20, without the values that are bound already.
    ///
    /// - Parameter bound: The common values of the row before, since a reset keeps them; nil if that is unknown.
    /// - Returns: The common values that are bound now.
    @discardableResult
    static func bind(
        _ step: StepRecord, run: Int, result: StoredResult?, to row: Statement, after bound: Common? = nil
    ) throws -> Common? {
        let common = Common(step, run: run)
        if common == nil || common != bound { try bindCommon(step, run: run, to: row) }
        try row.bind(step.name, at: 2)
        try row.bind(step.state.number, at: 3)
        try row.bind(step.attempt, at: 4)
        try row.bind(step.links, at: 7)
        try row.bind(step.began, at: 10)
        try row.bind(step.ended, at: 11)
        try row.bind(step.resultSize, at: 18)
        if let result {
            try result.bind(to: row, of: step.name, run: run, sum: 19, bytes: 20)
        } else {
            try row.bindNull(at: 19)
            try row.bindNull(at: 20)
        }
        return common
    }

    private static func bindCommon(_ step: StepRecord, run: Int, to row: Statement) throws {
        try row.bind(run, at: 1)
        try row.bind(step.token, at: 5)
        try row.bind(step.version, at: 6)
        try row.bind(step.failures, at: 8)
        try row.bind(step.interruptions, at: 9)
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
    }
}
