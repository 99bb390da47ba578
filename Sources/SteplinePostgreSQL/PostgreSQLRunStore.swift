public import Foundation
public import SteplineRuns
package import SteplineSupport

/// A store on a server of PostgreSQL's, for the processes of many machines.
///
/// All lies in the schema `stepline` of one database, which `prepare(_:)` makes. Who has a run open renews its lease by
/// the server's clock; one whose process is gone, or whom the server hasn't heard for the lease, has it no longer.
/// Inputs and results are kept as they are given: whoever may read the database reads them.
public final class PostgreSQLRunStore: RunStore {
    /// Host and database; neither user nor password.
    public let name: String

    let sessions: Sessions
    let leases: Leases
    /// The clock of heartbeats and of waits for a server that is away.
    let clock: any StepClock
    let space = ProcessSpace.own
    let silence = Locked(SilenceWatch())

    /// Connects to a server whose database was prepared; the same as `.postgreSQL(url)`.
    public convenience init(
        _ url: String, lease: Duration = .seconds(15), patience: Duration = .seconds(300)
    ) throws {
        try self.init(url, lease: lease, patience: patience, clock: .lease)
    }

    /// Connects as the public initializer does.
    ///
    /// The clock times heartbeats and patience; the server times leases.
    package init(
        _ url: String, lease: Duration = .seconds(15), patience: Duration = .seconds(300),
        clock: any StepClock
    ) throws {
        let address = try Address(url)
        name = address.name
        self.clock = clock
        sessions = Sessions(address, lease: lease, patience: patience, clock: clock)
        leases = Leases(sessions, length: lease, clock: clock)
        try RunStoreError.translating(address.name) { [sessions] in try Layout.check(sessions) }
    }

    /// Makes a store of a database, or brings an older one up to date: in one transaction, and only what is needed.
    ///
    /// The user must be allowed to create a schema there; later on it is enough to read and write its tables.
    public static func prepare(_ url: String) throws {
        let address = try Address(url)
        let sessions = Sessions(address, lease: .seconds(60), patience: .zero, clock: .lease)
        try RunStoreError.translating(address.name) { try Layout.prepare(sessions) }
    }

    /// Becomes the owner of a run; see `RunStore.open(_:input:as:at:)`.
    public func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        // By it a transaction that is done again knows that it was done already.
        let opening = UInt64.random(in: 1...UInt64.max)
        let row = try RunStoreError.translating(name) {
            try sessions.transaction { session in
                try RunRow.insert(id, input: input, owner: owner, at: now, in: session)
                // Somebody may have removed the old one meanwhile.
                guard let found = try RunRow.find(id, locking: true, in: session) else {
                    throw ServerFailure.overtaken
                }
                if found.opening == opening { return found }
                if isAlive(found) {
                    throw RunStoreError.inProgress(id, store: name, owner: found.record.owner)
                }
                let space = space?.text
                try RunRow.give(found.number, to: owner, opening, space: space, leases.length, in: session)
                return try RunRow.find(id, in: session) ?? found
            }
        }
        var record = row.record
        record.isOpen = true
        return PostgreSQLOpenRun(record, number: row.number, opening: opening, store: self)
    }

    /// Removes the word that a condition is fulfilled; false if there is none.
    public func withdraw(condition: String, of id: RunID) throws -> Bool {
        // Whether a transaction that is done again has removed it before.
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

    /// Leaves word for the run; see `RunStore.send(_:to:at:)`.
    public func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        let sending = UInt64.random(in: 1...UInt64.max)
        var run = 0
        let isFirst = try RunStoreError.translating(name) {
            try sessions.transaction { session in
                // From here on nobody removes the run before the signal is kept.
                let found = try session.run(
                    "SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2 FOR KEY SHARE",
                    [Value(id.workflow), Value(id.key)])
                guard let row = found.first else { throw RunStoreError.noSuchRun(id, store: name) }
                run = row.integer(0)
                return try SignalRow.insert(signal, run: run, at: now, sending, in: session)
            }
        }
        try wakeOwners(of: [run], .signal)
        return isFirst
    }

    /// Whether somebody has the run open: until the lease is over, or his process is known to be gone.
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
    /// The store on a server, by whatever libpq connects by: a URL, or words such as `host=db dbname=runs`.
    ///
    ///     let store = try RunStore.postgreSQL("postgresql://runs@db.example.org/runs")
    ///
    /// Its database was prepared by `PostgreSQLRunStore.prepare(_:)`; else the error has the code `notPrepared`.
    /// `PGPASSFILE`, `sslmode` and the like hold as libpq has them. `lease` says after how long an owner that isn't
    /// heard of any more has lost its runs; `patience`, how long a server that is away is waited for once the store is
    /// open.
    public static func postgreSQL(
        _ url: String, lease: Duration = .seconds(15), patience: Duration = .seconds(300)
    ) throws -> PostgreSQLRunStore {
        try PostgreSQLRunStore(url, lease: lease, patience: patience)
    }
}
