import Foundation
import SteplineSupport

/// The lines in which loads wait for their hosts.
final class HostLine: Sendable {
    /// So few, unless a load asks for more at its host alone, that a process's limit of open files is left to others.
    private static let mostInAll = 256

    /// The lines of this process.
    static let shared = HostLine(mostInAll: mostInAll)

    /// Those, or a play's own if this thread plays: who leaves lets the next begin on its thread.
    static var here: HostLine { Stages.current?.own { HostLine(mostInAll: mostInAll) } ?? shared }

    fileprivate struct State {
        var line: HostLineState
        var waiting: [Int: @Sendable () -> Void] = [:]
        /// The latest look at each host's line that is to come; its timer, once that is set.
        var looks: [String: (number: Int, timer: Subscription?)] = [:]
        var lastLook = 0
        var entries = 0
    }

    /// A look at a host's line when its next may begin.
    fileprivate struct Look {
        let host: String
        let wait: Duration
        let number: Int
        /// The one that it takes the place of.
        let old: Subscription?
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
        let (number, isFree, goers, look) = state.withLock { state in
            state.entries += 1
            if state.entries % 1024 == 0 { state.line.forget(at: time) }
            let (number, grant) = state.line.enter(host, limits, at: time)
            let isFree = grant.goers.contains(number)
            if !isFree { state.waiting[number] = go }
            return (number, isFree, state.take(grant.goers), state.plan(grant, at: host))
        }
        for goer in goers { goer() }
        if let look { set(look, clock) }
        pass.take(number, in: self)
        return isFree
    }

    fileprivate func leave(_ number: Int, _ clock: any StepClock) {
        let time = clock.uptime
        let (dropped, goers, looks) = state.withLock { state in
            let dropped = state.waiting.removeValue(forKey: number)
            let grants = state.line.leave(number, at: time)
            let goers = state.take(grants.flatMap(\.grant.goers))
            return (dropped, goers, grants.compactMap { state.plan($0.grant, at: $0.host) })
        }
        // Released after the lock.
        _ = dropped
        for goer in goers { goer() }
        for look in looks { set(look, clock) }
    }

    /// Sets the timer of a look, unless a later one has been planned meanwhile.
    private func set(_ look: Look, _ clock: any StepClock) {
        look.old?.cancel()
        let timer = clock.schedule(after: look.wait) { [weak self] in self?.perform(look, clock) }
        let isLatest = state.withLock { state in
            guard state.looks[look.host]?.number == look.number else { return false }
            state.looks[look.host] = (look.number, timer)
            return true
        }
        if !isLatest { timer.cancel() }
    }

    private func perform(_ look: Look, _ clock: any StepClock) {
        let time = clock.uptime
        let (fired, goers, next) = state.withLock { state in
            let isLatest = state.looks[look.host]?.number == look.number
            let fired = isLatest ? state.looks.removeValue(forKey: look.host) : nil
            let grant = state.line.grant(look.host, at: time)
            return (fired, state.take(grant.goers), state.plan(grant, at: look.host))
        }
        // What a user's clock has made is released after the lock.
        withExtendedLifetime(fired) {}
        for goer in goers { goer() }
        if let next { set(next, clock) }
    }
}

extension HostLine.State {
    fileprivate mutating func take(_ numbers: [Int]) -> [@Sendable () -> Void] {
        numbers.compactMap { waiting.removeValue(forKey: $0) }
    }

    /// Notes a look at a host's line if its next has to wait for the clock: in the same moment as that is found, so
    /// that of two looks it is known which is the later one, whichever of their timers is set first.
    fileprivate mutating func plan(_ grant: HostLineState.Grant, at host: String) -> HostLine.Look? {
        guard let wait = grant.wait else { return nil }
        lastLook += 1
        let old = looks.updateValue((lastLook, nil), forKey: host)
        return HostLine.Look(host: host, wait: wait, number: lastLook, old: old?.timer)
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
