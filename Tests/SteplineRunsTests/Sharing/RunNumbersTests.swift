import Foundation
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import TestServers
import Testing

@testable import SteplineRuns

/// A run's numbers of steps that have finished and failed, which its owner and its workers change at the same time.
@Suite(.timeLimit(.minutes(30)), .enabled(if: TestServer.isWanted, "\(TestServer.absence)"))
struct RunNumbersTests {
    private static let id = RunID("pages", key: "k")

    // What a worker writes stays open until somebody waits for it.
    private static let slowRow = """
        CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock(1);
            FOR look IN 1..20000 LOOP
                EXIT WHEN EXISTS (
                    SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid);
                PERFORM pg_sleep(0.001);
            END LOOP;
            RETURN NULL;
        END $$;
        CREATE TRIGGER slow AFTER INSERT ON stepline.steps
            FOR EACH ROW WHEN (NEW.state = 3) EXECUTE FUNCTION be_slow()
        """

    @Test(arguments: [
        (StepChange.Kind.cleared, 1), (.cancelled(StepFailure(interrupted: 1, "a")), 2),
    ])
    func `DR-11, DR-41: a step that is reset while its worker hands in the result counts no longer`(
        kind: StepChange.Kind, attempt: Int
    ) async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let store = try PostgreSQLRunStore(url)
        let now = Date()
        let run = try #require(
            try store.open(Self.id, input: nil, as: RunOwner(since: now), at: now) as? any SharedRun)
        try await server.sql(Self.slowRow, in: url)
        let offer = StepOffer(
            step: "a", task: "a", version: 1, attempt: 1, token: 1, links: 0, failures: 0, interruptions: 0,
            priority: 0, cacheKey: nil)
        try run.offer([offer])
        let seat = try store.join(WorkerProfile(workflow: "pages", slots: 1))
        let claim = try #require(try seat.claim(1, risky: false).first)
        let end = WorkedStep(claim: claim, outcome: .finished, result: Data("1".utf8), began: now, ended: now)
        async let refused = Blocking.call { try seat.end([end]) }
        let isThere = """
            SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND datname = current_database()
            """
        while try await server.sql(isThere, in: url).isEmpty {}
        let change = StepChange(kind, of: "a", attempt: attempt, token: 2, at: now)
        #expect(try await Blocking.call { try run.write([change]) } == [])
        #expect(try await refused == [])
        try run.end(.finished, at: now)
        seat.leave()
        #expect(try store.run(Self.id)?.finished == 0)
        let history = try await server.sql("SELECT name, state, attempt FROM stepline.history", in: url)
        #expect(history == ["a|3|1"])
    }
}
