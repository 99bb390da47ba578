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
                try remove(row.number, in: session)
                wasThere = true
                return true
            }
        }
    }

    /// Removes all runs that ended before a date, optionally of one workflow only; returns their number.
    ///
    /// The server reclaims the space by `autovacuum`. After an error of the server the call continues with other runs,
    /// and throws at its end.
    public func forget(endedBefore date: Date, of workflow: String?) throws -> Int {
        try RunStoreError.translating(name) {
            let old = try sessions.run(
                """
                SELECT id FROM stepline.runs
                WHERE ending IS NOT NULL AND ended < $1 AND ($2::text IS NULL OR workflow = $2)
                """, [Value(Date?.some(date)), Value(workflow)])
            var count = 0
            var failure: ServerFailure?
            // A transaction for each run: a large run takes long and must not hold many locks.
            for row in old.rows {
                do {
                    // Patience is spent once, not for each run.
                    let patience: Duration? = failure == nil ? nil : .zero
                    if try remove(row.integer(0), endedBefore: date, patience: patience) { count += 1 }
                } catch let error as ServerFailure where !error.isLost {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return count
        }
    }

    /// Removes a run; returns false if it no longer matches the date, or has an owner.
    private func remove(_ run: Int, endedBefore date: Date, patience: Duration?) throws -> Bool {
        // A repeated transaction finds no run because its first execution has removed it.
        var wasThere = false
        return try sessions.transaction(patience: patience) { session in
            // Check again: the run may have been resumed since the query.
            let found = try session.run(
                """
                SELECT FROM stepline.runs WHERE id = $1 AND ending IS NOT NULL AND ended < $2
                    AND coalesce(held_until <= stepline.clock(), true) FOR NO KEY UPDATE
                """, [Value(run), Value(Date?.some(date))])
            guard found.count == 1 else { return wasThere }
            try remove(run, in: session)
            wasThere = true
            return true
        }
    }

    /// Removes all rows of a run, with a statement for each hundred steps.
    ///
    /// The server limits the time of a statement, and steps may have large results. One transaction keeps the run whole
    /// until the commit.
    private func remove(_ run: Int, in session: Session) throws {
        var last = ""
        while true {
            // By name, so that no statement passes over the rows that are already removed.
            let next = try session.run(
                """
                SELECT max(name) FROM (
                    SELECT name FROM stepline.steps WHERE run = $1 AND name > $2 ORDER BY name LIMIT 100
                ) AS part
                """, [Value(run), Value(last)])
            guard let row = next.first, !row.isNull(0) else { break }
            let name = row.text(0)
            try session.run(
                "DELETE FROM stepline.steps WHERE run = $1 AND name > $2 AND name <= $3",
                [Value(run), Value(last), Value(name)])
            last = name
        }
        // Foreign keys remove the rows of all other tables, which are small.
        try session.run("DELETE FROM stepline.runs WHERE id = $1", [Value(run)])
    }
}
