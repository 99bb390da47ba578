package import Foundation

/// A row of a query result, independent of the database; columns count from 0.
package protocol StoredRow {
    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int
    func unsigned(_ column: Int32) -> UInt64
    func double(_ column: Int32) -> Double
    func date(_ column: Int32) -> Date?
    func text(_ column: Int32) -> String
}

extension StepRecord {
    /// Creates the record from a row with 17 columns in a fixed order.
    ///
    /// The order: name, state, attempt, token, version, links, failures, interruptions, began, ended, due, wait,
    /// the failure's code, subject, message and cause, and the result's size.
    package init(_ row: some StoredRow) {
        self.init(name: row.text(0))
        state = StepState(number: row.integer(1))
        attempt = row.integer(2)
        token = row.unsigned(3)
        version = row.integer(4)
        links = row.unsigned(5)
        failures = row.integer(6)
        interruptions = row.integer(7)
        began = row.date(8)
        ended = row.date(9)
        due = row.date(10)
        wait = row.double(11)
        // A null code means no failure.
        if !row.isNull(12) {
            failure = StepFailure(
                code: row.text(12), subject: row.text(13), message: row.text(14),
                underlying: row.isNull(15) ? nil : row.text(15))
        }
        resultSize = row.isNull(16) ? nil : row.integer(16)
    }
}

extension StepState {
    /// The stored number of the state.
    package var number: Int {
        // The numbers are stored: never change them.
        switch self {
        case .pending: 0
        case .running: 1
        case .waiting: 2
        case .finished: 3
        case .failed: 4
        case .cancelled: 5
        }
    }

    fileprivate init(number: Int) {
        self =
            switch number {
            case 1: .running
            case 2: .waiting
            case 3: .finished
            case 4: .failed
            case 5: .cancelled
            // Numbers of a newer release read as pending: the step is run again rather than lost.
            default: .pending
            }
    }
}

extension RunEnding {
    /// Creates an ending from a row.
    ///
    /// - Parameters:
    ///   - number: The stored number.
    ///   - reason: The reason of a cancellation; evaluated for cancelled runs only.
    package init(number: Int, reason: @autoclosure () -> String) {
        self =
            switch number {
            case 0: .finished
            case 1: .failed
            case 2: .cancelled(reason())
            default: .incomplete
            }
    }

    /// The stored number of the ending.
    package var number: Int {
        // The numbers are stored: never change them.
        switch self {
        case .finished: 0
        case .failed: 1
        case .cancelled: 2
        case .incomplete: 3
        }
    }

    /// The reason of a cancellation.
    package var reason: String? {
        if case .cancelled(let reason) = self { reason } else { nil }
    }
}
