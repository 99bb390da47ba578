import SteplineEngine
import SteplineSupport

/// The decisions about waiting loads, as a value: which loads wait for which host, and which may begin.
///
/// Loads of one host begin in order of arrival. Three limits apply: connections per host, requests per second and host,
/// and all loads together. A host that waits for the total limit is in `crowdedOut`, in order. Times are readings of
/// the clock's `uptime`. Entering and leaving are amortized constant time.
struct HostLineState {
    typealias Number = Int

    private struct Ticket {
        let host: String
        let limits: HostLimits
        /// Whether the load counts for the total limit; a load that asks for a higher limit at its own host doesn't.
        let countsInAll: Bool
        var isRunning = false
    }

    private struct Host {
        var running = 0
        var waiting = FIFO<Number>()
        /// The earliest time of the next request.
        var nextStart = Duration.zero
        /// Whether the host waits for the total limit.
        var isCrowdedOut = false
    }

    /// The loads that may begin now, and the time until the host's next request.
    struct Grant: Equatable {
        var goers: [Number] = []
        var wait: Duration?
    }

    private let mostInAll: Int
    private var tickets: [Number: Ticket] = [:]
    private var hosts: [String: Host] = [:]
    private var crowdedOut = FIFO<String>()
    private var running = 0
    private var lastNumber = 0

    init(mostInAll: Int) { self.mostInAll = mostInAll }

    /// The number of known hosts.
    var hostCount: Int { hosts.count }

    /// Enters the queue of a host.
    mutating func enter(_ host: String, _ limits: HostLimits, at time: Duration) -> (Number, Grant) {
        lastNumber += 1
        tickets[lastNumber] = Ticket(
            host: host, limits: limits, countsInAll: limits.connections ?? 0 <= mostInAll)
        hosts[host, default: Host()].waiting.append(lastNumber)
        return (lastNumber, grant(host, at: time))
    }

    /// Leaves the queue, or ends a load; returns the grants of all hosts that can continue.
    mutating func leave(_ number: Number, at time: Duration) -> [(host: String, grant: Grant)] {
        guard let ticket = tickets.removeValue(forKey: number) else { return [] }
        guard ticket.isRunning else {
            // The number stays in the host's queue and is skipped later.
            return [(ticket.host, grant(ticket.host, at: time))]
        }
        if ticket.countsInAll { running -= 1 }
        hosts[ticket.host]?.running -= 1
        var grants: [(host: String, grant: Grant)] = []
        // Crowded-out hosts have waited longer than this load's host, which follows after them.
        while running < mostInAll, let host = crowdedOut.popFirst() {
            hosts[host]?.isCrowdedOut = false
            grants.append((host, grant(host, at: time)))
        }
        grants.append((ticket.host, grant(ticket.host, at: time)))
        return grants
    }

    /// Grants the loads of one host that may begin.
    mutating func grant(_ name: String, at time: Duration) -> Grant {
        guard var host = hosts.removeValue(forKey: name) else { return Grant() }
        var grant = Grant()
        while let number = host.waiting.first {
            guard let ticket = tickets[number] else {
                _ = host.waiting.popFirst()
                continue
            }
            // The limits of the first load apply: loads of one host may have different limits.
            if let most = ticket.limits.connections, host.running >= max(most, 1) { break }
            // The caller sets a timer for this time.
            if ticket.limits.interval != nil, host.nextStart > time {
                grant.wait = host.nextStart - time
                break
            }
            guard !ticket.countsInAll || running < mostInAll else {
                // Each host is in the queue at most once.
                if !host.isCrowdedOut { crowdedOut.append(name) }
                host.isCrowdedOut = true
                break
            }
            if let interval = ticket.limits.interval { host.nextStart = time + interval }
            _ = host.waiting.popFirst()
            host.running += 1
            if ticket.countsInAll { running += 1 }
            tickets[number]?.isRunning = true
            grant.goers.append(number)
        }
        // Keep a host until its next request may begin: its last request counts for the rate.
        if host.running > 0 || !host.waiting.isEmpty || host.nextStart > time { hosts[name] = host }
        return grant
    }

    /// Removes hosts without loads and without a pending rate limit.
    mutating func forget(at time: Duration) {
        hosts = hosts.filter { _, host in
            host.running > 0 || !host.waiting.isEmpty || host.nextStart > time
        }
    }
}
