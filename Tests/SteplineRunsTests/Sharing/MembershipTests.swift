import Foundation
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import TestServers
import Testing

@testable import SteplineRuns

/// Claims and notifications of workers while other connections hold their rows.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct MembershipTests {
    @Test func `DR-11, DR-41: an end of an attempt whose step is offered anew isn't that of the next one`()
        async throws
    {
        let trial = try await ServerTrial()
        try trial.offer("a")
        let old = try trial.claim()
        try trial.write(.cleared, of: "a")
        try trial.offer("a", attempt: 2)
        let new = try trial.claim()
        #expect(new.offer.attempt == 2)
        #expect(try trial.membership.beat(for: .seconds(60))?.held == [new.id])
        let failure = StepFailure(code: "code", subject: "a", message: "why")
        #expect(try !trial.end(old, .failed(failure)))
        #expect(try trial.hear().isEmpty)
        #expect(try trial.end(new))
        #expect(try trial.hear().map(\.outcome) == [.finished])
    }

    @Test func `DR-41: an idle worker is reported of a step, also while its row is locked`() async throws {
        let trial = try await ServerTrial()
        let news = Recorder<Void>()
        let listening = trial.membership.onNews { news.record(()) }
        defer { listening.cancel() }
        // The first word comes of the listening itself.
        await news.waitForCount(1)
        #expect(try trial.membership.claim(1, risky: false).isEmpty)
        try trial.whileLocked("SELECT FROM stepline.workers FOR UPDATE") { try trial.offer("a") }
        await news.waitForCount(2)
        #expect(try trial.claim().offer.step == "a")
    }

    @Test func `DR-41, DR-42: the sweep for lost workers locks no live one`() async throws {
        let trial = try await ServerTrial()
        let server = try await TestServer.shared()
        let gone = try trial.store.join(WorkerProfile(workflow: "pages", slots: 1))
        // The transaction stays open, once it has found a row, until the test releases it.
        try await server.sql(
            """
            CREATE TABLE let_go ();
            CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock(1);
                FOR look IN 1..20000 LOOP
                    EXIT WHEN EXISTS (SELECT FROM public.let_go);
                    PERFORM pg_sleep(0.001);
                END LOOP;
                RETURN NULL;
            END $$;
            CREATE TRIGGER stay AFTER DELETE ON stepline.workers FOR EACH ROW EXECUTE FUNCTION stay();
            UPDATE stepline.workers SET process = 99999999 WHERE id = \(gone.number)
            """, in: trial.url)
        async let sweeping: Void = Blocking.call { try trial.run.sweep() }
        try await server.wait(untilLockedIn: trial.url)
        #expect(throws: Never.self) {
            try trial.whileLocked("SELECT FROM stepline.workers WHERE process < 99999999 FOR UPDATE NOWAIT") {
            }
        }
        try await server.sql("INSERT INTO let_go DEFAULT VALUES", in: trial.url)
        try await sweeping
        #expect(try trial.store.workers(of: nil).map(\.number) == [trial.membership.number])
    }

    @Test
    func `DR-41, DR-42: a worker that marks itself as idle is reported of a step that must be run alone`()
        async throws
    {
        let trial = try await ServerTrial()
        let news = Recorder<Void>()
        let listening = trial.membership.onNews { news.record(()) }
        defer { listening.cancel() }
        await news.waitForCount(1)
        try trial.offer("a", interruptions: StepOffer.mostInterruptions - 1)
        #expect(try trial.membership.claim(1, risky: false).isEmpty)
        await news.waitForCount(2)
        #expect(try trial.membership.claim(1, risky: true).map(\.offer.step) == ["a"])
    }

    @Test func `DR-41: a worker receives steps of a refused task once it accepts the task again`()
        async throws
    {
        let trial = try await ServerTrial()
        try trial.offer("a")
        let claim = try trial.claim()
        for _ in 0..<2 { try trial.membership.refuse(claim) }
        #expect(try trial.membership.claim(1, risky: false).isEmpty)
        #expect(try trial.store.workers(of: nil).map(\.unknown) == [["a version 1"]])
        try trial.membership.accept(claim)
        #expect(try trial.store.workers(of: nil).map(\.unknown) == [[]])
        #expect(try trial.claim().offer.step == "a")
    }
}
