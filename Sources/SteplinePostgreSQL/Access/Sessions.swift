import SteplineRuns
import SteplineSupport

/// The connection pool of a store: as many connections as are in use at once, and up to eight idle ones.
///
/// Work may execute more than once. A transaction is repeated after a conflict with another one, after a server's
/// time-out, and after the loss of its connection, even during its commit. Callers that write must detect a repetition.
///
/// | failure | reaction |
/// |---|---|
/// | conflict (40001, 40P01) | repeat after a short random pause, at most 50 times |
/// | lost connection, time-out of a lock or statement | repeat with exponential back-off until `patience` ends |
/// | other errors | throw |
final class Sessions: Sendable {
    private struct Idle: @unchecked Sendable {  // protected by the pool's lock, or by removal from it
        let session: Session
    }

    /// The largest number of idle connections.
    private static let most = 8
    /// The largest number of repetitions after conflicts.
    private static let attempts = 50

    let address: Address
    private let lease: Duration
    /// The longest wait for an unreachable server.
    private let patience: Duration
    private let clock: any StepClock
    private let idle = Locked<[Idle]>([])

    init(_ address: Address, lease: Duration, patience: Duration, clock: any StepClock) {
        self.address = address
        self.clock = clock
        self.lease = lease
        self.patience = patience
    }

    /// Executes one statement.
    func run(_ sql: StaticString, _ values: [Value], patience: Duration? = nil) throws -> Answer {
        try retrying(patience ?? self.patience) { try $0.run(sql, values) }
    }

    /// Runs a closure in a transaction.
    func transaction<Result>(
        patience: Duration? = nil, _ body: (Session) throws -> Result
    ) throws -> Result {
        try retrying(patience ?? self.patience) { session in
            try session.run("BEGIN")
            do {
                let result = try body(session)
                try session.run("COMMIT")
                return result
            } catch {
                // The server has already rolled back a lost connection's transaction.
                if !((error as? ServerFailure)?.isLost ?? false) { _ = try? session.run("ROLLBACK") }
                throw error
            }
        }
    }

    /// Runs a closure with a connection; starts again with another connection if the first is lost.
    func retrying<Result>(_ body: (Session) throws -> Result) throws -> Result {
        try retrying(patience, body)
    }

    // MARK: Trying again

    private func retrying<Result>(
        _ patience: Duration, _ body: (Session) throws -> Result
    ) throws -> Result {
        var conflicts = 0
        var pauses = Pauses(patience, clock: clock)
        while true {
            do {
                let taken = try take()
                // Also after an error. `give` drops unusable connections.
                defer { give(taken) }
                return try body(taken.session)
            } catch let failure as ServerFailure where failure.isConflict && conflicts < Self.attempts {
                conflicts += 1
                // Random, so that two conflicting transactions don't collide again.
                Pauses.wait(.milliseconds(Int.random(in: 0...conflicts)))
            } catch let failure as ServerFailure where failure.isLost || failure.isBlocked {
                // The idle connections most probably broke at the same time.
                if failure.isLost { idle.withLock { $0 = [] } }
                guard pauses.wait() else { throw failure }
            }
        }
    }

    private func take() throws -> Idle {
        if let session = idle.withLock({ $0.popLast() }) { return session }
        return Idle(session: try Session(address, lease: lease))
    }

    /// Returns a connection to the pool, unless it is lost or inside a transaction.
    private func give(_ session: Idle) {
        guard session.session.isIdle else { return }
        idle.withLock { if $0.count < Self.most { $0.append(session) } }
    }
}
