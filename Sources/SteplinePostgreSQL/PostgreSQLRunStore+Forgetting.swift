public import Foundation
public import SteplineRuns

extension PostgreSQLRunStore {
    /// Removes a run with all that is kept of it; false if there is none.
    public func forget(_ id: RunID) throws -> Bool {
        // Whether a transaction that is done again has found the run before: then it was that which removed it.
        var wasThere = false
        return try RunStoreError.translating(name) {
            try sessions.transaction { session in
                guard let row = try RunRow.find(id, locking: true, in: session) else { return wasThere }
                if isAlive(row) { throw RunStoreError.inProgress(id, store: name, owner: row.record.owner) }
                try session.run("DELETE FROM stepline.runs WHERE id = $1", [Value(row.number)])
                wasThere = true
                return true
            }
        }
    }

    /// Removes all runs that have ended before that date; returns how many.
    ///
    /// The server gives the space back to itself, as it is set to (`autovacuum`).
    public func forget(endedBefore date: Date) throws -> Int {
        try RunStoreError.translating(name) {
            let old = try sessions.run(
                "SELECT id FROM stepline.runs WHERE ending IS NOT NULL AND ended < $1",
                [Value(Date?.some(date))])
            // One at a time: a large one takes a while.
            return try old.rows.count { row in
                try sessions.run(
                    """
                    DELETE FROM stepline.runs WHERE id = $1 AND ending IS NOT NULL AND ended < $2
                        AND coalesce(held_until <= stepline.clock(), true)
                    """, [Value(row.integer(0)), Value(Date?.some(date))]
                ).changes == 1
            }
        }
    }
}
