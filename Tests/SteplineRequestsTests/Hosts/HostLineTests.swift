import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineRequests

@Suite("Lines for hosts", .timeLimit(.minutes(5)))
struct HostLineTests {
    private let clock = ManualClock()

    @Test("politeness: of one host so many go at once, first come, first served; others don't wait for it")
    func connections() {
        var line = HostLineState(mostInAll: 100)
        let limits = HostLimits(connections: 2)
        let numbers = (0..<4).map { _ in line.enter("a", limits, at: .zero) }
        #expect(numbers.map { $0.1.goers.count } == [1, 1, 0, 0])
        #expect(line.enter("b", limits, at: .zero).1.goers.count == 1)
        #expect(line.leave(numbers[0].0, at: .zero).flatMap(\.grant.goers) == [numbers[2].0])
        // One that gives up in line isn't waited for.
        #expect(line.leave(numbers[3].0, at: .zero).flatMap(\.grant.goers).isEmpty)
        #expect(line.leave(numbers[1].0, at: .zero).flatMap(\.grant.goers).isEmpty)
        #expect(line.leave(numbers[2].0, at: .zero).flatMap(\.grant.goers).isEmpty)
        #expect(line.hostCount == 1)
    }

    @Test("politeness: the total limit holds, and each end lets another host's request begin")
    func inAll() {
        var line = HostLineState(mostInAll: 2)
        let limits = HostLimits(connections: 2)
        let numbers = (0..<5).map { line.enter("h\($0)", limits, at: .zero) }
        #expect(numbers.map { $0.1.goers.count } == [1, 1, 0, 0, 0])
        #expect(line.leave(numbers[1].0, at: .zero).flatMap(\.grant.goers) == [numbers[2].0])
        #expect(line.leave(numbers[0].0, at: .zero).flatMap(\.grant.goers) == [numbers[3].0])
        #expect(line.leave(numbers[3].0, at: .zero).flatMap(\.grant.goers) == [numbers[4].0])
    }

    @Test("politeness: more at one host than there may be in all is given to who asks, and keeps nobody out")
    func moreThanInAll() {
        var line = HostLineState(mostInAll: 2)
        let numbers = (0..<6).map { _ in line.enter("big", HostLimits(connections: 5), at: .zero) }
        #expect(numbers.map { $0.1.goers.count } == [1, 1, 1, 1, 1, 0])
        let others = (0..<3).map { _ in line.enter("small", HostLimits(), at: .zero) }
        #expect(others.map { $0.1.goers.count } == [1, 1, 0])
        #expect(line.leave(numbers[0].0, at: .zero).flatMap(\.grant.goers) == [numbers[5].0])
        #expect(line.leave(others[0].0, at: .zero).flatMap(\.grant.goers) == [others[2].0])
    }

    @Test("politeness: a host with a long line of its own doesn't keep out those that wait for fewer in all")
    func crowdedOut() {
        var line = HostLineState(mostInAll: 2)
        let busy = (0..<4).map { _ in line.enter("busy", HostLimits(connections: 2), at: .zero).0 }
        let other = line.enter("other", HostLimits(connections: 2), at: .zero).0
        #expect(line.leave(busy[0], at: .zero).flatMap(\.grant.goers) == [other])
        #expect(line.leave(busy[1], at: .zero).flatMap(\.grant.goers) == [busy[2]])
        #expect(line.leave(other, at: .zero).flatMap(\.grant.goers) == [busy[3]])
    }

    /// A clock that goes on in the middle of the first call that sets a timer, until that is over.
    private final class HastyClock: StepClock {
        let base = ManualClock()
        private let hurry = Locked<Duration?>(nil)

