import SteplineRuns
import SteplineSupport

/// The connections of a store to its server: as many as are in use at once, and some that wait for the next use.
///
/// What is done here may be done more than once: a transaction that was in another's way is tried again, and so is one
/// whose connection was lost, also in the middle of its commit, or that has waited too long for a lock. Callers that write
/// make sure that nothing is written twice.
final class Sessions: Sendable {
    private struct Idle: @unchecked Sendable {  // the pool, or whoever took it from there, protects it
        let session: Session
    }

    /// How many wait for the next use.
    private static let most = 8
    /// How often a transaction is tried that is in others' way.
    private static let attempts = 50

    let address: Address
    private let lease: Duration
    /// How long a server that is away is waited for.
    private let patience: Duration
    private let clock: any StepClock
    private let idle = Locked<[Idle]>([])

    init(_ address: Address, lease: Duration, patience: Duration, clock: any StepClock) {
        self.address = address
        self.clock = clock
        self.lease = lease
        self.patience = patience
    }

    /// Runs one statement.
    func run(_ sql: StaticString, _ values: [Value], patience: Duration? = nil) throws -> Answer {
        try retrying(patience ?? self.patience) { try $0.run(sql, values) }
    }

    /// Does all of it or nothing.
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
                if !((error as? ServerFailure)?.isLost ?? false) { _ = try? session.run("ROLLBACK") }
                throw error
            }
        }
    }

    /// Does something over one connection; over another one from the beginning, if that is lost.
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
                defer { give(taken) }
                return try body(taken.session)
            } catch let failure as ServerFailure where failure.isConflict && conflicts < Self.attempts {
                conflicts += 1
                Pauses.wait(.milliseconds(Int.random(in: 0...conflicts)))
            } catch let failure as ServerFailure where failure.isLost || failure.isBlocked {
                // The others were most likely lost as well.
                if failure.isLost { idle.withLock { $0 = [] } }
                guard pauses.wait() else { throw failure }
            }
        }
    }

    private func take() throws -> Idle {
        if let session = idle.withLock({ $0.popLast() }) { return session }
        return Idle(session: try Session(address, lease: lease))
    }

    /// Keeps a connection for the next use, unless it is lost or in the middle of something.
    private func give(_ session: Idle) {
        guard session.session.isIdle else { return }
        idle.withLock { if $0.count < Self.most { $0.append(session) } }
    }
}
