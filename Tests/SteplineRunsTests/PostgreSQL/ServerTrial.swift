import Foundation
import SteplineRunsTesting
import SteplineSupport
import TestServers
import TestSupport
import Testing

@testable import SteplinePostgreSQL
@testable import SteplineRuns

/// A run on a server of its own database, with its owner's hands and a worker's.
struct ServerTrial {
    static let id = RunID("pages", key: "k")

    let url: String
    let store: PostgreSQLRunStore
    let run: any SharedRun
    let membership: any WorkerMembership

    init(lease: Duration = .seconds(60), clock: any StepClock = .lease) async throws {
        url = try await TestServer.shared().newDatabase()
        store = try PostgreSQLRunStore(url, lease: lease, clock: clock)
        let now = Date()
        let opened = try store.open(Self.id, input: nil, as: RunOwner(since: now), at: now)
        guard let run = opened as? any SharedRun else { throw RunStoreError.noSuchRun(Self.id, store: url) }
        self.run = run
        membership = try store.join(WorkerProfile(workflow: "pages", slots: 4))
    }

    func offer(_ step: String, attempt: Int = 1, interruptions: Int = 0) throws {
        try run.offer([
            StepOffer(
                step: step, task: step, version: 1, attempt: attempt, token: 1, links: 0, failures: 0,
                interruptions: interruptions, priority: 0, cacheKey: nil)
        ])
    }

    /// Takes the one step that waits.
    func claim() throws -> ClaimedStep {
        guard let claim = try membership.claim(1, risky: false).first else {
            throw RunStoreError.noSuchRun(Self.id, store: url)
        }
        return claim
    }

    /// Hands in an end; whether it was taken.
    @discardableResult
    func end(_ claim: ClaimedStep, _ outcome: StepOutcome = .finished) throws -> Bool {
        let now = Date()
        let result: Data? = if case .finished = outcome { Data("1".utf8) } else { nil }
        return try membership.end([
            WorkedStep(claim: claim, outcome: outcome, result: result, began: now, ended: now)
        ]).isEmpty
    }

    /// Keeps a change of a step as the owner; whether it was taken.
    @discardableResult
    func write(_ kind: StepChange.Kind, of step: String, attempt: Int = 1) throws -> Bool {
        try run.write([StepChange(kind, of: step, attempt: attempt, token: 2, at: Date())]).isEmpty
    }

    /// Hears of all ends.
    func hear() throws -> [StepEnd] {
        let ends = try run.ends(acknowledging: [])
        _ = try run.ends(acknowledging: ends.map { AcknowledgedEnd(id: $0.id, attempt: $0.attempt) })
        return ends
    }

    /// The numeric settings of a store's connection.
    func settings(_ names: [String]) throws -> [Int] {
        try names.map { name in
            try store.sessions.run(
                "SELECT setting::int8 FROM pg_settings WHERE name = $1", [Value(name)]
            ).first?.integer(0) ?? 0
        }
    }

    /// Does something while somebody else has rows locked.
    func whileLocked<Result>(_ rows: StaticString, _ body: () throws -> Result) throws -> Result {
        try store.sessions.transaction { session in
            _ = try session.run(rows, [])
            return try body()
        }
    }
}

extension TestServer {
    /// Has a transaction that does such a thing stay open until another one waits for it.
    func holdUp(_ event: String, when condition: String = "true", in url: String) async throws {
        try await sql(
            """
            CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock(1);
                FOR look IN 1..20000 LOOP
                    EXIT WHEN EXISTS (
                        SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid);
                    PERFORM pg_sleep(0.001);
                END LOOP;
                RETURN NULL;
            END $$;
            CREATE TRIGGER hold_up \(event) FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION hold_up()
            """, in: url)
    }

    /// Waits until the trigger of a test holds its advisory lock.
    func wait(untilLockedIn url: String) async throws {
        let isThere = """
            SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND datname = current_database()
            """
        try await eventually { try await !sql(isThere, in: url).isEmpty }
    }
}
