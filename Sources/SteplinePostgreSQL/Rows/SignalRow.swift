import Foundation
import SteplineRuns

/// A signal as a row.
enum SignalRow {
    /// Keeps a signal; false if there was one for the same before that wasn't sent by this call.
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
        let kept = try session.run(
            "SELECT sending = $4 FROM stepline.signals WHERE run = $1 AND kind = $2 AND condition = $3",
            [Value(run), Value(kind), Value(condition), Value(sending)])
        return kept.first?.truth(0) ?? false
    }

    /// Removes the word that a run is to be cancelled.
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
