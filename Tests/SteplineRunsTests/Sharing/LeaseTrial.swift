import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import TestServers

@testable import SteplineRuns

/// A store of each kind whose leases expire only when a test advances the clock.
struct LeaseTrial: Sendable {
    /// The kinds of stores.
    enum Kind: CaseIterable {
        case memory, server

        static var present: [Kind] { TestServer.isNeeded ? allCases : [.memory] }

        /// Makes an empty store with leases of 15 s by the machine's own clocks.
        func make() async throws -> any SharedRunStore {
            switch self {
            case .memory: SharedMemoryStore()
            case .server: try await PostgreSQLRunStore(TestServer.shared().newDatabase())
            }
        }
    }

    /// The lease of workers in `short`.
    static let lease = Duration.seconds(5)

    /// The clock of the store; pass it to workers and workflows too.
    let clock = ManualClock()
    /// The store of a run's owner and of workers that stay.
    ///
    /// On a server, their lease outlasts each test.
    let store: any SharedRunStore
    /// A store of the same runs, whose workers are lost at the next `expire()`.
    let short: any SharedRunStore
    private let url: String?

    init(_ kind: Kind) async throws {
        switch kind {
        case .memory:
            let memory = SharedMemoryStore(lease: Self.lease, clock: clock)
            (store, short, url) = (memory, memory, nil)
        case .server:
            let server = try await TestServer.shared()
            let url = try await server.newDatabase()
            try await server.setClock(of: url, to: clock.uptime)
            store = try PostgreSQLRunStore(url, lease: .seconds(3600), clock: clock)
            short = try PostgreSQLRunStore(url, lease: Self.lease, clock: clock)
            self.url = url
        }
    }

    /// Expires the leases in `short` of all workers that send no heartbeat meanwhile.
    ///
    /// An owner whose workflow has this clock then finds those workers. It looks every 0.7 s, so the clock passes the
    /// end of the lease by more than that.
    func expire() async throws {
        let time = Self.lease + .seconds(1)
        if let url { try await TestServer.shared().setClock(of: url, to: clock.uptime + time) }
        clock.advance(by: time)
    }
}
