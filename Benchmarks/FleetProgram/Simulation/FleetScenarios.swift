/// The scenarios of the page.
package struct FleetScenarios: Sendable {
    package let growth: [FleetPlan]
    package let remedies: [FleetPlan]
    package let regionLost: [FleetPlan]
    package let failovers: [FleetPlan]

    /// `divisor` makes all of it smaller, for a trial.
    package init(seed: UInt64, divisor: Int = 1) {
        func workers(_ count: Int) -> Int { max(count / divisor, 1) }
        let large = FleetPlan("one server", workers: workers(10_000), stepsOfWorker: 100)
        growth = [
            FleetPlan("10 workers", workers: 10),
            FleetPlan("100 workers", workers: workers(100)),
            FleetPlan("1,000 workers", workers: workers(1000), stepsOfWorker: 300),
            FleetPlan("3,000 workers", workers: workers(3000), stepsOfWorker: 150),
            large.changed("10,000 workers") { $0.end = 300 },
            large.changed("10,000 workers, 5,000 connections allowed") { plan in
                plan.end = 300
                plan.connectionsOfServer = 5000 / divisor
            },
        ].map { $0.changed($0.name) { $0.seed = seed } }
        func grown(_ steps: Int) -> FleetPlan {
            FleetPlan(
                "1 server of 32 processors, 1,000 workers of 80 slots", workers: workers(1000), slots: 80,
                runs: max(1, workers(10_000) / 100), stepsOfWorker: steps * 10
            ).changed("1 server of 32 processors, 1,000 workers of 80 slots") { $0.seed = seed }
        }
        func divided(_ steps: Int) -> FleetPlan {
            FleetPlan("", workers: workers(10_000), stepsOfWorker: steps).changed(
                "16 servers of 8 processors, 10,000 workers of 8 slots"
            ) { plan in
                plan.seed = seed
                plan.servers = 16
                plan.cores = 128
            }
        }
        remedies = [grown(100), divided(1000)]
        regionLost = [grown(120), divided(120)].map {
            $0.changed($0.name) { $0.incident = .regionLost(at: 75) }
        }
        failovers = [grown(120), divided(120)].flatMap { plan in
            let plain = plan.changed(plan.name) { $0.incident = .failover(at: 75, for: 30) }
            return [
                plain,
                plain.changed("the same, dead workers spared for a lease") { $0.sparesAfterStart = true },
            ]
        }
    }

    package var all: [FleetPlan] { growth + remedies + regionLost + failovers }
}
