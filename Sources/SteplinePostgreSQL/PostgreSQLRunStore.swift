public import Foundation
public import SteplineRuns
package import SteplineSupport

/// A store on a PostgreSQL server, for processes on many machines.
///
/// The tables are in the schema `stepline` of one database; `prepare(_:)` creates them. `Layout` describes the schema.
///
/// | object | protected by |
/// |---|---|
/// | ownership of a run | a lease in the row of the run, renewed by `Leases` |
/// | claims of a worker | a lease in the row of the worker, renewed by its heartbeats |
/// | rows of a step | row locks in the order of names, and the attempt's token |
///
/// **Time.** Leases use the server's clock only, so that clocks of machines don't matter. Another process may open a
/// run once the owner's lease has expired. A process of the same machine or container may do so at once if the owner's
/// process is known to be gone; see `ProcessSpace`. The owner loses the run only by such an opening: until then its
/// next write or renewal makes the lease valid again. A worker likewise loses its claims only when a `sweep` finds its
/// lease expired.
///
/// A sweep spares the leases of workers after a restart or stall of the server; see `sweep()` and `SilenceWatch`. The
/// leases of owners have no such grace.
///
/// **Failures.** `Sessions` repeats transactions after conflicts and lost connections, up to `patience`; then the call
/// throws. A commit whose answer was lost may therefore execute twice; every write detects its repetition by a random
/// number. Meanwhile bodies continue, and a worker whose lease is over by its own clock begins no step (`WorkerLease`).
///
/// **Threads and costs.** All methods are thread-safe and block. Each call uses one connection of the pool.
/// Notifications use one connection and one thread for each worker and each owner of a shared run.
///
/// **Security.** Inputs and results are stored without encryption. Whoever may read the database can read them.
public final class PostgreSQLRunStore: RunStore {
    /// The host and the database, without user and password.
    public let name: String
    /// The age from which ended runs are removed.
    public let retention: Duration?

    let sessions: Sessions
    let leases: Leases
    /// The clock of heartbeats and of waits for an unreachable server.
    let clock: any StepClock
    let space = ProcessSpace.own
    let silence = Locked(SilenceWatch())

    /// Connects to a server with a prepared database; equivalent to `.postgreSQL(url)`.
    public convenience init(
        _ url: String, lease: Duration = .seconds(15), patience: Duration = .seconds(300),
        retention: Duration? = nil
    ) throws {
        try self.init(url, lease: lease, patience: patience, retention: retention, clock: .lease)
    }

    /// Connects to a server with a prepared database, with a chosen clock.
    ///
    /// The clock times heartbeats and patience. The server times leases.
    package init(
        _ url: String, lease: Duration = .seconds(15), patience: Duration = .seconds(300),
        retention: Duration? = nil, clock: any StepClock
    ) throws {
        let address = try Address(url)
        name = address.name
        self.clock = clock
        self.retention = retention
        sessions = Sessions(address, lease: lease, patience: patience, clock: clock)
        leases = Leases(sessions, length: lease, clock: clock)
        try RunStoreError.translating(address.name) { [sessions] in try Layout.check(sessions) }
    }

    /// Creates the store in a database, or updates an older one, in one transaction.
    ///
    /// The user needs the right to create a schema. Later use needs only the right to read and write its tables.
    public static func prepare(_ url: String) throws {
        let address = try Address(url)
        let sessions = Sessions(address, lease: .seconds(60), patience: .zero, clock: .lease)
        try RunStoreError.translating(address.name) { try Layout.prepare(sessions) }
    }

