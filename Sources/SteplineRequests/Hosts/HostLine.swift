import Foundation
import SteplineSupport

/// The lines in which loads wait for their hosts.
final class HostLine: Sendable {
    /// The lines of this process.
    ///
    /// So few in all, unless a load asks for more at its host alone, that a process's limit of open files is left to
    /// others.
    static let shared = HostLine(mostInAll: 256)

    fileprivate struct State {
        var line: HostLineState
        var waiting: [Int: @Sendable () -> Void] = [:]
        var timers: [String: Subscription] = [:]
        var entries = 0
    }

    private let state: Locked<State>

    init(mostInAll: Int) { state = Locked(State(line: HostLineState(mostInAll: mostInAll))) }

    /// Joins the line for a host; true if nobody has to be waited for, else `go` is called when the wait is over.
    ///
    /// `go` is called on the thread of whoever leaves, or of the clock's.
    func enter(
        _ pass: HostPass, _ host: String, _ limits: HostLimits, go: @escaping @Sendable () -> Void
    ) -> Bool {
        let clock = pass.clock
        // Times of different clocks have nothing in common.
        let host = "\(host) \(UInt(bitPattern: ObjectIdentifier(clock as AnyObject).hashValue))"
        let time = clock.uptime
        let (number, grant, goers) = state.withLock { state in
            state.entries += 1
            if state.entries % 1024 == 0 { state.line.forget(at: time) }
            let (number, grant) = state.line.enter(host, limits, at: time)
            if !grant.goers.contains(number) { state.waiting[number] = go }
            return (number, grant, state.take(grant.goers))
        }
        for goer in goers { goer() }
        if let wait = grant.wait { look(after: wait, at: host, clock) }
        pass.take(number, in: self)
        return grant.goers.contains(number)
    }

    fileprivate func leave(_ number: Int, _ clock: any StepClock) {
        let time = clock.uptime
        let (dropped, goers, waits) = state.withLock { state in
            let dropped = state.waiting.removeValue(forKey: number)
            let grants = state.line.leave(number, at: time)
            let goers = state.take(grants.flatMap(\.grant.goers))
            return (dropped, goers, grants.compactMap { entry in entry.grant.wait.map { (entry.host, $0) } })
        }
        // Released after the lock.
        _ = dropped
        for goer in goers { goer() }
        for (host, wait) in waits { look(after: wait, at: host, clock) }
    }

    /// Looks at a host's line again when its next may begin.
    private func look(after wait: Duration, at host: String, _ clock: any StepClock) {
        let timer = clock.schedule(after: wait) { [weak self] in
            guard let self else { return }
            let time = clock.uptime
            let (fired, grant, goers) = state.withLock { state in
                let fired = state.timers.removeValue(forKey: host)
                let grant = state.line.grant(host, at: time)
                return (fired, grant, state.take(grant.goers))
            }
            // What a user's clock has made is released after the lock.
            withExtendedLifetime(fired) {}
            for goer in goers { goer() }
            if let wait = grant.wait { look(after: wait, at: host, clock) }
        }
        let old = state.withLock { state in
            defer { state.timers[host] = timer }
            return state.timers[host]
        }
        old?.cancel()
    }
}

extension HostLine.State {
    fileprivate mutating func take(_ numbers: [Int]) -> [@Sendable () -> Void] {
        numbers.compactMap { waiting.removeValue(forKey: $0) }
    }
}

/// A place in a line, or at a host.
final class HostPass: Sendable {
    private enum Place {
        case none
        case inLine(HostLine, Int)
        case left
    }

    fileprivate let clock: any StepClock
    private let place = Locked(Place.none)

    init(_ clock: any StepClock) { self.clock = clock }

    /// Gives the place back; the second time nothing happens.
    func leave() {
        let old = place.withLock { place in
            defer { place = .left }
            return place
        }
        if case .inLine(let line, let number) = old { line.leave(number, clock) }
    }

    fileprivate func take(_ number: Int, in line: HostLine) {
        let hasLeft = place.withLock { place in
            if case .left = place { return true }
            place = .inLine(line, number)
            return false
        }
        if hasLeft { line.leave(number, clock) }
    }
}
