import Foundation
import SteplineSupport

/// The queues in which loads wait for their hosts.
///
/// The lock protects a ``HostLineState``, which decides, and the waiting closures. Closures and clocks are called
/// without the lock. A load enters with a ``HostPass``, which also gives its place back. A host whose next load must
/// wait for its rate has one timer, called a look.
final class HostLine: Sendable {
    /// The limit of concurrent loads, which leaves most of a process's open files to other code.
    private static let mostInAll = 256

    /// The queues of this process.
    static let shared = HostLine(mostInAll: mostInAll)

    /// The current queues: a simulation has its own, because the load that leaves starts the next one on its thread.
    static var here: HostLine { Stages.current?.own { HostLine(mostInAll: mostInAll) } ?? shared }

    fileprivate struct State {
        var line: HostLineState
        var waiting: [Int: @Sendable () -> Void] = [:]
        /// The latest scheduled look at each host, with its timer once the clock has returned it.
        var looks: [String: (number: Int, timer: Subscription?)] = [:]
        var lastLook = 0
        var entries = 0
    }

    /// A scheduled look at a host, at the time when its next load may begin.
    fileprivate struct Look {
        let host: String
        let wait: Duration
        let number: Int
        /// The timer that this look replaces.
        let old: Subscription?
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
        // Times of different clocks can't be compared, so each clock has its own queue.
        let host = "\(host) \(UInt(bitPattern: ObjectIdentifier(clock as AnyObject).hashValue))"
        let time = clock.uptime
        let (number, isFree, goers, look) = state.withLock { state in
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
        if let look { set(look, clock) }
        // The pass may have been left meanwhile, on another thread: `take` then leaves the queue.
        pass.take(number, in: self)
        return isFree
    }

    fileprivate func leave(_ number: Int, _ clock: any StepClock) {
        let time = clock.uptime
        let (dropped, goers, looks) = state.withLock { state in
            // Present only if the load left before it was granted.
            let dropped = state.waiting.removeValue(forKey: number)
            let grants = state.line.leave(number, at: time)
            let goers = state.take(grants.flatMap(\.grant.goers))
            return (dropped, goers, grants.compactMap { state.plan($0.grant, at: $0.host) })
        }
        // Release the closure after unlock.
        _ = dropped
        for goer in goers { goer() }
        for look in looks { set(look, clock) }
    }

    /// Sets the timer of a look, unless a later look was scheduled meanwhile.
    private func set(_ look: Look, _ clock: any StepClock) {
        look.old?.cancel()
        let timer = clock.schedule(after: look.wait) { [weak self] in self?.perform(look, clock) }
        let isLatest = state.withLock { state in
            guard state.looks[look.host]?.number == look.number else { return false }
            state.looks[look.host] = (look.number, timer)
            return true
        }
        // A later look was planned, or this one fired, before the clock returned its timer.
        if !isLatest { timer.cancel() }
    }

    private func perform(_ look: Look, _ clock: any StepClock) {
        let time = clock.uptime
        let (fired, goers, next) = state.withLock { state in
            // A replaced look may still fire; it grants as well, but must not remove the later look.
            let isLatest = state.looks[look.host]?.number == look.number
            let fired = isLatest ? state.looks.removeValue(forKey: look.host) : nil
            let grant = state.line.grant(look.host, at: time)
            return (fired, state.take(grant.goers), state.plan(grant, at: look.host))
        }
        // Release the user's subscription after unlock.
        withExtendedLifetime(fired) {}
        for goer in goers { goer() }
        if let next { set(next, clock) }
    }
}

extension HostLine.State {
    fileprivate mutating func take(_ numbers: [Int]) -> [@Sendable () -> Void] {
        numbers.compactMap { waiting.removeValue(forKey: $0) }
    }

    /// Schedules a look if the host's next load must wait for its rate.
    ///
    /// The number is assigned under the same lock as the decision. Of two looks, the later one is therefore known,
    /// whichever timer is set first.
    fileprivate mutating func plan(_ grant: HostLineState.Grant, at host: String) -> HostLine.Look? {
        guard let wait = grant.wait else { return nil }
        lastLook += 1
        let old = looks.updateValue((lastLook, nil), forKey: host)
        return HostLine.Look(host: host, wait: wait, number: lastLook, old: old?.timer)
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