    /// Opens a run; see `RunStore.open(_:input:as:at:)`.
    public func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        // Detects that a repeated transaction was already committed.
        let opening = UInt64.random(in: 1...UInt64.max)
        let row = try RunStoreError.translating(name) {
            try sessions.transaction { session in
                try RunRow.insert(id, input: input, owner: owner, at: now, in: session)
                // Another process may have removed the old run between the insert and the lock: try again.
                guard let found = try RunRow.find(id, locking: true, in: session) else {
                    throw ServerFailure.overtaken
                }
                // A repetition: this opening is already committed.
                if found.opening == opening { return found }
                if isAlive(found) {
                    throw RunStoreError.inProgress(id, store: name, owner: found.record.owner)
                }
                let space = space?.text
                try RunRow.give(found.number, to: owner, opening, space: space, leases.length, in: session)
                // Read again: the row now has the new owner and the number of openings.
                return try RunRow.find(id, in: session) ?? found
            }
        }
        var record = row.record
        record.isOpen = true
        return PostgreSQLOpenRun(record, number: row.number, opening: opening, store: self)
    }

    /// Creates a run for another process to open, and leaves it to workers; returns false if it exists.
    public func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) throws -> Bool {
        try RunStoreError.translating(name) {
            try sessions.transaction { session in
                try RunRow.insert(id, input: input, owner: creator, at: now, isLeft: true, in: session)
                // Compare the token: the insert of a repeated transaction finds the row of its first execution.
                return try RunRow.find(id, in: session)?.record.owner.token == creator.token
            }
        }
    }

    /// Removes the signal of a condition; returns false if there is none.
    public func withdraw(condition: String, of id: RunID) throws -> Bool {
        // A repeated transaction finds no signal because its first execution has removed it.
        var wasThere = false
        return try RunStoreError.translating(name) {
            try sessions.transaction { session in
                let found = try session.run(
                    "SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2 FOR KEY SHARE",
                    [Value(id.workflow), Value(id.key)])
                guard let row = found.first else { throw RunStoreError.noSuchRun(id, store: name) }
                let removed = try session.run(
                    "DELETE FROM stepline.signals WHERE run = $1 AND kind = 0 AND condition = $2",
                    [Value(row.integer(0)), Value(condition)])
                wasThere = wasThere || removed.changes == 1
                return wasThere
            }
        }
    }

    /// Stores a signal for the run; see `RunStore.send(_:to:at:)`.
    public func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        // Detects that a repeated transaction was already committed.
        let sending = UInt64.random(in: 1...UInt64.max)
        var run = 0
        let isFirst = try RunStoreError.translating(name) {
            try sessions.transaction { session in
                // KEY SHARE keeps the run from being removed before the signal is committed.
                let found = try session.run(
                    "SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2 FOR KEY SHARE",
                    [Value(id.workflow), Value(id.key)])
                guard let row = found.first else { throw RunStoreError.noSuchRun(id, store: name) }
                run = row.integer(0)
                return try SignalRow.insert(signal, run: run, at: now, sending, in: session)
            }
        }
        // After the commit, so that the owner finds the signal. A lost notification delays it until the next poll.
        try? wakeOwners(of: [run], .signal)
        return isFirst
    }

    /// Returns whether the run has an owner: its lease is valid, and its process isn't known to be gone.
    func isAlive(_ row: RunRow) -> Bool {
        guard row.isHeld else { return false }
        return space?.hasEnded(row.record.owner.process, in: row.space) != true
    }

    func number(of id: RunID, in session: Session) throws -> Int {
        let answer = try session.run(
            "SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2",
            [Value(id.workflow), Value(id.key)])
        guard let row = answer.first else { throw RunStoreError.noSuchRun(id, store: name) }
        return row.integer(0)
    }
}

extension RunStore where Self == PostgreSQLRunStore {
    /// Opens a store on a server by any connection string of libpq: a URL, or words such as `host=db dbname=runs`.
    ///
    ///     let store = try RunStore.postgreSQL("postgresql://runs@db.example.org/runs")
    ///
    /// `PostgreSQLRunStore.prepare(_:)` must have prepared the database. `PGPASSFILE`, `sslmode` and similar settings
    /// of libpq apply.
    ///
    /// - Parameters:
    ///   - url: The connection string.
    ///   - lease: The time without a sign of life after which another process may take over a run, or a worker's steps.
    ///   - patience: The longest wait for an unreachable server once the store is open.
    ///   - retention: The age from which ended runs are removed; nil to keep them.
    /// - Returns: The store.
    /// - Throws: A `RunStoreError`, with the code `notPrepared` if the database isn't prepared.
    public static func postgreSQL(
        _ url: String, lease: Duration = .seconds(15), patience: Duration = .seconds(300),
        retention: Duration? = nil
    ) throws -> PostgreSQLRunStore {
        try PostgreSQLRunStore(url, lease: lease, patience: patience, retention: retention)
    }
}
