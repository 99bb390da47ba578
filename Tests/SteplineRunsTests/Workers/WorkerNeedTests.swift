import SteplineSupport
import TestSupport
import Testing

@testable import SteplineRuns

@Suite("How many workers are wanted", .timeLimit(.minutes(5)))
struct WorkerNeedTests {
    /// The workers that one look has started; nil if the starter wasn't called.
    private func look(
        _ need: inout WorkerNeed, ready: Int = 0, running: Int = 0, ended: Int = 0, alive: Int = 0,
        _ tally: WorkerTally = WorkerTally()
    ) -> Int? {
        let demand = WorkerDemand(ready: ready, running: running, ended: ended, alive: alive)
        guard need.isShort(demand) else { return nil }
        let count = need.missing(demand, tally)
        if count > 0 { need.started() }
        return count
    }

    @Test("DR-53: a fixed number is started at once and replaced; without work no worker is needed")
    func fixed() {
        var need = WorkerNeed(5...5, slots: 2)
        let starts = [
            look(&need), look(&need, ready: 1),
            look(&need, ready: 1, running: 3, ended: 1, alive: 4, WorkerTally(running: 4)),
            look(&need, ready: 100, running: 10, ended: 1, alive: 5), look(&need, ended: 100, alive: 0),
        ]
        #expect(starts == [nil, 5, 1, nil, nil])
    }

    @Test("DR-53: a range grows in steps with what there is to do, up to its end")
    func growth() {
        var need = WorkerNeed(2...40, slots: 4)
        var (live, steps) = (0, [Int]())
        while let count = look(&need, ready: 1000, ended: live, alive: live, WorkerTally(running: live)) {
            live += count
            steps.append(live)
        }
        #expect(steps == [2, 4, 8, 16, 32, 40])
        // Thirteen steps want four workers of four slots each.
        need = WorkerNeed(2...40, slots: 4)
        let starts = [
            look(&need, ready: 6, running: 7, ended: 9, alive: 2, WorkerTally(running: 2)),
            look(&need, ready: 6, running: 7, ended: 9, alive: 4),
        ]
        #expect(starts == [2, nil])
    }

    @Test(
        "DR-53: while workers wait for a machine no more are started, and they are asked about less and less")
    func waiting() {
        var need = WorkerNeed(2...40, slots: 1)
        #expect(look(&need, ready: 99) == 2)
        var asked = 0
        for _ in 0..<200 where look(&need, ready: 99, WorkerTally(waiting: 2)) != nil { asked += 1 }
        #expect(asked > 5 && asked < 20)
        // Those that run and that the store doesn't know, as they can't reach it, are no reason to ask all the time.
        asked = 0
        for _ in 0..<200 where look(&need, ready: 99, WorkerTally(running: 50)) != nil { asked += 1 }
        #expect(asked > 5 && asked < 20)
        // One was cancelled by somebody: that one is missing.
        let counts = (0...WorkerNeed.longestPause).compactMap { _ in
            look(&need, ready: 99, WorkerTally(waiting: 1))
        }
        #expect(counts.first == 1)
    }

    @Test("DR-52: workers that the store knows count, also if the starter has forgotten them")
    func forgotten() {
        var need = WorkerNeed(4...4, slots: 1)
        let starts = [3, 4].map { look(&need, ready: 9, alive: $0, WorkerTally()) }
        #expect(starts == [1, nil])
    }

