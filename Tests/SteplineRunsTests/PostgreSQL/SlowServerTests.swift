import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import TestServers
import TestSupport
import Testing

@testable import SteplinePostgreSQL

#if canImport(Glibc)
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
    private let streamSocket = SOCK_STREAM
#endif

/// Servers that don't answer, cancel statements, or take long to remove a run.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct SlowServerTests {
    @Test func `DR-44: a statement that the server cancels as too slow is tried again`() async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let run = try PostgreSQLRunStore(url).openTest()
        #expect(try run.finish("a", Data([1])))
        let locks = """
            FROM pg_locks WHERE relation = 'stepline.steps'::regclass
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        // Cancels the first statement that waits for the lock, as a time-out of the server does.
        async let lock = server.sql(
            """
            BEGIN;
            LOCK TABLE stepline.steps;
            DO $$ BEGIN
                FOR look IN 1..20000 LOOP
                    EXIT WHEN (SELECT count(pg_cancel_backend(pid)) > 0 \(locks) AND NOT granted);
                    PERFORM pg_sleep(0.001);
                END LOOP;
            END $$;
            COMMIT
            """, in: url)
        try await eventually {
            try await server.sql("SELECT 1 \(locks) AND granted AND mode = 'AccessExclusiveLock'", in: url)
                == ["1"]
        }
        #expect(try run.finish("b"))
        _ = try await lock
        run.close()
    }

    @Test func `DR-33: a large run is removed by many statements`() async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let store = try PostgreSQLRunStore(url)
        for key in ["a", "b"] {
            let run = try store.openTest(id: RunID("w", key: key))
            for step in 0..<250 { try run.finish("\(step)") }
            try run.end(.finished, at: moment())
        }
        try await server.sql(
            """
            CREATE FUNCTION limited() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF (SELECT count(*) FROM gone) > 100 THEN RAISE EXCEPTION 'too many at once'; END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER limited AFTER DELETE ON stepline.steps REFERENCING OLD TABLE AS gone
                FOR EACH STATEMENT EXECUTE FUNCTION limited()
            """, in: url)
        #expect(try store.forget(RunID("w", key: "a")))
        #expect(try store.forget(endedBefore: moment(1), of: nil) == 1)
        #expect(try await server.sql("SELECT count(*) FROM stepline.steps", in: url) == ["0"])
    }

    @Test func `DR-33: an error with one run doesn't keep other runs from being removed`() async throws {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let store = try PostgreSQLRunStore(url)
        for key in ["a", "b", "c"] {
            try store.openTest(id: RunID("w", key: key)).end(.finished, at: moment())
        }
        try await server.sql(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'it stays'; END $$;
            CREATE TRIGGER refuse BEFORE DELETE ON stepline.runs FOR EACH ROW WHEN (OLD.key = 'b')
                EXECUTE FUNCTION refuse()
            """, in: url)
        #expect(code { _ = try store.forget(endedBefore: moment(1), of: nil) } == .unavailable)
        #expect(try store.runs(of: nil).map(\.id.key) == ["b"])
    }

    @Test func `DR-44: a host that accepts connections without an answer is passed over`() async throws {
        let port = try #require(try FreePorts.some(1).first)
        let silent = socket(AF_INET, streamSocket, 0)
        defer { close(silent) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(silent, $0, size) == 0 }
        }
        try #require(isBound && listen(silent, 8) == 0)
        let url = try await TestServer.shared().newDatabase()
        let both = url.rewriting("?host=", as: "?port=\(port),5432&host=127.0.0.1,")
        let isOpen = OneShot<Bool>()
        Thread.detachNewThread { isOpen.fulfill((try? PostgreSQLRunStore(both)) != nil) }
        #expect(await isOpen.value)
    }
}
