import Foundation
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import Testing

@testable import SteplineRuns

/// Runs on a server that others hold, remove or have ended in the same moment.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct HeldRunTests {
    private static let id = ServerTrial.id

    /// Does something while somebody else is about to have removed the run.
    private func whileRemoved(_ body: @escaping @Sendable (PostgreSQLRunStore) throws -> Void) async throws {
        let trial = try await ServerTrial()
        trial.run.close()
        let server = try await TestServer.shared()
        try await server.holdUp("AFTER DELETE ON stepline.runs", in: trial.url)
        async let wasThere = Blocking.call { try trial.store.forget(Self.id) }
        try await server.wait(untilLockedIn: trial.url)
        try await Blocking.call { try body(trial.store) }
        #expect(try await wasThere)
    }

    @Test func `DR-18, DR-33: a run that is removed while it is opened again is made anew`() async throws {
        try await whileRemoved { store in
            let run = try store.open(Self.id, input: nil, as: RunOwner(since: Date()), at: Date())
            #expect(run.record.openings == 1)
            run.close()
        }
    }

    @Test func `DR-19, DR-33: a signal to a run that is being removed finds no run`() async throws {
        try await whileRemoved { store in
            let error = #expect(throws: RunStoreError.self) {
                try store.send(.cancel("enough"), to: Self.id, at: Date())
            }
            #expect(error?.code == .noSuchRun)
        }
    }

    @Test func `DR-18, DR-43: a locked row of one run does not delay the lease renewal of another`()
        async throws
    {
        let clock = ManualClock()
        let trial = try await ServerTrial(lease: .seconds(60), clock: clock)
        let other = RunID("pages", key: "other")
        let run = try trial.store.open(other, input: nil, as: RunOwner(since: Date()), at: Date())
        defer { run.close() }
        let server = try await TestServer.shared()
        async let renewal = server.sql(
            """
            DO $$
            DECLARE first timestamptz;
            BEGIN
                PERFORM FROM stepline.runs WHERE key = 'k' FOR UPDATE;
                SELECT held_until INTO first FROM stepline.runs WHERE key = 'other';
                PERFORM pg_advisory_xact_lock(1);
                FOR look IN 1..10000 LOOP
                    IF (SELECT held_until FROM stepline.runs WHERE key = 'other') > first THEN RETURN; END IF;
                    PERFORM pg_sleep(0.001);
                END LOOP;
                RAISE EXCEPTION 'it was not renewed';
            END $$
            """, in: trial.url)
        try await server.wait(untilLockedIn: trial.url)
        clock.advance(by: .seconds(20))
        _ = try await renewal
    }

    @Test func `DR-18, DR-41: an owner whose offers keep its run's row busy has its lease renewed by them`()
        async throws
    {
        let trial = try await ServerTrial()
        let server = try await TestServer.shared()
        func isRenewed(by body: () throws -> Void) async throws -> Bool {
            try await server.sql("UPDATE stepline.runs SET held_until = '2020-01-01'", in: trial.url)
            try body()
            return try trial.store.run(Self.id)?.isOpen == true
        }
        #expect(try await isRenewed { try trial.offer("a") })
        try trial.end(trial.claim())
        #expect(try await isRenewed { _ = try trial.hear() })
    }

    @Test func `DR-44: a client stopped within a transaction doesn't block others for its whole lease`()
        async throws
    {
        let trial = try await ServerTrial(lease: .seconds(600))
        let settings = try trial.settings(["idle_in_transaction_session_timeout", "lock_timeout"])
        #expect(settings[0] > 0 && settings[0] < settings[1])
    }

    @Test func `DR-19: the reason of a cancel may have any characters`() async throws {
        let trial = try await ServerTrial()
        try trial.run.end(.cancelled("enough\0of it"), at: Date())
        #expect(try trial.store.run(Self.id)?.ending == .cancelled("enough\u{FFFD}of it"))
    }

    @Test func `DR-43: a worker doesn't change a run that another one has ended meanwhile`() async throws {
        let store = MemoryRunStore()
        func workflow() throws -> Workflow {
            let workflow = Workflow("pages")
            try workflow.add("a") {}
            return workflow
        }
        try await workflow().run(in: store, key: "k")
        let ended = try #require(store.run(Self.id))
        let error = await #expect(throws: RunStoreError.self) {
            try await workflow().run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .worker
            ) { _ in }
        }
        #expect(error?.code == .ownershipLost)
        let left = try #require(store.run(Self.id))
        #expect(left.ending == .finished && left.ended == ended.ended && !left.isOpen)
    }
}