    @Test("DR-53: workers that end as soon as they begin are started later and later, and then no more")
    func fruitless() {
        var need = WorkerNeed(3...3, slots: 1)
        var starts: [Int] = []
        for number in 0..<1000 where (look(&need, ready: 9) ?? 0) > 0 { starts.append(number) }
        #expect(starts == [0, 1, 3, 6, 11, 20])
        #expect(need.isHopeless)
        // A single step that ends between two starts is enough.
        need = WorkerNeed(3...3, slots: 1)
        for number in 0..<1000 { #expect(look(&need, ready: 9, ended: number) == 3) }
        #expect(!need.isHopeless)
    }

    @Test("DR-53: workers that end at once don't stop the keeper while another one works")
    func hope() {
        var need = WorkerNeed(1...8, slots: 1)
        var starts = 0
        for _ in 0..<1000 where (look(&need, ready: 9, alive: 1, WorkerTally(running: 1)) ?? 0) > 0 {
            starts += 1
        }
        #expect(!need.isHopeless && starts > 20 && starts < 100)
    }

    @Test("DR-53: a failed start is tried again, and doesn't count as a start")
    func failures() {
        var need = WorkerNeed(1...1, slots: 1)
        let demand = WorkerDemand(ready: 1, running: 0, ended: 0, alive: 0)
        var tries = 0
        for _ in 0..<1000 where need.isShort(demand) {
            #expect(need.missing(demand, WorkerTally()) == 1)
            need.failed()
            tries += 1
        }
        #expect(!need.isHopeless && tries > 50 && tries < 70)
    }

    /// A cluster as a list of workers, each of which waits, runs or is gone; it does at each look what chance says.
    private struct Cluster {
        enum Worker { case waiting, running, idle(Int) }

        var workers: [Worker] = []
        var ready = 0
        var running = 0
        var ended = 0
        var random: StableRandom

        mutating func chance(_ part: Double) -> Bool { random.fraction() < part }

        mutating func pass() {
            if chance(0.1) { ready += Int(random.next() % 60) }
            running = 0
            var left: [Worker] = []
            for worker in workers {
                switch worker {
                case .waiting: left.append(chance(0.5) ? .idle(0) : .waiting)
                // The worker dies, and its step is ready again.
                case .running where chance(0.01): ready += 1
                case .running where chance(0.3):
                    ended += 1
                    left.append(.idle(0))
                case .running: left.append(.running)
                case .idle(let looks) where ready == 0: if looks < 5 { left.append(.idle(looks + 1)) }
                case .idle:
                    ready -= 1
                    left.append(.running)
                }
            }
            workers = left
            for case .running in workers { running += 1 }
        }

        var waiting: Int {
            workers.reduce(0) { if case .waiting = $1 { $0 + 1 } else { $0 } }
        }
    }

    @Test(
        "DR-53: random demand is always worked off, within the bounds and by steps",
        arguments: 0..<UInt64(Chance.rounds(40)))
    func random(seed: UInt64) {
        var cluster = Cluster(random: StableRandom(seed: seed))
        let low = 1 + Int(cluster.random.next() % 5)
        let bounds = low...(low + Int(cluster.random.next() % 30))
        var need = WorkerNeed(bounds, slots: 1)
        for number in 0..<600 {
            cluster.pass()
            // At the end nothing more comes.
            if number >= 300, number % 300 == 0 { cluster.ready = 25 }
            let (live, waiting) = (cluster.workers.count, cluster.waiting)
            let count =
                look(
                    &need, ready: cluster.ready, running: cluster.running, ended: cluster.ended,
                    alive: live - waiting, WorkerTally(running: live - waiting, waiting: waiting)) ?? 0
            if count > 0 {
                let open = cluster.ready + cluster.running
                // The slow model: one at a time, as long as one more is wanted and allowed.
                var model = live
                while model < bounds.upperBound, model < max(open, bounds.lowerBound),
                    model < max(bounds.lowerBound, live * 2)
                {
                    model += 1
                }
                #expect(open > 0 && live + count == model, "\(live) + \(count) of \(bounds) for \(open)")
                #expect(waiting == 0 || live < bounds.lowerBound)
            }
            cluster.workers += Array(repeating: Cluster.Worker.waiting, count: count)
            #expect(cluster.workers.count <= bounds.upperBound && !need.isHopeless)
        }
        #expect(cluster.ended > 0)
    }
}
