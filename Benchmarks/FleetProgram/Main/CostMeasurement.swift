import Foundation
import SteplinePostgreSQL
import SteplineRuns
import SteplineSupport
import TestServers

/// Measures what the statements of sharing runs cost a server of PostgreSQL's, in time of its processors.
///
/// Of what it finds the constants of `ServerCosts` are made.
struct CostMeasurement {
    private let server: TestServer
    private let store: PostgreSQLRunStore
    private let run: any SharedRun
    private let membership: any WorkerMembership
    private var made = 0

    init() async throws {
        server = try await TestServer()
        store = try PostgreSQLRunStore.postgreSQL(await server.newDatabase())
        let opened = try store.open(
            RunID("fleet", key: "measured"), input: Data("{}".utf8), as: RunOwner(since: Date()), at: Date())
        guard let run = opened as? any SharedRun else { throw CocoaError(.featureUnsupported) }
        self.run = run
        membership = try store.join(WorkerProfile(workflow: "fleet", slots: 8))
    }

    /// Prints a line for each kind of statement: what one takes the server's processors.
    mutating func print() async throws {
        // A queue of the length that a busy store has, and a server that knows how long its tables are.
        try offer(5000)
        for size in [1, 8, 32] {
            for _ in 0..<10 { try goRound(size) }
            try await server.sql("VACUUM ANALYZE", in: "runs1")
            var times: [(name: String, time: Double)] = []
            for _ in 0..<200 {
                for (place, part) in try goRound(size).enumerated() {
                    if times.count <= place { times.append((part.name, 0)) }
                    times[place].time += part.time
                }
            }
            for part in times { Self.tell("\(part.name) of \(size)", part.time / 200) }
        }
        let claims = try membership.claim(8, risky: false)
        try measure("beat", 1000) { _ = try $0.membership.beat(for: $0.membership.lease) }
        try measure("read a result", 1000) { _ = try $0.store.steps(["s1"], of: $0.run.record.id) }
        try measure("read a run", 1000) { _ = try $0.store.run($0.run.record.id) }
        try measure("look for runs without owner", 1000) { _ = try $0.store.ownerless(of: "fleet") }
        try measure("sweep, nothing to do", 1000) { try $0.run.sweep() }
        try membership.handBack(claims.map(\.id))
        let other = try store.join(WorkerProfile(workflow: "other", slots: 8))
        try measure("claim nothing", 1000) { _ in _ = try other.claim(8, risky: false) }
        try measure("join", 200) { _ = try $0.store.join(WorkerProfile(workflow: "third", slots: 8)) }
        try measure("connect", 200) { [url = server.url("runs1")] _ in
            _ = try PostgreSQLRunStore.postgreSQL(url)
        }
        try listeners()
    }

    /// Measures a notification while many connections listen, all of which it wakes.
    private mutating func listeners() throws {
        var memberships: [any WorkerMembership] = []
        var subscriptions: [Any] = []
        for count in [0, 50, 100, 200, 400] {
            while memberships.count < count {
                let membership = try store.join(WorkerProfile(workflow: "fleet", slots: 8))
                memberships.append(membership)
                subscriptions.append(membership.onNews {})
            }
            // Until all of them listen.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 2)
            let before = busyParts()
            for _ in 0..<200 {
                // Nothing is kept by it but the first time; all that listen wake.
                _ = try store.send(.fulfil(condition: "c", nil), to: run.record.id, at: Date())
            }
            // Until all have heard.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
            let parts = busyParts().map { $0.value - (before[$0.key] ?? 0) }.sorted(by: >)
            Self.tell("tell, while \(count) listen: who tells", (parts.first ?? 0) / 200)
            Self.tell("tell, while \(count) listen: the others", parts.dropFirst().reduce(0, +) / 200)
        }
        withExtendedLifetime((memberships, subscriptions)) {}
    }

    /// Offers steps, takes as many, ends them, and hears of that; what each has taken the server.
    @discardableResult
    private mutating func goRound(_ size: Int) throws -> [(name: String, time: Double)] {
        var parts: [(name: String, time: Double)] = []
        var before = busy()
        func part(_ name: String) {
            let now = busy()
            parts.append((name, now - before))
            before = now
        }
        try offer(size)
        part("offer")
        let claims = try membership.claim(size, risky: false)
        part("claim")
        _ = try membership.end(
            claims.map { claim in
                WorkedStep(
                    claim: claim, outcome: .finished, result: Data("[1, 2, 3, 4]".utf8), began: Date(),
                    ended: Date())
            })
        part("end, and tell the owner")
        let ends = try run.ends(acknowledging: [])
        part("hear")
        _ = try run.ends(acknowledging: ends.map { AcknowledgedEnd(id: $0.id, attempt: $0.attempt) })
        part("acknowledge")
        return parts
    }

    private mutating func offer(_ count: Int) throws {
        try run.offer(
            (0..<count).map { _ in
                made += 1
                return StepOffer(
                    step: "s\(made)", task: "step", version: 1, attempt: 1, token: UInt64(made), links: 1,
                    failures: 0, interruptions: 0, priority: 0, cacheKey: nil)
            })
    }

    private mutating func measure(
        _ name: String, _ count: Int, _ body: (inout CostMeasurement) throws -> Void
    ) throws {
        let before = busy()
        for _ in 0..<count { try body(&self) }
        Self.tell(name, (busy() - before) / Double(count))
    }

    private static func tell(_ name: String, _ seconds: Double) {
        Swift.print("\(name): \(Int((seconds * 1e6).rounded())) µs")
    }

    /// Seconds that the server's processes have computed, those that are over as well.
    private func busy() -> Double {
        let own = Self.text("/proc/\(main)/stat")
        // `42 (name) S 41 …`, where a name may hold anything; the 15th and 16th word are of children that are over.
        let words = own[(own.lastIndex(of: ")") ?? own.startIndex)...].split(separator: " ")
        let ticks = words.count > 15 ? (Double(words[14]) ?? 0) + (Double(words[15]) ?? 0) : 0
        return busyParts().values.reduce(0, +) + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The same of each process that is there.
    private func busyParts() -> [Int: Double] {
        let children = Self.text("/proc/\(main)/task/\(main)/children").split(separator: " ").compactMap {
            Int($0)
        }
        return Dictionary(
            (children + [main]).map { process in
                let words = Self.text("/proc/\(process)/schedstat").split(separator: " ")
                return (process, (words.first.flatMap { Double($0) } ?? 0) / 1e9)
            }
        ) { $1 }
    }

    private var main: Int {
        let lines = Self.text(server.folder.appending(path: "data/postmaster.pid").path).split(
            separator: "\n")
        return lines.first.flatMap { Int($0) } ?? 0
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
