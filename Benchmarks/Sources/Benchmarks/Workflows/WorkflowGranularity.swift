import Foundation
import Stepline

/// How short bodies may be before less than half the time is useful work.
enum WorkflowGranularity: Benchmark {
    static let name = "workflow-granularity"
    static let summary =
        "useful share of all cores' time by length of body (METG), layered, two prerequisites"

    private static let sizes: [UInt64] = [250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]

    static func run() throws -> [Finding] {
        var findings: [Finding] = []
        var least: Double?
        for size in sizes {
            let useful = median(try (0..<Sizes.rounds(3)).map { _ in try share(size) })
            if useful >= 0.5, least == nil { least = Double(size) / 1000 }
            findings.append(
                Finding("useful at \(Double(size) / 1000) µs a body", useful * 100, "%"))
        }
        findings.append(Finding("smallest body at which half is useful (METG)", least ?? .infinity, "µs"))
        return findings
    }

    /// The useful share: what the bodies take, over what all cores had.
    private static func share(_ size: UInt64) throws -> Double {
        let count = Sizes.of(Int(max(2000, min(100_000, 400_000_000 / size))), atLeast: 32)
        let workflow = Workflow("metg")
        var tasks: [TaskRef<Void>] = []
        for index in 0..<count {
            let before = index < 16 ? [] : [index - 16, index - 16 + (index % 16 == 15 ? -15 : 1)]
            tasks.append(
                try workflow.add("task", following: before.lazy.map { tasks[$0] }) { spin(nanoseconds: size) }
            )
        }
        let time = nanoseconds { GraphWorkflow.runToEnd(workflow) }
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        return Double(size) * Double(count) / (time * cores)
    }
}
