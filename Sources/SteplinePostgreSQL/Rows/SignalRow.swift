import Foundation
import SteplineRuns

/// The rows of the table `signals`.
enum SignalRow {
    /// Inserts a signal; returns false if another call has already sent one for the same subject.
    static func insert(
        _ signal: RunSignal, run: Int, at now: Date, _ sending: UInt64, in session: Session
    ) throws -> Bool {
        let (kind, condition, value): (Int, String, Data?) =
            switch signal {
            case .fulfil(let condition, let value): (0, condition, value)
            case .cancel(let reason): (1, "", Data(reason.utf8))
            }
        try session.run(
            """
            INSERT INTO stepline.signals (run, kind, condition, value, sent, sending)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            [
                Value(run), Value(kind), Value(condition), Value(value), Value(Date?.some(now)),
                Value(sending),
            ])
        // `sending` tells this call's row from an earlier one, also after a repetition.
        let kept = try session.run(
            "SELECT sending = $4 FROM stepline.signals WHERE run = $1 AND kind = $2 AND condition = $3",
            [Value(run), Value(kind), Value(condition), Value(sending)])
        return kept.first?.truth(0) ?? false
    }

    /// Removes the cancellation signal of a run.
    static func removeCancellation(of run: Int, in session: Session) throws {
        try session.run("DELETE FROM stepline.signals WHERE run = $1 AND kind = 1", [Value(run)])
    }

    /// Reads the columns `kind`, `condition` and `value`.
    static func read(_ row: Answer.Row) -> RunSignal {
        row.integer(0) == 0
            ? .fulfil(condition: row.text(1), row.data(2))
            : .cancel(String(decoding: row.data(2) ?? Data(), as: UTF8.self))
    }
}
