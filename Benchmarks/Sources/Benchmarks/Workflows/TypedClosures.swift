import Stepline

/// Measures what it costs a closure to get the results of its prerequisites.
enum TypedClosures: Benchmark {
    static let name = "typed-closures"
    static let summary = "1,000,000 closures, each behind the two before it, with their results and without"

    private enum Contender: String, CaseIterable { case typed, plain }

    private static let count = Sizes.of(1_000_000)

    static func run() throws -> [Finding] {
        let turns = try Turns(rounds: 5, of: Contender.allCases) { contender in
            let workflow = GraphWorkflow.make()
            let build = try nanoseconds { try add(contender, to: workflow) }
            let run = nanoseconds { GraphWorkflow.runToEnd(workflow) }
            return [build / Double(count), run / Double(count)]
        }
        return [("build", 0), ("run", 1)].map { name, figure in
            Finding(
                "\(name), a task with two results", turns.median(.typed, figure) ?? .nan, "ns",
                rival: "without results, ns", rivalValue: turns.median(.plain, figure))
        }
            + [
                Finding(
                    "run with two results, of the time without",
                    ratio: turns.ratio(.typed, to: .plain, 1), atMost: 1.3)
            ].compactMap { $0 }
    }

    private static func add(_ contender: Contender, to workflow: Workflow) throws {
        var (a, b) = (try workflow.add("") { 0 }, try workflow.add("") { 1 })
        for _ in 2..<count {
            let next =
                switch contender {
                case .typed: try workflow.add("", after: a, b) { $0 &+ $1 }
                case .plain: try workflow.add("", following: [a, b]) { 1 }
                }
            (a, b) = (b, next)
        }
    }

    /// Builds and runs one kind again and again, for a profiler to look at.
    static func profile(_ name: String) throws {
        guard let contender = Contender(rawValue: name) else { throw ChildFailed(task: name) }
        for _ in 0..<3 {
            let workflow = GraphWorkflow.make()
            try add(contender, to: workflow)
            say("\(nanoseconds { GraphWorkflow.runToEnd(workflow) } / Double(count))")
        }
    }
}
