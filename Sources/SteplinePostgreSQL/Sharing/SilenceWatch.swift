import SteplineSupport

/// Notices that a server has stood still, or that its clock has jumped: no worker could renew its lease meanwhile.
///
/// A sweep that sees either spares all leases for the length of one. Cost of a wrong guess: a dead worker's steps start one
/// lease later.
struct SilenceWatch {
    private var last: (uptime: Duration, server: Duration)?
    /// The uptime until which no lease counts as over.
    private var sparedUntil: Duration?

    /// Whether leases that are over by the server's clock count as over.
    ///
    /// - Parameters:
    ///   - lease: The length of a lease.
    ///   - server: What the server's clock shows.
    ///   - start: The uptime of this process at which the server was asked.
    ///   - now: The uptime at which the answer came.
    mutating func areLeasesCounted(
        _ lease: Duration, server: Duration, asked start: Duration, at now: Duration
    ) -> Bool {
        let wasBlocked = now - start > lease / 2
        // A late answer is no jump: the server may have read its clock at once, or just before the answer.
        let passed = last.map { now - $0.uptime } ?? .zero
        let hasJumped = last.map { server - $0.server - passed > lease / 4 } ?? false
        last = (now, server)
        if wasBlocked || hasJumped { sparedUntil = now + lease }
        return sparedUntil.map { now >= $0 } ?? true
    }
}
