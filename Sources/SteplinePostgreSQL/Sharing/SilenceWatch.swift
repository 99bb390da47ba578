import SteplineSupport

/// Detects that a server has stalled or its clock has jumped: workers could not renew their leases meanwhile.
///
/// A sweep that detects either spares all leases for the length of one. A false alarm delays the steps of a dead worker
/// by one lease.
struct SilenceWatch {
    private var last: (uptime: Duration, server: Duration)?
    /// The uptime until which no lease counts as expired.
    private var sparedUntil: Duration?

    /// Returns whether leases that have expired by the server's clock count as expired.
    ///
    /// - Parameters:
    ///   - lease: The length of a lease.
    ///   - server: The time of the server's clock.
    ///   - start: The uptime of this process before the request.
    ///   - now: The uptime at which the answer arrived.
    /// - Returns: False while leases are spared.
    mutating func areLeasesCounted(
        _ lease: Duration, server: Duration, asked start: Duration, at now: Duration
    ) -> Bool {
        let wasBlocked = now - start > lease / 2
        // A late answer is no jump: the server may have read its clock at either end of the wait.
        let passed = last.map { now - $0.uptime } ?? .zero
        let hasJumped = last.map { server - $0.server - passed > lease / 4 } ?? false
        last = (now, server)
        if wasBlocked || hasJumped { sparedUntil = now + lease }
        return sparedUntil.map { now >= $0 } ?? true
    }
}