        var now: Date { base.now }
        var uptime: Duration { base.uptime + (hurry.withLock { $0 } ?? .zero) }
        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            let isFirst = hurry.withLock { hurry in
                defer { hurry = hurry ?? delay }
                return hurry == nil
            }
            guard isFirst else { return base.schedule(after: delay, body) }
            body()
            return Subscription {}
        }
    }

    @Test("politeness: a look at a line that is over before its timer is known takes away no later one")
    func hastyLook() {
        let clock = HastyClock(), line = HostLine(mostInAll: 100), begun = Recorder<Int>()
        let limits = HostLimits(connections: 1, requestsPerSecond: 1)
        let passes = (0..<3).map { _ in HostPass(clock) }
        for (number, pass) in passes.enumerated() {
            let isFree = line.enter(pass, "a", limits) {
                begun.record(number)
                if number == 1 { pass.leave() }
            }
            #expect(isFree == (number == 0))
        }
        // The second's time comes while its timer is being set; when it leaves, that of the third is set.
        passes[0].leave()
        #expect(begun.values == [1])
        clock.base.advance(by: .seconds(1))
        #expect(begun.values == [1, 2])
    }

    @Test("politeness: a simulation has its own lines, which don't wait for the process's loads")
    func playsOwn() async throws {
        var lines: [HostLine] = []
        for seed in 1...2 as ClosedRange<UInt64> {
            let line = try await Simulation(seed: seed).run { simulation in
                let line = HostLines.here.line(of: .system)
                simulation.expect(HostLines.here.line(of: .system) === line)
                return line
            }
            lines.append(line)
        }
        let shared = HostLines.shared.line(of: .system)
        #expect(lines[0] !== lines[1] && lines.allSatisfy { $0 !== shared })
        #expect(HostLines.here.line(of: .system) === shared)
    }

    /// A clock that is a value.
    private struct ValueClock: StepClock {
        let base: any StepClock
        var now: Date { base.now }
        var uptime: Duration { base.uptime }

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            base.schedule(after: delay, body)
        }
    }

    @Test("politeness: thousands of loads by a later clock don't end a host's wait by another clock")
    func clocksApart() {
        let lines = HostLines(), limits = HostLimits(requestsPerSecond: 1)
        let later = ManualClock()
        later.advance(by: .seconds(1_000_000))
        let own = ManualClock(), base = ManualClock()
        for clock in [own, ValueClock(base: base)] as [any StepClock] {
            let first = HostPass(clock), second = HostPass(clock)
            #expect(lines.line(of: clock).enter(first, "a", limits) {})
            first.leave()
            for _ in 0..<3000 {
                let pass = HostPass(later)
                #expect(lines.line(of: later).enter(pass, "b", HostLimits()) {})
                pass.leave()
            }
            #expect(!lines.line(of: clock).enter(second, "a", limits) {})
            second.leave()
        }
        // The timers of the waits hold their clocks until they fire.
        for clock in [own, base] { clock.advance(by: .seconds(1)) }
    }

    @Test("politeness: a clock at the address of one that is gone has its own lines")
    func goneClock() {
        let lines = HostLines()
        for _ in 0..<100 {
            let clock = ManualClock()
            #expect(lines.line(of: clock) === lines.line(of: clock))
            // Every clock begins at 0: with the lines of the one before, the second round would have to wait.
            #expect(lines.line(of: clock).enter(HostPass(clock), "a", HostLimits(requestsPerSecond: 1)) {})
        }
    }

    @Test("politeness: the end of a wait in line is told after its begin, whichever thread is quicker")
    func reportedInOrder() async {
        let reported = Recorder<Bool>(), gate = Gate()
        let line = LineWatch { isWaiting in
            if isWaiting { gate.block() }
            reported.record(isWaiting)
        }
        Thread.detachNewThread { line?.waits(1) }
        await gate.waitForArrivals()
        line?.end()
        #expect(reported.count == 0)
        gate.open()
        await reported.waitForCount(2)
        line?.waits(2)
        #expect(reported.values == [true, false])
    }

    @Test("politeness: a wait that is over before it is known to be one is none")
    func briefWait() {
        let reported = Recorder<Bool>(), line = LineWatch { reported.record($0) }
        line?.goes(1)
        line?.waits(1)
        #expect(reported.values.isEmpty)
        line?.waits(2)
        line?.goes(2)
        line?.waits(3)
        line?.goes(2)
        #expect(reported.values == [true, false, true])
        line?.goes(4)
        line?.waits(5)
        line?.end()
        #expect(reported.values == [true, false, true, false, true, false])
    }

    @Test("politeness: the rate limits the requests begun in a second, however quickly they end")
    func rate() async {
        let line = HostLine(mostInAll: 100)
        let begun = Recorder<Duration>()
        let start = clock.uptime
        for _ in 0..<5 {
            let pass = HostPass(clock)
            let record: @Sendable () -> Void = { [clock] in
                begun.record(clock.uptime - start)
                pass.leave()
            }
            if line.enter(pass, "a", HostLimits(requestsPerSecond: 2), go: record) { record() }
        }
        #expect(begun.count == 1)
        for round in 1..<5 {
            clock.advance(by: .milliseconds(499))
            #expect(begun.count == round)
            clock.advance(by: .milliseconds(1))
            await begun.waitForCount(round + 1)
        }
        #expect(begun.values == (0..<5).map { .milliseconds(500) * $0 })
    }

    @Test("politeness: in any order of events the limits hold, and no request is forgotten")
    func anyOrder() {
        var random = StableRandom(seed: Chance.seed)
        var line = HostLineState(mostInAll: 7)
        var (waiting, running): (Set<Int>, [Int: Int]) = ([], [:])
        var hosts: [Int: Int] = [:]
        func go(_ numbers: [Int]) {
            for number in numbers {
                #expect(waiting.remove(number) != nil)
                running[number] = hosts[number]
            }
        }
        for _ in 0..<5000 {
            let all = Array(waiting) + Array(running.keys)
            if all.count < 40, Bool.random(using: &random) || all.isEmpty {
                let host = Int.random(in: 0..<5, using: &random)
                let (number, grant) = line.enter("h\(host)", HostLimits(connections: 3), at: .zero)
                hosts[number] = host
                waiting.insert(number)
                go(grant.goers)
            } else if let number = all.sorted().randomElement(using: &random) {
                waiting.remove(number)
                running[number] = nil
                go(line.leave(number, at: .zero).flatMap(\.grant.goers))
            }
            #expect(running.count <= 7)
            for host in 0..<5 {
                let count = running.values.filter { $0 == host }.count
                #expect(count <= 3)
                let waits = waiting.contains { hosts[$0] == host }
                if waits { #expect(count == 3 || running.count == 7) }
            }
        }
    }
}
