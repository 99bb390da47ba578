import FleetSimulation
import TestSupport
import Testing

/// The play of many workers, small: what its page tells of must hold for any seed.
@Suite(.timeLimit(.minutes(5))) struct FleetTests {
    private static let seeds: ClosedRange<UInt64> = 1...(Chance.isSoak ? 3 : 1)

    private func plan(_ seed: UInt64, servers: Int = 1, _ change: (inout FleetPlan) -> Void = { _ in })
        -> FleetPlan
    {
        FleetPlan("small", workers: 12, runs: 4, stepsOfWorker: 90).changed("small") { plan in
            plan.seed = seed
            plan.servers = servers
            plan.cores = 4 * servers
            change(&plan)
        }
    }

    private func expectAllDone(_ figures: FleetFigures) {
        #expect(figures.hasEnded && figures.bodies >= figures.plan.steps)
        #expect([figures.lost, figures.committedTwice, figures.failed] == [0, 0, 0])
    }

    @Test(arguments: seeds)
    func `DR-11, DR-41: while all goes well every step is done, and none is begun twice`(seed: UInt64) {
        let figures = plan(seed).played()
        expectAllDone(figures)
        #expect(figures.repeated == 0 && figures.lostMemberships == 0)
        #expect(figures.longestWait < 5)
        // One connection of each worker and owner for statements, and one to listen.
        #expect(figures.connections == 32)
    }

    @Test(arguments: seeds, 1...2)
    func `DR-42, DR-43: the steps of a lost region are run by other workers`(
        seed: UInt64, servers: Int
    ) {
        let figures = plan(seed, servers: servers) { $0.incident = .regionLost(at: 60) }.played()
        expectAllDone(figures)
        #expect(figures.lostMemberships == 4)
        #expect(figures.repeated > 0)
        // Steps that waited for the lease took that long, and not much longer.
        #expect(figures.longestWait > 5 && figures.longestWait < 60)
    }

    @Test(arguments: seeds, [false, true])
    func `DR-42: a server is away for longer than a lease, and nothing is lost`(seed: UInt64, spares: Bool) {
        let figures = plan(seed) { plan in
            plan.incident = .failover(at: 60, for: 30)
            plan.sparesAfterStart = spares
        }.played()
        expectAllDone(figures)
        #expect(figures.worstRate == 0)
        // Whom nobody has swept away in the meantime hands in what it has done.
        #expect((figures.repeated == 0) == spares)
    }

    @Test(arguments: seeds)
    func `workers that find no connection wait, and others do their work`(seed: UInt64) {
        let figures = plan(seed) { $0.connectionsOfServer = 20 }.played()
        expectAllDone(figures)
        #expect(figures.connections == 20)
        #expect(figures.refusedConnections > 0)
    }

    @Test func `the same seed comes to the same figures, and another one to others`() {
        let lossy = plan(1) { $0.incident = .failover(at: 60, for: 30) }
        let first = String(describing: lossy.played())
        #expect(String(describing: lossy.played()) == first)
        #expect(String(describing: lossy.changed("small") { $0.seed = 2 }.played()) != first)
    }
}
