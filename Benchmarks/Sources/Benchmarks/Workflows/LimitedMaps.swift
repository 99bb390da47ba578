import Stepline

/// Measures the cost of a limit for a map over many async elements.
enum LimitedMaps: Benchmark {
    static let name = "limited-maps"
    static let summary = "a map over 100,000 async elements, eight at a time, against one without a limit"

    private enum Contender: CaseIterable { case limited, unlimited }

    private static let count = Sizes.of(100_000)

    static func run() throws -> [Finding] {
        let turns = try Turns(rounds: 5, of: Contender.allCases) { contender in
            let workflow = GraphWorkflow.make()
            try workflow.map("element", over: 0..<count, limit: contender == .limited ? 8 : nil) {
                (element: Int) async -> Int in
                await Task.yield()
                return element
            }
            return [nanoseconds { GraphWorkflow.runToEnd(workflow) } / Double(count)]
        }
        return [
            Finding(
                "an element, eight at a time", turns.median(.limited) ?? .nan, "ns",
                rival: "without a limit, ns",
                rivalValue: turns.median(.unlimited))
        ]
            + [
                Finding(
                    "eight at a time, of the time without a limit",
                    ratio: turns.ratio(.limited, to: .unlimited), atMost: 1.5)
            ].compactMap { $0 }
    }
}
