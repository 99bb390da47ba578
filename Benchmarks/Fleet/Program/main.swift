import FleetSimulation
import Foundation

switch CommandLine.arguments.dropFirst().first {
case "measure":
    var measurement = try await CostMeasurement()
    try await measurement.print()
default:
    let e = ProcessInfo.processInfo.environment
    func n(_ k: String, _ d: Int) -> Int { e[k].flatMap { Int($0) } ?? d }
    let workers = n("W", 100)
    let runs = n("R", max(1, workers / 100))
    let slots = n("S", 8)
    var plan = FleetPlan("x", workers: workers, runs: runs, stepsOfRun: n("N", 1000) * workers / runs, chainsOfRun: workers * slots * 9 / 10 / runs)
    plan.slots = slots
    plan.servers = n("K", 1)
    plan.cores = n("C", 32)
    plan.connectionsOfServer = n("L", 25000)
    plan.sparesAfterStart = n("SPARE", 0) > 0
    if n("LOSS", 0) > 0 { plan.incident = .regionLost(at: Double(n("LOSS", 0))) }
    if n("FAIL", 0) > 0 { plan.incident = .failover(at: Double(n("FAIL", 0)), for: 30) }
    let began = ContinuousClock.now
    let figures = plan.played(until: Double(n("UNTIL", 100000)))
    print("\(figures)".replacing(/^.*hasEnded/.dotMatchesNewlines(), with: "hasEnded").replacing("FleetSimulation.Call.Kind.", with: ""))
    print(ContinuousClock.now - began)
}
