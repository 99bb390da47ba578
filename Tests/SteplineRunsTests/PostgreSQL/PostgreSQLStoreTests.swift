import Dispatch
import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import TestServers
import TestSupport
import Testing

@testable import SteplinePostgreSQL

/// Tests of a server itself: databases that are no stores, missing servers, and secrets in messages.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct PostgreSQLStoreTests {
    private func error(_ body: () throws -> Void) -> RunStoreError? {
        do { try body() } catch { return error as? RunStoreError }
        return nil
    }

    private func emptyDatabase(_ server: TestServer) async throws -> String {
        let name = "empty\(UInt32.random(in: 0...UInt32.max))"
        try await server.sql("CREATE DATABASE \(name)")
        return server.url(name)
    }

    @Test func `DR-25, DR-40: a database is prepared before it is used, once, by any number at a time`()
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await emptyDatabase(server)
        let unprepared = error { _ = try PostgreSQLRunStore(url) }
        #expect(unprepared?.code == .notPrepared && "\(unprepared!)".contains("runs prepare"))
        let failures = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do { try PostgreSQLRunStore.prepare(url) } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 } == [])
        try PostgreSQLRunStore(url).openTest().close()
        try PostgreSQLRunStore.prepare(url)
        #expect(try PostgreSQLRunStore(url).runs(of: nil).count == 1)
    }

    @Test(arguments: 1..<Layout.version)
    func `DR-25, DR-40: a store of each older layout is migrated with what it keeps`(layout: Int) async throws
    {
        let server = try await TestServer.shared()
        let url = try await emptyDatabase(server)
        // From the second layout on, the owner has not yet read the end of step a, which counts as finished.
        try await server.sql(
            """
            CREATE SCHEMA stepline;
            CREATE TABLE stepline.layout (version int8 NOT NULL);
            INSERT INTO stepline.layout VALUES (\(layout));
            \(Layout.scripts.prefix(layout).joined(separator: ";\n"));
            INSERT INTO stepline.runs (workflow, key, created, host, process, token, since, openings, finished)
                VALUES ('pages', 'k', 0, 'host', 1, 1, 0, 1, \(layout == 1 ? 1 : 0));
            INSERT INTO stepline.steps (run, name, state, attempt, token, version, links, failures, interruptions, wait)
                SELECT id, 'a', 3, 1, 1, 1, 0, 0, 0, 0 FROM stepline.runs
            """, in: url)
        if layout > 1 {
            let isFinished = layout > 2 ? (", finished", ", 1") : ("", "")
            try await server.sql(
                """
                INSERT INTO stepline.offers (run, workflow, step, task, version, attempt, token, links, failures,
                        interruptions, priority, turn, outcome\(isFinished.0))
                    SELECT id, 'pages', 'a', 'a', 1, 1, 1, 0, 0, 0, 0, 1, 0\(isFinished.1) FROM stepline.runs
                """, in: url)
        }
        #expect(error { _ = try PostgreSQLRunStore(url) }?.code == .notPrepared)
        try PostgreSQLRunStore.prepare(url)
        let store = try PostgreSQLRunStore(url), id = RunID("pages", key: "k")
        #expect(try store.run(id)?.finished == 1)
        var steps: [String] = []
        try store.forEachStep(of: id) { steps.append($0.name) }
        #expect(steps == ["a"])
        let shown = try await server.sql("SELECT key, state, finished FROM stepline.progress", in: url)
        #expect(shown == ["k|interrupted|1"])
    }

    @Test
    func `DR-25: a later layout is refused, and so is a schema of somebody else's; both are left alone`()
        async throws
    {
        let server = try await TestServer.shared()
        let later = try await server.newDatabase()
        try await server.sql("UPDATE stepline.layout SET version = 99", in: later)
        #expect(error { _ = try PostgreSQLRunStore(later) }?.code == .newerLayout)
        #expect(error { try PostgreSQLRunStore.prepare(later) }?.code == .newerLayout)
        #expect(try await server.sql("SELECT version FROM stepline.layout", in: later) == ["99"])
        let other = try await emptyDatabase(server)
        try await server.sql("CREATE SCHEMA stepline; CREATE TABLE stepline.notes (text text)", in: other)
        #expect(error { _ = try PostgreSQLRunStore(other) }?.code == .notPrepared)
        #expect(error { try PostgreSQLRunStore.prepare(other) }?.code == .notAStore)
        #expect(
            try await server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'stepline'", in: other)
                == ["1"])
    }

    @Test(arguments: [
        "postgresql://runs:hush@nowhere.invalid/runs", "postgresql://runs:hu%40sh@nowhere.invalid:5433/runs",
        "postgresql://runs:hush@/runs?host=/nowhere", "host=nowhere.invalid password=hush dbname=runs",
        "postgresql://runs:hu@hush@nowhere.invalid/runs", "postgresql://runs:hu/hush@nowhere.invalid/runs",
        "postgresql://runs:hush?hush@nowhere.invalid/runs",
        "postgresql://runs:hush@nowhere.invalid:hush/runs",
        "postgresql://runs@/runs?password=hush&host=/nowhere", "postgresql://runs:hush@[/runs", "hush",
    ])
    func `DR-26, DR-40: an unreachable server is reported at once, without the password`(url: String)
        async throws
    {
        // On a thread of its own: the name's server may be asked for seconds.
        let answer = OneShot<RunStoreError?>()
        Thread.detachNewThread { answer.fulfill(error { _ = try PostgreSQLRunStore(url) }) }
        let found = try #require(await answer.value)
        let texts = [
            "\(found)", found.store, found.localizedDescription, found.underlying.map { "\($0)" } ?? "",
        ]
        #expect(found.code == .unavailable)
        for text in texts {
            #expect(!text.contains("hu@") && !text.contains("hush") && !text.contains("hu%40"), "\(text)")
        }
    }

    @Test func `DR-17, DR-44: a server that goes and stays away is waited for as long as patience says`()
        async throws
    {
        try await MortalServer.use { try await waitForPatience(on: $0) }
    }

    private func waitForPatience(on server: TestServer) async throws {
        let store = try await PostgreSQLRunStore(server.newDatabase(), patience: .milliseconds(300))
        let run = try store.openTest()
        try run.finish("a", Data([1]))
        server.kill()
        let clock = ContinuousClock()
        let start = clock.now
        let found = error { try run.finish("b") }
        #expect(found?.code == .unavailable && clock.now - start >= .milliseconds(300))
        try await server.start()
        #expect(try run.finish("b"))
        #expect(try store.steps().map(\.name) == ["a", "b"])
        run.close()
        #expect(try store.run(.test)?.isOpen == false)
    }

    @Test func `DR-44: a server that is read-only for a while, as after a failover, is waited for`()
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let run = try PostgreSQLRunStore(url).openTest()
        #expect(try run.finish("a", Data([1])))
        let name = try #require(try await server.sql("SELECT current_database()", in: url).first)
        try await server.sql("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        // The sessions of the store end, and the next ones are read-only.
        let sessions = "FROM pg_stat_activity WHERE datname = '\(name)'"
        try await server.sql("SELECT pg_terminate_backend(pid) \(sessions)")
        let isKept = OneShot<Bool>()
        Thread.detachNewThread { isKept.fulfill((try? run.finish("b")) ?? false) }
        await eventually {
            (try? await server.sql("SELECT 1 \(sessions) LIMIT 1")) == ["1"]
        }
        try await server.sql("ALTER DATABASE \(name) RESET default_transaction_read_only")
        #expect(await isKept.value)
        run.close()
    }

    @Test(.soakOnly) func `DR-44: a lock that is held for longer than the server allows is waited for`()
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let run = try PostgreSQLRunStore(url).openTest()
        #expect(try run.finish("a", Data([1])))
        async let lock = server.sql("BEGIN; LOCK TABLE stepline.steps; SELECT pg_sleep(33); COMMIT", in: url)
        await eventually {
            (try? await server.sql("SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' LIMIT 1")) == [
                "1"
            ]
        }
        #expect(try run.finish("b"))
        _ = try await lock
        run.close()
    }

    @Test(.soakOnly) func `DR-40: a result that no server takes is refused, and the run goes on`()
        async throws
    {
        let run = try await PostgreSQLRunStore(TestServer.shared().newDatabase()).openTest()
        #expect(error { try run.finish("a", Data(count: 1_100_000_000)) }?.code == .tooLarge)
        #expect(try run.finish("b"))
        run.close()
    }

    @Test func `a result that was changed in the database is reported as damaged`() async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let run = try PostgreSQLRunStore(url).openTest()
        try run.finish("a", bytes(100_000))
        try await server.sql(
            "UPDATE stepline.steps SET result = set_byte(result, 99, 1 + get_byte(result, 99) % 200)", in: url
        )
        #expect(error { _ = try run.result(of: "a") }?.code == .resultDamaged)
        run.close()
    }

    @Test func `texts that no database keeps are kept as far as they go, or refused`() async throws {
        let run = try await PostgreSQLRunStore(TestServer.shared().newDatabase()).openTest()
        let failure = StepFailure(code: "c", message: "a\0b")
        let failed = StepChange(.failed(failure), of: "a", attempt: 1, token: 1, at: moment())
        #expect(try run.write([failed]) == [])
        let message = Locked("")
        try run.forEachStep { step in message.withLock { $0 = step.failure?.message ?? "" } }
        #expect(message.withLock { $0 } == "a\u{FFFD}b")
        #expect(error { try run.finish("a\0b") }?.code == .unavailable)
        #expect(try run.finish("c"))
        run.close()
    }

    @Test func `DR-24: SQL views show the states of runs`() async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let store = try PostgreSQLRunStore(url)
        let run = try store.openTest()
        try run.finish("a")
        _ = try run.write([StepChange(.began, of: "b", attempt: 1, token: 1, at: moment())])
        #expect(
            try await server.sql("SELECT key, state, finished FROM stepline.progress", in: url) == [
                "2026-11-22|running|1"
            ])
        #expect(
            try await server.sql("SELECT name, state, began FROM stepline.unfinished", in: url) == [
                "b|running|2026-05-09 06:13:20+00"
            ])
        try run.end(.failed, at: moment())
        #expect(try await server.sql("SELECT state FROM stepline.progress", in: url) == ["failed"])
    }

    @Test
    func
        `DR-11: where an owner cancels a step at the moment in which a worker finishes it, one of them is refused`()
        async throws
    {
        let url = try await TestServer.shared().newDatabase()
        let store = try PostgreSQLRunStore(url)
        let run = try store.openTest()
        let shared = try #require(run as? any SharedRun)
        let membership = try store.join(WorkerProfile(workflow: RunID.test.workflow, slots: 1))
        for round in 0..<100 {
            _ = try membership.beat(for: membership.lease)
            let offers = (0..<4).map { place in
                StepOffer(
                    step: "\(round).\(place)", task: "a", version: 1, attempt: 1, token: 7, links: 0,
                    failures: 0, interruptions: 0, priority: 0, cacheKey: nil)
            }
            try shared.offer(offers)
            let ends = try membership.claim(4, risky: false).map { claim in
                WorkedStep(claim: claim, outcome: .finished, result: nil, began: moment(), ended: moment())
            }
            let cancels = ends.reversed().map { end in
                StepChange(.cancelled(.test), of: end.claim.offer.step, attempt: 1, token: 1, at: moment())
            }
            let refused = Locked((0, 0))
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 0 {
                    let count = (try? membership.end(ends).count) ?? -1
                    refused.withLock { $0.0 = count }
                } else {
                    let count = (try? run.write(cancels).count) ?? -1
                    refused.withLock { $0.1 = count }
                }
            }
            #expect(refused.withLock { $0.0 + $0.1 } == 4, "round \(round): \(refused.withLock { $0 })")
        }
        run.close()
        let finished = try store.steps().count { $0.state == .finished }
        try store.openTest(2).end(.finished, at: moment())
        #expect(try store.run(.test)?.finished == finished)
    }

    private func offer(_ step: String) -> StepOffer {
        StepOffer(
            step: step, task: step, version: 1, attempt: 1, token: 7, links: 0, failures: 0, interruptions: 0,
            priority: 0, cacheKey: nil)
    }

    @Test func `DR-42: a step claimed at the instant of the worker's sweep is offered again`()
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let store = try PostgreSQLRunStore(url)
        let run = try #require(try store.openTest() as? any SharedRun)
        try run.offer([offer("a")])
        let profile = WorkerProfile(workflow: RunID.test.workflow, slots: 1)
        #expect(try store.join(profile).claim(1, risky: false).count == 1)
        try await server.sql("DELETE FROM stepline.workers", in: url)
        try run.sweep()
        let claims = try store.join(profile).claim(1, risky: false)
        #expect(claims.map(\.offer.step) == ["a"] && claims.map(\.offer.interruptions) == [1])
        run.close()
    }

    @Test func `DR-19: a step returned at the instant of its withdrawal has ended`()
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let store = try PostgreSQLRunStore(url)
        let run = try #require(try store.openTest() as? any SharedRun)
        try run.offer([offer("a")])
        let membership = try store.join(WorkerProfile(workflow: RunID.test.workflow, slots: 1))
        #expect(try membership.claim(1, risky: false).count == 1)
        // Gives it back, and commits when somebody waits for that.
        let giving = Task {
            try await server.sql(
                """
                UPDATE stepline.offers SET worker = NULL, worker_name = NULL, began = NULL;
                DO $$ BEGIN
                    WHILE NOT EXISTS (
                        SELECT FROM pg_locks
                        WHERE NOT granted AND transactionid::text = (pg_current_xact_id()::xid)::text)
                    LOOP PERFORM pg_sleep(0.01); END LOOP;
                END $$
                """, in: url)
        }
        let writers = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND backend_xid IS NOT NULL AND query LIKE '%pg_current_xact_id()%'
                AND pid <> pg_backend_pid()
            """
        try await eventually { try await server.sql(writers, in: url) == ["1"] }
        try run.withdraw([(step: "a", attempt: 1)])
        _ = try await giving.value
        let ends = try run.ends(acknowledging: [])
        #expect(ends.map(\.step) == ["a"])
        for end in ends { if case .stopped = end.outcome {} else { Issue.record("\(end)") } }
        run.close()
    }
}
