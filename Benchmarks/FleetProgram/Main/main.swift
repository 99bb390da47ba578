import FleetSimulation
import Foundation

// Benchmarks/fleet is what starts it, and says what for.
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "measure" {
    var measurement = try await CostMeasurement()
    try await measurement.print()
} else {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap { UInt64($0) } ?? 1
    let scenarios = FleetScenarios(seed: seed, divisor: environment["DIVISOR"].flatMap { Int($0) } ?? 1)
    let plans = scenarios.all
    // As many at once as there are cores; what comes of each doesn't depend on that.
    let width = min(ProcessInfo.processInfo.activeProcessorCount, plans.count)
    // The longest one first.
    var waiting = plans.indices.sorted { (plans[$0].steps, $1) > (plans[$1].steps, $0) }[...]
    let figures = await withTaskGroup(of: (Int, FleetFigures).self) { group in
        var found: [Int: FleetFigures] = [:]
        func begin() {
            guard let place = waiting.popFirst() else { return }
            group.addTask { (place, plans[place].played()) }
        }
        for _ in 0..<width { begin() }
        while let (place, figures) = await group.next() {
            found[place] = figures
            FileHandle.standardError.write(
                Data("\(found.count) of \(plans.count): \(figures.plan.name)\n".utf8))
            begin()
        }
        return plans.indices.compactMap { found[$0] }
    }
    let page = FleetPage(scenarios, figures, seed: seed).text
    if let path = arguments.first {
        try Data(page.utf8).write(to: URL(filePath: path))
    } else {
        print(page)
    }
}
