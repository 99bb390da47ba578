import Foundation
import SteplineSupport

/// The queues in which loads by one clock wait for their hosts; ``HostLines`` has one for each clock.
///
/// The lock protects a ``HostLineState``, which decides, and the waiting closures. Closures and clocks are called
/// without the lock. A load enters with a ``HostPass``, which also gives its place back. A host whose next load must
/// wait for its rate has one timer, called a look.
final class HostLine: Sendable {
    fileprivate struct State {
        var line: HostLineState
        var waiting: [Int: @Sendable () -> Void] = [:]
        /// The hosts for which a timer is set, or about to be.
        var timed: Set<String> = []
        var entries = 0
    }

    /// A timer for a host whose next load may not begin yet.
    fileprivate struct HostTimer {
        let host: String
        let wait: Duration
    }

    private let state: Locked<State>

    init(mostInAll: Int) { state = Locked(State(line: HostLineState(mostInAll: mostInAll))) }

    /// Enters the queue of a host.
    ///
    /// - Parameters:
    ///   - pass: The pass, which gives the place back.
    ///   - host: The host.
    ///   - limits: The limits of the load.
    ///   - go: Called later if the load must wait, on the thread of a leaving load or the clock's thread.
    /// - Returns: True if the load may begin at once.
    func enter(
        _ pass: HostPass, _ host: String, _ limits: HostLimits, go: @escaping @Sendable () -> Void
    ) -> Bool {
        let clock = pass.clock
        let time = clock.uptime
        let (number, isFree, goers, timer) = state.withLock { state in
            state.entries += 1
            // Forget idle hosts now and then, so the table doesn't grow forever.
            if state.entries % 1024 == 0 { state.line.forget(at: time) }
            let (number, grant) = state.line.enter(host, limits, at: time)
            let isFree = grant.goers.contains(number)
            if !isFree { state.waiting[number] = go }
            return (number, isFree, state.take(grant.goers), state.plan(grant, at: host))
        }
        // Called without the lock: each closure starts a transfer.
        for goer in goers { goer() }
        if let timer { set(timer, clock) }
        pass.take(number, in: self)
        return isFree
    }

    fileprivate func leave(_ number: Int, _ clock: any StepClock) {
        let time = clock.uptime
        let (dropped, goers, timers) = state.withLock { state in
            let dropped = state.waiting.removeValue(forKey: number)
            let grants = state.line.leave(number, at: time)
            let goers = state.take(grants.flatMap(\.grant.goers))
            return (dropped, goers, grants.compactMap { state.plan($0.grant, at: $0.host) })
        }
        // Release the closure after unlock.
        _ = dropped
        for goer in goers { goer() }
        for timer in timers { set(timer, clock) }
    }

    private func set(_ timer: HostTimer, _ clock: any StepClock) {
        clock.schedule(after: timer.wait) { [weak self] in self?.timerFired(timer.host, clock) }
    }

    private func timerFired(_ host: String, _ clock: any StepClock) {
        let time = clock.uptime
        let (goers, next) = state.withLock { state in
            state.timed.remove(host)
            let grant = state.line.grant(host, at: time)
            return (state.take(grant.goers), state.plan(grant, at: host))
        }
        for goer in goers { goer() }
        if let next { set(next, clock) }
    }
}

extension HostLine.State {
    fileprivate mutating func take(_ numbers: [Int]) -> [@Sendable () -> Void] {
        numbers.compactMap { waiting.removeValue(forKey: $0) }
    }

    /// Returns the timer to set if a host's next load has to wait for the clock and no timer is set.
    ///
    /// The time at which a host's next load may begin never moves back. So a timer that is set fires in time; if it
    /// fires too early, it is set again.
    fileprivate mutating func plan(_ grant: HostLineState.Grant, at host: String) -> HostLine.HostTimer? {
        guard let wait = grant.wait, timed.insert(host).inserted else { return nil }
        return HostLine.HostTimer(host: host, wait: wait)
    }
}

/// A place in a queue, or at a host.
final class HostPass: Sendable {
    private enum Place {
        case none
        case inLine(HostLine, Int)
        case left
    }

    fileprivate let clock: any StepClock
    private let place = Locked(Place.none)

    init(_ clock: any StepClock) { self.clock = clock }

    /// Gives the place back; a second call does nothing.
    func leave() {
        let old = place.withLock { place in
            defer { place = .left }
            return place
        }
        if case .inLine(let line, let number) = old { line.leave(number, clock) }
    }

    fileprivate func take(_ number: Int, in line: HostLine) {
        let hasLeft = place.withLock { place in
            // `leave` came before `enter` returned: give the place back at once.
            if case .left = place { return true }
            place = .inLine(line, number)
            return false
        }
        if hasLeft { line.leave(number, clock) }
    }
}
