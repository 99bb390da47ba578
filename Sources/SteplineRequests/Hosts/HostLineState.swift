import SteplineEngine
import SteplineSupport

/// Who waits for which host, and who may go: a machine that decides and does nothing.
///
/// Of one host the first come is the first to go. Times are readings of the clock's `uptime`.
struct HostLineState {
    typealias Number = Int

    private struct Ticket {
        let host: String
        let limits: HostLimits
        /// Whether it is one of those that are bounded in all: who asks for more at one host alone means it.
        let countsInAll: Bool
        var isRunning = false
    }

    private struct Host {
        var running = 0
        var waiting = FIFO<Number>()
        /// When the next may begin.
        var nextStart = Duration.zero
        /// Whether it waits until fewer run in all.
        var isCrowdedOut = false
    }

    /// What is to be done: who may go now, and until when a host has to wait for the clock.
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

    /// How many hosts are remembered.
    var hostCount: Int { hosts.count }

    /// Joins the line for a host.
    mutating func enter(_ host: String, _ limits: HostLimits, at time: Duration) -> (Number, Grant) {
        lastNumber += 1
        tickets[lastNumber] = Ticket(
            host: host, limits: limits, countsInAll: limits.connections ?? 0 <= mostInAll)
        hosts[host, default: Host()].waiting.append(lastNumber)
        return (lastNumber, grant(host, at: time))
    }

    /// Leaves the line, or what one has been let to.
    mutating func leave(_ number: Number, at time: Duration) -> [(host: String, grant: Grant)] {
        guard let ticket = tickets.removeValue(forKey: number) else { return [] }
        guard ticket.isRunning else {
            // The number stays in its host's line, and is passed over.
            return [(ticket.host, grant(ticket.host, at: time))]
        }
        if ticket.countsInAll { running -= 1 }
        hosts[ticket.host]?.running -= 1
        var grants: [(host: String, grant: Grant)] = []
        // They have waited for longer than its own host, which gets in line behind them.
        while running < mostInAll, let host = crowdedOut.popFirst() {
            hosts[host]?.isCrowdedOut = false
            grants.append((host, grant(host, at: time)))
        }
        grants.append((ticket.host, grant(ticket.host, at: time)))
        return grants
    }

    /// Lets go who may, of one host's line.
    mutating func grant(_ name: String, at time: Duration) -> Grant {
        guard var host = hosts.removeValue(forKey: name) else { return Grant() }
        var grant = Grant()
        while let number = host.waiting.first {
            guard let ticket = tickets[number] else {
                _ = host.waiting.popFirst()
                continue
            }
            if let most = ticket.limits.connections, host.running >= max(most, 1) { break }
            if ticket.limits.interval != nil, host.nextStart > time {
                grant.wait = host.nextStart - time
                break
            }
            guard !ticket.countsInAll || running < mostInAll else {
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
        // Until the next may begin, it is remembered that the last one has.
        if host.running > 0 || !host.waiting.isEmpty || host.nextStart > time { hosts[name] = host }
        return grant
    }

    /// Forgets hosts of which nothing needs to be known any more.
    mutating func forget(at time: Duration) {
        hosts = hosts.filter { _, host in
            host.running > 0 || !host.waiting.isEmpty || host.nextStart > time
        }
    }
}
