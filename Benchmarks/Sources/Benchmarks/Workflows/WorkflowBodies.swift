import Stepline

/// How much faster two workers are where bodies take their time.
enum WorkflowBodies: Benchmark {
    static let name = "workflow-bodies"
    static let summary = "bodies of 10 µs and of 1 ms on two workers, against one"

    private enum Contender: CaseIterable { case one, two }

    /// The time of all bodies together, in nanoseconds; layers of a thousand have two of them at 1 ms.
    private static let work: UInt64 = 2_000_000_000

    static func run() throws -> [Finding] {
        // The most of one worker's time that two may take: they are at least 1.8 and 1.95 times as fast.
        try [("10 µs", 10_000, 1 / 1.8), ("1 ms", 1_000_000, 1 / 1.95)].flatMap { title, length, bound in
            try [Shape.independent, .layered].flatMap { shape in
                try findings("\(shape), \(title)", shape, UInt64(length), bound)
            }
        }
    }

    private static func findings(_ title: String, _ shape: Shape, _ length: UInt64, _ bound: Double) throws
        -> [Finding]
    {
        let count = Sizes.of(Int(work / length), atLeast: 8)
        let graph = Graph(shape, count)
        let turns = try Turns(rounds: 3, of: Contender.allCases) { contender in
            let workflow = GraphWorkflow.make(workers: contender == .one ? 1 : 2)
            try GraphWorkflow.add(graph, to: workflow) { spin(nanoseconds: length) }
            return [nanoseconds { GraphWorkflow.runToEnd(workflow) } / Double(graph.count)]
        }
        return [
            Finding(
                "\(title): a task", turns.median(.two) ?? .nan, "ns", rival: "on one worker, ns",
                rivalValue: turns.median(.one))
        ]
            + [
                Finding(
                    "\(title): on two workers, of the time on one", ratio: turns.ratio(.two, to: .one),
                    atMost: bound)
            ].compactMap { $0 }
    }
}
