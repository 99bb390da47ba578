package import Foundation
import SteplinePostgreSQL
import SteplineSupport

/// A server of PostgreSQL's of the tests' own, in a temporary folder, on a socket there; it is gone with the process.
package final class TestServer: Sendable {
    struct Refusal: Error, CustomStringConvertible { let description: String }

    package static let absence =
        "no PostgreSQL is found: install it (Debian: apt-get install postgresql), or name its programs' folder in STEPLINE_POSTGRESQL"

    /// Whether tests with a server are to be run; where one is required they are, and fail if there is none.
    package static let isNeeded =
        programs != nil || ProcessInfo.processInfo.environment["STEPLINE_REQUIRES_POSTGRESQL"] != nil

    /// Where `initdb`, `postgres` and `psql` lie; nil if they are nowhere, or not to be used.
    static let programs: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["STEPLINE_POSTGRESQL"] { return path.isEmpty ? nil : path }
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        let folders = newest + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// The one that tests share which don't harm it.
    package static func shared() async throws -> TestServer { try await sharedServer.value }

    private static let sharedServer = Task { try await TestServer() }

    /// Where it keeps everything, and its socket lies.
    package let folder: URL
    private struct Running {
        let process: Int32
        let keeper: Process
    }

    private let running = Locked<Running?>(nil)
    private let made = Locked(0)

    package init() async throws {
        guard let programs = Self.programs else { throw Refusal(description: "\(Self.absence)") }
        // A socket's path is short.
        folder = URL(
            filePath: "\(Self.root)/stepline-pg-\(UUID().uuidString.prefix(8))",
            directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The server doesn't start as root.
        if geteuid() == 0 { chown(folder.path, 65_534, 65_534) }
        try await Shell.run(
            """
            cd "$1" && \(Self.asNobody) "$2/initdb" -D data -U runs -A trust -E UTF8 --locale=C --no-sync >initdb.log 2>&1
            """, [folder.path, programs])
        try await start()
        _ = try await sql("CREATE DATABASE prepared")
        try PostgreSQLRunStore.prepare(url("prepared"))
    }

    deinit { stop() }

    /// Memory where there is enough of it: a new database is a copy of 8 MB, which takes three times as long on a disk.
    private static let root: String = {
        var room = statvfs()
        guard statvfs("/dev/shm", &room) == 0, UInt64(room.f_bavail) * UInt64(room.f_frsize) > 4 << 30,
            access("/dev/shm", W_OK) == 0
        else { return "/tmp" }
        return "/dev/shm"
    }()

    private static var asNobody: String {
        geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
    }

    // MARK: Its life

    /// Starts it, and waits until it is ready.
    ///
    /// Its keeper ends it once this process is gone.
    package func start() async throws {
        let script = """
            cd "$1"
            while true; do
                \(Self.asNobody) "$2/postgres" -D data -k "$1" -c listen_addresses= -c fsync=off \
                    -c full_page_writes=off -c max_connections=500 -c shared_buffers=32MB \
                    -c max_wal_size=128MB -c min_wal_size=32MB >>log 2>&1 &
                server=$!
                until "$2/pg_isready" -q -h "$1" -U runs; do
                    kill -0 $server 2>/dev/null || break
                    sleep 0.02
                done
                # What a killed server has left may be in the way for a moment.
                kill -0 $server 2>/dev/null && break
                sleep 0.05
            done
            echo $server
            while kill -0 $PPID 2>/dev/null; do sleep 0.2; done >/dev/null 2>&1
            kill -QUIT $server 2>/dev/null
            wait $server
            rm -rf "$1"
            """
        let (keeper, text) = try await Shell.keeper(script, [folder.path, Self.programs ?? ""])
        guard let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Refusal(description: "the server doesn't start: \(text)")
        }
        running.withLock { $0 = Running(process: process, keeper: keeper) }
    }

    /// Whether it was started and not killed since.
    package var isRunning: Bool { running.withLock { $0 != nil } }

    /// Ends it as a power cut does; all that it has confirmed is kept.
    package func kill() {
        let process = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let process else { return }
        // All at once: neither does it start anew what it has lost, nor does anybody finish what was begun.
        Foundation.kill(process.process, SIGSTOP)
        for child in Self.children(of: process.process) { Foundation.kill(child, SIGKILL) }
        Foundation.kill(process.process, SIGKILL)
        // A child of a thread that blocks signals blocks them as well, but not this one.
        Foundation.kill(process.keeper.processIdentifier, SIGKILL)
    }

    private static func children(of process: Int32) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap(Int32.init).filter { number in
            // `42 (name) S 41 …`, where a name may hold anything.
            guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else {
                return false
            }
            let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            return words.count > 2 && Int32(words[2]) == process
        }
    }

    /// Ends it for good.
    package func stop() {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Databases

    /// A new database that is prepared for runs; its URL.
    package func newDatabase() async throws -> String {
        let name = made.withLock { number in
            number += 1
            return "runs\(number)"
        }
        _ = try await sql("CREATE DATABASE \(name) TEMPLATE prepared")
        return url(name)
    }

    /// Frees the room of a new database that nobody needs any more: thousands of them fill a disk.
    package func drop(_ url: String) async throws {
        let name = URL(string: url)?.lastPathComponent ?? ""
        try await sql("DROP DATABASE \(name) WITH (FORCE)")
    }

    /// Sets the clock of leases in one database an hour ahead of the server's.
    ///
    /// No lease expires before the server has run for one. By this clock it has run for an hour.
    package func advanceClock(of url: String) async throws {
        try await sql(
            """
            CREATE OR REPLACE FUNCTION stepline.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
                $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$
            """, in: url)
    }

    /// Stops the clock of leases in one database at a moment, counted from an arbitrary start.
    ///
    /// From then on leases in that database expire only when the clock is set again.
    package func setClock(of url: String, to time: Duration) async throws {
        try await sql(
            """
            CREATE OR REPLACE FUNCTION stepline.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
                $$ SELECT timestamptz '2100-01-01 00:00:00Z' + interval '\(time.inSeconds) seconds' $$
            """, in: url)
    }

    package func url(_ database: String, folder: URL? = nil) -> String {
        "postgresql://runs@/\(database)?host=\((folder ?? self.folder).path)"
    }

    /// The server's output for statements, a line for each row.
    @discardableResult
    package func sql(_ text: String, in database: String = "postgres") async throws -> [String] {
        let text = try await Shell.run(
            "\"$2/psql\" -X -q -t -A -v ON_ERROR_STOP=1 -d \"$1\" -c \"$3\" 2>&1",
            [database.contains("://") ? database : url(database), Self.programs ?? "", text])
        return text.split(separator: "\n").map(String.init)
    }
}
