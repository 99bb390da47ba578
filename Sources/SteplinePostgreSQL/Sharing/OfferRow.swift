import Foundation
import SteplineRuns

/// The rows of the table `offers`.
enum OfferRow {
    /// Returns the columns from `step` to `element` as arrays.
    static func lists(_ offers: [StepOffer]) -> [Value] {
        [
            .list(offers.map { String?.some($0.step) }), .list(offers.map { String?.some($0.task) }),
            .list(offers.map { Int?.some($0.version) }), .list(offers.map { Int?.some($0.attempt) }),
            .list(offers.map(\.token)), .list(offers.map(\.links)),
            .list(offers.map { Int?.some($0.failures) }), .list(offers.map { Int?.some($0.interruptions) }),
            .list(offers.map { Int?.some($0.priority) }), .list(offers.map(\.cacheKey)),
            .list(offers.map(\.element)),
        ]
    }

    /// Reads an offer from eleven columns that begin at an index.
    ///
    /// The columns: `step`, `task`, `version`, `attempt`, `token`, `links`, `failures`, `interruptions`, `priority`,
    /// `cache_key`, `element`.
    static func offer(_ row: Answer.Row, from place: Int32) -> StepOffer {
        StepOffer(
            step: row.text(place), task: row.text(place + 1), version: row.integer(place + 2),
            attempt: row.integer(place + 3), token: row.unsigned(place + 4), links: row.unsigned(place + 5),
            failures: row.integer(place + 6), interruptions: row.integer(place + 7),
            priority: row.integer(place + 8), cacheKey: row.isNull(place + 9) ? nil : row.text(place + 9),
            element: row.data(place + 10))
    }

    /// Reads an end from twelve columns.
    ///
    /// The columns: `id`, `step`, `attempt`, `outcome`, `code`, `subject`, `message`, `underlying`, `wait`,
    /// `worker_name`, `began`, `interruptions`.
    static func end(_ row: Answer.Row) -> StepEnd {
        StepEnd(
            id: row.integer(0), step: row.text(1), attempt: row.integer(2), outcome: outcome(row),
            worker: row.isNull(9) ? nil : row.text(9), began: row.date(10))
    }

    private static func outcome(_ row: Answer.Row) -> StepOutcome {
        var failure: StepFailure {
            StepFailure(
                code: row.text(4), subject: row.text(5), message: row.text(6),
                underlying: row.isNull(7) ? nil : row.text(7))
        }
        return switch row.integer(3) {
        case 0: .finished
        case 1: .failed(failure)
        case 2: .retries(failure, after: row.double(8))
        case 4: .failed(StepFailure(interrupted: row.integer(11), row.text(1)))
        default: .stopped
        }
    }
}

extension StepOutcome {
    /// The outcome number of a stopped step; 4 is a step with too many interruptions.
    static let stoppedNumber = 3

    /// The stored number of the outcome.
    var number: Int {
        switch self {
        case .finished: 0
        case .failed: 1
        case .retries: 2
        case .stopped: Self.stoppedNumber
        }
    }

    var failure: StepFailure? {
        switch self {
        case .failed(let failure), .retries(let failure, _): failure
        case .finished, .stopped: nil
        }
    }

    /// The seconds until the next attempt.
    var wait: Double? {
        if case .retries(_, let wait) = self { wait } else { nil }
    }
}
