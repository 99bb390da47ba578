import Stepline
import SteplinePostgreSQL
import SteplineRuns

/// Steps that do next to nothing, for what it costs to have workers run them: `Benchmarks/workers` starts it.
@main
struct WorkerSteps: DurableWorkflow {
    static let stores: [RunStoreKind] = [.postgreSQL]

    struct Input: Codable, Sendable {
        /// How many steps there are, about.
        var steps: Int
        /// How many stand side by side in front of each join; 1 makes a chain of them all.
        var width: Int
        /// How long the first of a chain takes; nil for no time.
        var seconds: Double?
    }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        input.width > 1 ? try addJoins(to: workflow, input) : try addChain(to: workflow, input)
    }

    private static func addJoins(to workflow: Workflow, _ input: Input) throws {
        for group in 0..<max(1, input.steps / (input.width + 1)) {
            let side = try (0..<input.width).map { number in
                try workflow.add("\(group).\(number)") { number }
            }
            try workflow.add("\(group)", following: side) { group }
        }
    }

    private static func addChain(to workflow: Workflow, _ input: Input) throws {
        var last = try workflow.add("0") {
            try await Task.sleep(for: .seconds(input.seconds ?? 0))
            return 0
        }
        for number in 1..<max(2, input.steps) {
            last = try workflow.add("\(number)", after: last) { $0 + 1 }
        }
    }
}
