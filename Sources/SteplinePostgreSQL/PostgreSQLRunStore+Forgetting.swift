public import Foundation
public import SteplineRuns

extension PostgreSQLRunStore {
    /// Removes a run and all its data; returns false if it doesn't exist.
    public func forget(_ id: RunID) throws -> Bool {
        // A repeated transaction finds no run because its first execution has removed it.
        var wasThere = false
        return try RunStoreError.translating(name) {
            try sessions.transaction { session in
                guard let row = try RunRow.find(id, locking: true, in: session) else { return wasThere }
                if isAlive(row) { throw RunStoreError.inProgress(id, store: name, owner: row.record.owner) }
                // Foreign keys remove the rows of all other tables.
                try session.run("DELETE FROM stepline.runs WHERE id = $1", [Value(row.number)])
                wasThere = true
                return true
            }
        }
    }

    /// Removes all runs that ended before a date, optionally of one workflow only; returns their number.
    ///
    /// The server reclaims the space by `autovacuum`.
    public func forget(endedBefore date: Date, of workflow: String?) throws -> Int {
        try RunStoreError.translating(name) {
            let old = try sessions.run(
                """
                SELECT id FROM stepline.runs
                WHERE ending IS NOT NULL AND ended < $1 AND ($2::text IS NULL OR workflow = $2)
                """, [Value(Date?.some(date)), Value(workflow)])
            // A transaction for each run: a large run takes long and must not hold many locks.
            return try old.rows.count { row in
                // Check again: the run may have been resumed since the query.
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
